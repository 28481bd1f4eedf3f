"""`warebench score`: logs to a score table."""

from pathlib import Path

import click
import pandas as pd

from warebench.cli.command import Command, table_or_json
from warebench.cli.output import say, show_json
from warebench.cli.summary import conditions, show_summary
from warebench.harness.scores import check_ending, write_scores
from warebench.questions.store import read_questions
from warebench.report.conditions import count_failed

EXAMPLE = """
warebench score logs
warebench score logs/monday logs/tuesday --out week.parquet --format json"""


@click.command(cls=Command, example=EXAMPLE)
@click.argument("logs", nargs=-1, required=True, metavar="LOGS...", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    default="scores.parquet",
    show_default=True,
    help="File of the score table, .parquet; or .csv for other programs.",
)
@click.option(
    "--questions",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A set that was asked, to describe what never ran.",
)
@click.option("--exit-zero", is_flag=True, help="Exit 0 in spite of samples that errored or were not run.")
@table_or_json
@click.pass_context
def command(
    ctx: click.Context,
    logs: tuple[Path, ...],
    out: Path,
    questions: tuple[Path, ...],
    exit_zero: bool,
    format: str,
) -> None:
    """Turn logs into a score table.

    LOGS are log folders or files. Where a question was asked again, the last attempt counts, but one
    that errored never replaces a verdict. An errored sample counts 0 and stands apart; one that was not run
    counts nothing. Exit code 1 when there is any.
    """
    check_ending(out)  # before logs are read, which takes its time
    scores = _read(logs, questions, out)
    failed = count_failed(scores)
    say(f"Wrote {len(scores)} rows to {out}")
    if format == "json":
        outcomes = {
            str(name): int(number) for name, number in scores["outcome"].value_counts().sort_index().items()
        }
        show_json(
            {"out": str(out), "rows": len(scores), "outcomes": outcomes, "conditions": conditions(scores)}
        )
    else:
        show_summary(scores)
    if failed["errors"]:
        say(f"{failed['errors']} of {len(scores)} errored; beside verdicts they count 0.", always=True)
    if failed["not_run"]:
        say(f"{failed['not_run']} of {len(scores)} were not run; run them again.", always=True)
    if (failed["errors"] or failed["not_run"]) and not exit_zero:
        ctx.exit(1)


def _read(logs: tuple[Path, ...], questions: tuple[Path, ...], out: Path) -> pd.DataFrame:
    from warebench.harness.logs import read_logs  # noqa: PLC0415  Inspect takes seconds to import

    reading = read_logs(logs, question_sets=[read_questions(folder) for folder in questions])
    for name, reason in reading.skipped.items():
        say(f"Left out {name}: {reason}", always=True)
    for name, missing in reading.unfinished.items():
        say(f"Unfinished {name}: {missing} answers are missing; run the same command again.", always=True)
    write_scores(reading.scores, out, logs=reading.logs)
    return reading.scores
