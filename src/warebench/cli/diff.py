"""`warebench diff`: what became of a set's questions when it was built again?"""

from pathlib import Path

import click
import msgspec

from warebench.cli.command import Command, table_or_json
from warebench.cli.output import say, show, show_json, table
from warebench.questions.diff import STATUSES, Diff, count_changes, diff_questions
from warebench.questions.store import read_questions

EXAMPLE = """
warebench diff sets/metrics-march sets/metrics-april
warebench diff sets/metrics-march sets/metrics-april --format json"""


@click.command(cls=Command, example=EXAMPLE)
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@table_or_json
def command(old: Path, new: Path, format: str) -> None:
    """Compare two builds of a set, question by question.

    A question is kept when text and gold are the same, changed when it turns on the same fact under another
    text or gold, retired when it is gone, and else new. JSON holds each question with its old and new gold.
    Told too is which catalogs, databases and files differ. Differences are no findings: the exit code is 0.
    """
    found = diff_questions(read_questions(old), read_questions(new))
    if format == "json":
        show_json({"counts": count_changes(found), **msgspec.to_builtins(found)})
    else:
        _show_table(found)


def _show_table(found: Diff) -> None:
    counts = count_changes(found)
    rows = [[subtype, *(numbers[status] for status in STATUSES)] for subtype, numbers in counts.items()]
    total = ["all", *(sum(numbers[status] for numbers in counts.values()) for status in STATUSES)]
    show(table(["subtype", *STATUSES], [*rows, total]))
    for change in found.inputs:
        say(f"{change.status} {change.kind}: {change.name}")
