"""Score tables with settings, breakdowns and measures, whose numbers are known."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

BUDGETS = (2.5, 10.0, 50.0)
RANKERS = ("bm25", "dense")


def swept(*, catalogs: int = 12, questions: int = 24) -> pd.DataFrame:
    """Return one model, three budgets and two rankers: a larger budget adds right answers, a ranker none."""
    return pd.DataFrame(_rows(catalogs, questions))


def _rows(catalogs: int, questions: int) -> Iterator[dict[str, Any]]:
    for rank, budget in enumerate(BUDGETS):
        for ranker in RANKERS:
            for number in range(questions):
                yield {
                    "track": "budget",
                    "model": "m",
                    "method": f"sql budget={budget:g} ranker={ranker}",
                    "catalog": f"db{number % catalogs}",
                    "subtype": ("join", "single")[number % 2],
                    "difficulty": "easy",
                    "question_id": f"q{number}",
                    "outcome": "verdict",
                    "em": float(number % 4 <= rank),
                    "setting.budget": budget,
                    "setting.ranker": ranker,
                    "by.window": ("8K", "16K", "128K")[number % 3],
                    "measure.table_recall": (rank + number % 2) / 4,
                }


def instanced(rights: tuple[tuple[int, int], ...]) -> pd.DataFrame:
    """Return one condition; every (right, asked) is an instance."""
    return pd.DataFrame(
        {
            "track": "tables",
            "model": "m",
            "method": "choice",
            "catalog": "c",
            "subtype": "EL",
            "question_id": f"{instance}-{number}",
            "outcome": "verdict",
            "em": float(number < right),
            "by.instance": instance,
        }
        for instance, (right, asked) in enumerate(rights)
        for number in range(asked)
    )
