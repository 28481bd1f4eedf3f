"""Prints how replies as models write them are judged: right and refused, wrong and accepted."""

import json
from pathlib import Path
from typing import Any

import msgspec

from warebench.answers.compare import compare
from warebench.answers.model import Answer
from warebench.answers.parse import Unparsed, kind_of, parse
from warebench.answers.sql_reply import find_sql

COMMENTED = "-- first\nSELECT count(*) FROM shop.orders"
"""What the reply holds whose text the fixture does not name."""
FIXTURES = Path(__file__).parents[1] / "tests" / "fixtures" / "answers"


def read_cases(name: str) -> list[dict[str, Any]]:
    """Return the cases of a fixture."""
    return [json.loads(line) for line in (FIXTURES / f"{name}.jsonl").read_text("utf-8").splitlines()]


def is_accepted(case: dict[str, Any]) -> bool:
    """Tell whether a reply is judged right."""
    gold = msgspec.convert(case["gold"], Answer)
    reply = parse(case["reply"], kind_of(gold))
    return not isinstance(reply, Unparsed) and compare(gold, reply).correct


def main() -> None:
    """Print one line for each fixture."""
    for name in ("replies", "written"):
        judged = [(case, is_accepted(case)) for case in read_cases(name)]
        refused = [case["id"] for case, accepted in judged if case["right"] and not accepted]
        accepted = [case["id"] for case, accepted in judged if accepted and not case["right"]]
        print(f"{name}: {len(judged)} replies, right and refused {len(refused)} {' '.join(refused)}, "
              f"wrong and accepted {len(accepted)} {' '.join(accepted)}")  # fmt: skip
    cases = read_cases("sql_replies")
    found = sum((find_sql(case["reply"]) or "").rstrip(";") == (case["want"] or COMMENTED) for case in cases)
    print(f"sql_replies: {len(cases)} replies, {found} read as they should be")


if __name__ == "__main__":
    main()
