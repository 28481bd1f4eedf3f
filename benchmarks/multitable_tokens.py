"""Tokens of the four serialisations, as Table VII of TQA-Bench counts them.

python benchmarks/multitable_tokens.py              five instances a window of the ten bundled databases
python benchmarks/multitable_tokens.py sets/shop    the instances of a set of yours

Prints the average by format and window, then by database what a format costs beside Markdown.
"""

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean

from warebench.engine.database import Database
from warebench.questions.store import read_questions
from warebench.tracks.multitable.sampling import WINDOWS, count_tokens, sample_many
from warebench.tracks.multitable.serialise import FORMATS, serialise
from warebench.worlds import make_world
from warebench.worlds.questions import DATABASES

SEED, INSTANCES = 7, 5

Counts = Mapping[str, Sequence[int]]
"""Tokens of instances, by format; the instances are the same and in the same order."""


def main() -> None:
    instances = of_set(Path(sys.argv[1])) if sys.argv[1:] else of_twins()
    by_window: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    by_database: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for window, database in instances:
        for form in FORMATS:
            tokens = count_tokens(serialise(database, form))
            by_window[window][form].append(tokens)
            by_database[database.catalog.name][form].append(tokens)
    windows = [name for name in WINDOWS if name in by_window]
    print(f"| format | {' | '.join(windows)} |")
    print(f"|---|{'---|' * len(windows)}")
    for form in FORMATS:
        means = (f"{mean(by_window[name][form]):,.0f}" for name in windows)
        print(f"| {form} | {' | '.join(means)} |")
    print("\nTimes the tokens of Markdown:\n")
    others = [form for form in FORMATS if form != "markdown"]
    print(f"| database | {' | '.join(others)} |")
    print(f"|---|{'---|' * len(others)}")
    for name, counts in by_database.items():
        print(f"| {name} | {' | '.join(f'{ratio(counts, form):.2f}' for form in others)} |")


def ratio(counts: Counts, form: str) -> float:
    return sum(counts[form]) / sum(counts["markdown"])


def of_twins() -> Iterator[tuple[str, Database]]:
    for name in DATABASES:
        for made in sample_many(make_world(name, seed=SEED), list(WINDOWS.values()), INSTANCES, seed=SEED):
            yield made.window.name, made.database


def of_set(folder: Path) -> Iterator[tuple[str, Database]]:
    made = read_questions(folder)
    windows = {question.context: str(question.facets["window"]) for question in made.questions}
    for name, database in made.databases.items():
        yield windows[name], database


if __name__ == "__main__":
    main()
