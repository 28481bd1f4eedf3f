"""`warebench report`: a score table to a report."""

from pathlib import Path

import click
import pandas as pd

import warebench
from warebench.cli.command import Command
from warebench.cli.output import say, show
from warebench.cli.summary import conditions
from warebench.cli.values import Share
from warebench.report.pairing import MARGIN
from warebench.report.render import WRITERS, write_report

EXAMPLE = """
warebench report scores.parquet --out report
warebench report scores.parquet --format json --format csv --fail-under 0.6"""


@click.command(cls=Command, example=EXAMPLE)
@click.argument("scores", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("report"),
    show_default=True,
    help="Folder of the report.",
)
@click.option(
    "--format", multiple=True, type=click.Choice(list(WRITERS)), help="What to write; repeatable, else all."
)
@click.option("--note", multiple=True, help="A sentence to show at the top; repeatable.")
@click.option(
    "--margin",
    type=Share(0, 1, min_open=True, max_open=True),
    default=MARGIN,
    show_default=True,
    help="Difference of EM that does not matter.",
)
@click.option("--fail-under", type=Share(0, 1), help="Exit 1 when any micro EM is below.")
@click.pass_context
def command(
    ctx: click.Context,
    scores: Path,
    out: Path,
    format: tuple[str, ...],
    note: tuple[str, ...],
    margin: float,
    fail_under: float | None,
) -> None:
    """Write a report about a score table.

    SCORES is what `warebench score` wrote. The HTML page works from the file, without network.
    """
    rows = warebench.read_scores(scores)
    written = write_report(rows, out, formats=format or tuple(WRITERS), notes=note, margin=margin)
    tables = [path for path in written if path.suffix == ".csv"]
    for path in written:
        if path not in tables:
            show(str(path))
    if tables:
        show(f"{out / 'tables'} ({len(tables)} tables)")
    low = [] if fail_under is None else _below(rows, fail_under)
    if low:
        say(f"Below {fail_under:g}: {', '.join(low)}", always=True)
        ctx.exit(1)


def _below(scores: pd.DataFrame, least: float) -> list[str]:
    """Return the conditions whose micro EM is below a share, or does not exist."""
    found = [(row, row["micro_em"]) for row in conditions(scores)]
    return [
        f"{row['model']} with {row['method']} ({'no verdict' if em is None else em})"
        for row, em in found
        if not isinstance(em, float) or em < least
    ]
