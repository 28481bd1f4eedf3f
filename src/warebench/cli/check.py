"""`warebench check`: is a set what it claims to be?"""

from collections.abc import Callable, Sequence
from pathlib import Path

import click

from warebench.cli.command import Command
from warebench.cli.output import say, show, show_json
from warebench.cli.progress import progress_bar
from warebench.questions.check import Finding
from warebench.questions.store import read_questions
from warebench.tracks.dispatch import check_questions

EXAMPLE = """
warebench check sets/topology sets/topology-tables
warebench check sets/topology --format github"""

Found = Sequence[tuple[Path, Finding]]
"""Findings with the set each is about."""


def _text(found: Found) -> None:
    for folder, finding in found:
        show(f"{folder}: {finding.where}: {finding.severity} {finding.code} {finding.message}")


def _json(found: Found) -> None:
    show_json(
        [
            {
                "set": str(folder),
                "severity": item.severity,
                "code": item.code,
                "where": item.where,
                "message": item.message,
            }
            for folder, item in found
        ]
    )


def _github(found: Found) -> None:
    for folder, finding in found:
        message = f"{finding.where}: {finding.message}".replace("%", "%25").replace("\n", "%0A")
        show(f"::{finding.severity} file={folder / 'questions.jsonl'},title={finding.code}::{message}")


FORMATS: dict[str, Callable[[Found], None]] = {"text": _text, "json": _json, "github": _github}


@click.command(cls=Command, example=EXAMPLE)
@click.argument("sets", nargs=-1, required=True, metavar="SET...", type=click.Path(path_type=Path))
@click.option("--format", type=click.Choice(list(FORMATS)), default="text", show_default=True)
@click.option("--exit-zero", is_flag=True, help="Exit 0 in spite of findings.")
@click.pass_context
def command(ctx: click.Context, sets: tuple[Path, ...], format: str, exit_zero: bool) -> None:
    """Prove question sets again and look for faults.

    Every gold is found anew by the second method; `warebench list checks` names the rest. Exit code 1 when
    something is wrong; warnings, such as faults of gold SQL that others wrote, do not count.
    """
    found: list[tuple[Path, Finding]] = []
    with progress_bar("checking", len(sets)) as progress:
        for folder in sets:
            question_set = read_questions(folder)
            findings = check_questions(question_set)
            found += [(folder, finding) for finding in findings]
            progress(str(folder))
            say(f"{folder}: {len(question_set.questions)} questions, {_counts(findings)}")
    FORMATS[format](found)
    if any(finding.severity == "error" for _, finding in found) and not exit_zero:
        ctx.exit(1)


def _counts(findings: Sequence[Finding]) -> str:
    warnings = sum(finding.severity == "warning" for finding in findings)
    text = f"{len(findings) - warnings} findings"
    return f"{text}, {warnings} warnings" if warnings else text
