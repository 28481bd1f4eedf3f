"""`warebench compare`: is one model better than another?"""

import math
from pathlib import Path
from typing import Any

import click
import msgspec

import warebench
from warebench.cli.command import Command, table_or_json
from warebench.cli.output import say, show, show_json, table
from warebench.cli.values import Share
from warebench.report.compare import Comparison, ComparisonRow, compare_models
from warebench.report.wording import p_value, percent, points

EXAMPLE = """
warebench compare scores.parquet openai/gpt-5-mini ollama/llama3.1 --by subtype
warebench compare scores.parquet old new --fail-on regression --format json"""

HEADERS = (
    "group",
    "pairs",
    "EM a",
    "EM b",
    "b - a",
    "low",
    "high",
    "only a",
    "only b",
    "p",
    "p (Holm)",
    "MDE",
)


@click.command(cls=Command, example=EXAMPLE)
@click.argument("scores", type=click.Path(path_type=Path))
@click.argument("a")
@click.argument("b")
@click.option("--by", help="Column to group by, for example subtype or method.")
@click.option("--alpha", type=Share(0, 1, min_open=True, max_open=True), default=0.05, show_default=True)
@click.option("--fail-on", type=click.Choice(["regression"]), help="Exit 1 when B is significantly worse.")
@table_or_json
@click.pass_context
def command(ctx: click.Context, /, scores: Path, a: str, b: str, **asked: Any) -> None:
    """Compare two models question by question.

    SCORES is what `warebench score` wrote. Differences are B minus A, paired on question and method: paired
    bootstrap interval, exact McNemar test, Holm's correction over the groups, minimum detectable effect.
    """
    found = compare_models(warebench.read_scores(scores), a, b, by=asked["by"], alpha=asked["alpha"])
    if asked["format"] == "json":
        show_json(_as_json(found))
    else:
        show(f"a = {a}\nb = {b}\n")
        show(table(HEADERS, [_cells(row) for row in found.rows]))
    for warning in found.warnings:
        say(warning)
    worse = [row.group for row in found.rows if row.significant and row.difference < 0]
    if worse and asked["fail_on"] == "regression":
        say(f"Regression: {b} is significantly worse than {a} in {', '.join(worse)}.", always=True)
        ctx.exit(1)


def _cells(row: ComparisonRow) -> tuple[object, ...]:
    shares = percent(row.em_a), percent(row.em_b), points(row.difference), points(row.low), points(row.high)
    tests = p_value(row.p), p_value(row.p_holm), percent(row.minimum_detectable_effect)
    return (row.group, row.pairs, *shares, row.only_a, row.only_b, *tests)


def _as_json(found: Comparison) -> object:
    return _without_nan(msgspec.to_builtins(found))


def _without_nan(value: object) -> object:
    """Return the value with null for every number that does not exist."""
    if isinstance(value, dict):
        return {name: _without_nan(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
