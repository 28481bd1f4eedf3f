"""Wrong answers that real mistakes lead to."""

import random
import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from warebench.tracks.multitable.query.model import (
    Correlation,
    Count,
    Filter,
    Mean,
    Measure,
    Operator,
    Query,
    Top,
    Total,
    Value,
    Want,
)
from warebench.tracks.multitable.query.solve import Row, Undefined, answer, keep
from warebench.tracks.multitable.templates.bind import Bound, evaluate

Wrong = tuple[Any, str]
"""A wrong answer and the mistake that leads to it."""

BOUNDARY: Mapping[Operator, Operator] = {">=": ">", "<=": "<", ">": ">=", "<": "<=", "=": "<>", "<>": "="}


def mistakes(bound: Bound, rows: Sequence[Row], rng: random.Random) -> Iterator[Wrong]:
    """Yield wrong answers with the mistake behind each; some may be equal to gold or to each other.

    Args:
        bound: The question.
        rows: Joined rows of its query.
        rng: Seeded chance.
    """
    query = bound.template.query
    for changed, origin in _changed(query):
        outcome = evaluate(changed, rows, bound.bindings)
        if not isinstance(outcome, Undefined):
            yield outcome, origin
    yield from _sides(bound, rows)
    yield from _others(bound, rows, rng)
    yield from _loose(bound, rows, rng)


def _changed(query: Query) -> Iterator[tuple[Query, str]]:
    for position, item in enumerate(query.filters):
        rest = (*query.filters[:position], *query.filters[position + 1 :])
        yield msgspec.structs.replace(query, filters=rest), "missing filter"
        turned = Filter(column=item.column, op=BOUNDARY[item.op], parameter=item.parameter)
        origin = "wrong bound" if item.op not in ("=", "<>") else "filter turned round"
        yield _with_filter(query, position, turned), origin
    for want, origin in _other_wants(query.want):
        yield msgspec.structs.replace(query, want=want), origin


def _with_filter(query: Query, position: int, item: Filter) -> Query:
    filters = (*query.filters[:position], item, *query.filters[position + 1 :])
    return msgspec.structs.replace(query, filters=filters)


def _other_wants(want: Want) -> Iterator[tuple[Want, str]]:
    match want:
        case Total(measure):
            yield Mean(measure), "average instead of sum"
            yield from ((Total(other), "wrong column") for other in _one_sided(measure))
        case Mean(measure):
            yield Total(measure), "sum instead of average"
            yield from ((Mean(other), "wrong column") for other in _one_sided(measure))
        case Count(distinct) if distinct:
            yield Count(), "rows instead of distinct values"
        case Top(group, by, highest):
            yield Top(group, by, not highest), "lowest instead of highest"
            yield from ((Top(group, other, highest), origin) for other, origin in _other_aggregates(by))
        case Count() | Value() | Correlation():
            return


def _other_aggregates(by: Count | Total | Mean) -> Iterator[tuple[Count | Total | Mean, str]]:
    match by:
        case Total(measure):
            yield from ((Mean(measure), "average instead of sum"), (Count(), "count instead of sum"))
        case Mean(measure):
            yield from ((Total(measure), "sum instead of average"), (Count(), "count instead of average"))
        case Count(distinct) if distinct:
            yield Count(), "rows instead of distinct values"
        case Count():
            return


def _one_sided(measure: Measure) -> tuple[Measure, ...]:
    if not measure.minus:
        return ()
    return (
        Measure(column=measure.column),
        Measure(column=measure.minus),
        Measure(column=measure.minus, minus=measure.column),
    )


def _sides(bound: Bound, rows: Sequence[Row]) -> Iterator[Wrong]:
    """Mistakes about a difference or a correlation as a whole."""
    outcome = bound.outcome
    if len(bound.bindings) == 2:
        sides: list[Any] = [evaluate(bound.template.query, rows, (binding,)) for binding in bound.bindings]
        first, second = sides
        yield -outcome, "difference the wrong way round"
        yield first, "only the first"
        yield second, "only the second"
        yield first + second, "sum instead of difference"
    if isinstance(bound.template.query.want, Correlation):
        yield -outcome, "wrong sign"
        yield outcome * abs(outcome), "squared"


def _others(bound: Bound, rows: Sequence[Row], rng: random.Random) -> Iterator[Wrong]:
    """The right answer to the question about another entity or bound."""
    for parameter in bound.template.parameters:
        values = sorted({row[parameter.column] for row in rows} - {None})
        for value in rng.sample(values, min(4, len(values))):
            bindings: list[Mapping[str, Any]] = [
                {**binding, parameter.name: value} for binding in bound.bindings
            ]
            if bound.template.contrast == parameter.name:
                bindings = [bound.bindings[0], bindings[1]]
            outcome = evaluate(bound.template.query, rows, bindings)
            if not isinstance(outcome, Undefined):
                yield outcome, "other entity" if parameter.kind == "value" else "other bound"


def _loose(bound: Bound, rows: Sequence[Row], rng: random.Random) -> Iterator[Wrong]:
    """Slips over the right rows: one overlooked, one counted twice, the median for the mean."""
    query = bound.template.query
    kept = keep(rows, query, bound.bindings[0])
    rest = evaluate(query, rows, bound.bindings[1:]) if len(bound.bindings) == 2 else 0
    for _ in range(3):
        skipped = rng.randrange(len(kept))
        for slip, origin in (
            ([*kept[:skipped], *kept[skipped + 1 :]], "a row overlooked"),
            ([*kept, kept[skipped]], "a row counted twice"),
        ):
            outcome = answer(slip, query.want) if slip else Undefined("no row is left")
            if not isinstance(outcome, (Undefined, str)) and not isinstance(rest, (Undefined, str)):
                yield outcome - rest if rest else outcome, origin
    if isinstance(query.want, Mean) and len(bound.bindings) == 1 and not query.want.measure.minus:
        yield float(statistics.median(_cells(kept, query.want.measure))), "median instead of average"


def _cells(rows: Sequence[Row], measure: Measure) -> list[Any]:
    return [row[measure.column] for row in rows if row[measure.column] is not None]
