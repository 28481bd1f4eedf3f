"""How often the composer is right about what a number measures, on columns that readers labelled.

    python benchmarks/measures.py LABELS.csv     columns: database, table, column, type, verdict, reason

Without rows: only names, keys and types are given, so every rule that looks at values is idle, and what those
rules would refuse (dates written as numbers, positions, flags) may be taken for something else here. Keys are
those that the reasons name. Precision and recall are of sums (`additive`), and of sums and averages together.
"""

import argparse
import csv
from collections import Counter, defaultdict
from pathlib import Path

from warebench.queries.compose.measures import Clues, judge
from warebench.queries.compose.naming import is_calendar, singular, words


def main() -> None:
    """Print the verdicts beside the labels."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("labels", type=Path)
    with parser.parse_args().labels.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    tables = defaultdict(list)
    for row in rows:
        tables[row["database"], row["table"]].append(row)
    nouns = defaultdict(set)
    for database, table in tables:
        nouns[database].update(singular(word) for word in words(table)[-1:])
    found = [(row, judge(_clues(row, tables[row["database"], row["table"]], nouns))) for row in rows]
    print(f"{'label':14} {'verdict':10} {'columns':>7}")
    for (label, role), count in sorted(Counter((row["verdict"], item.role) for row, item in found).items()):
        print(f"{label:14} {role:10} {count:7}")
    for name, roles, labels in (
        ("sums", ("additive",), ("additive",)),
        ("sums and averages", ("additive", "level"), ("additive", "averageable")),
    ):
        said = [row for row, item in found if item.role in roles]
        true = [row for row in said if row["verdict"] in labels]
        all_true = sum(row["verdict"] in labels for row in rows)
        print(f"{name}: precision {len(true)} of {len(said)}, recall {len(true)} of {all_true}")
    for row, item in found:
        if item.role in ("additive", "level") and row["verdict"] != {"level": "averageable"}.get(
            item.role, item.role
        ):
            print(f"  {row['table']}.{row['column']}: {item.role}, {item.reason}; label {row['verdict']}")


def _clues(row: dict[str, str], beside: list[dict[str, str]], nouns: dict[str, set[str]]) -> Clues:
    reason = row["reason"]
    key = reason if reason.startswith(("primary key", "foreign key")) else ""
    others = [other for other in beside if other is not row]
    period = (
        not any(other["reason"].startswith("primary key") for other in beside)
        and any(other["reason"].startswith("foreign key") for other in others)
        and any(is_calendar(other["column"]) for other in others)
    )
    return Clues(name=row["column"], key=key, nouns=frozenset(nouns[row["database"]]), per_period=period)


if __name__ == "__main__":
    main()
