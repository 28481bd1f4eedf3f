"""`warebench audit`: is a team's own list of questions fit to be gold?"""

from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from warebench.cli.command import Command, table_or_json
from warebench.cli.output import say, show, show_json, table
from warebench.cli.sources import find_examined
from warebench.tracks.budget.audit import Audited, audit

EXAMPLE = """
warebench audit shop.sqlite --examples golden.csv
warebench audit spider:FOLDER --format json"""


@click.command(cls=Command, example=EXAMPLE)
@click.argument("source")
@click.option(
    "--examples",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="CSV, JSON or YAML: question, sql, and optional database, evidence, comparison.",
)
@table_or_json
@click.option("--exit-zero", is_flag=True, help="Exit 0 in spite of faults.")
@click.pass_context
def command(ctx: click.Context, source: str, examples: Path | None, format: str, exit_zero: bool) -> None:
    """Judge questions with SQL as gold, before any model sees them.

    Every query is run and looked at for faults. Then it is changed in one place at a time: a wrong query that
    gives the same result shows what the data cannot tell apart, and which kind of row would. Perturbed
    databases are tried on it. Exit code 1 where an example has a fault or can be no question.
    """
    found = audit(find_examined(source, examples))
    if format == "json":
        show_json(msgspec.to_builtins(found))
    else:
        _show(found)
    faulty = sum(item.is_faulty for item in found)
    say(f"{len(found)} examples, {faulty} with faults")
    if faulty and not exit_zero:
        ctx.exit(1)


def _show(found: Sequence[Audited]) -> None:
    show(
        table(
            ("example", "faults", "wrong queries", "not told apart", "nor perturbed"),
            [_row(item) for item in found],
        )
    )
    lasting = [
        (item.example, one.change, one.row, one.killed_by or "none")
        for item in found
        for one in item.survivors
    ]
    if lasting:
        show("\nwrong queries that give the same result, and the row that would tell:")
        show(table(("example", "change", "missing row", "told by perturbed"), lasting))


def _row(item: Audited) -> tuple[object, ...]:
    words = [item.unusable, *(fault.message for fault in item.faults)]
    lasting = sum(one.killed_by is None for one in item.survivors)
    return item.example, "; ".join(filter(None, words)), item.mutants, len(item.survivors), lasting
