"""Wrong answers that real mistakes lead to."""

import random
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from warebench.queries.bind import Bound, evaluate
from warebench.queries.model import (
    Correlation,
    Count,
    Filter,
    Mean,
    Measure,
    Operator,
    Query,
    Top,
    Total,
    Undefined,
    Value,
    Want,
)
from warebench.queries.solve import Row, answer, keep
from warebench.queries.template import Template

Wrong = tuple[Any, str]
"""A wrong answer and the mistake that leads to it."""

BOUNDARY: Mapping[Operator, Operator] = {">=": ">", "<=": "<", ">": ">=", "<": "<=", "=": "<>", "<>": "="}


@dataclass(frozen=True, kw_only=True, slots=True)
class Slip:
    """A mistake that can be made in every question of a template."""

    origin: str
    apply: Callable[[Bound], Any]
    """From a question to the wrong answer; Undefined where the mistake leads to none."""
    mirrored: bool = False
    """Made twice it leads back to the right answer."""


def slips(template: Template, rows: Sequence[Row], rng: random.Random) -> list[Slip]:
    """Return the mistakes that lead from a number to a wrong one.

    A wrong sign is none of them: correlations of one template agree in sign, which would give gold away.

    Args:
        template: A template whose answers are numbers.
        rows: Joined rows of its query.
        rng: Seeded chance.
    """
    found = [
        Slip(origin=origin, apply=_evaluating(changed, rows)) for changed, origin in _changed(template.query)
    ]
    if template.contrast:
        found += _slips_of_differences(template.query, rows)
    return [*found, *_loose(template, rows, rng)]


def mistakes(bound: Bound, rows: Sequence[Row], rng: random.Random) -> Iterator[Wrong]:
    """Yield wrong names with the mistake behind each; some may be equal to gold or to each other.

    Args:
        bound: A question whose answer is no number.
        rows: Joined rows of its query.
        rng: Seeded chance.
    """
    for changed, origin in _changed(bound.template.query):
        outcome = evaluate(changed, rows, bound.bindings)
        if not isinstance(outcome, Undefined):
            yield outcome, origin
    yield from _others(bound, rows, rng)


def _evaluating(query: Query, rows: Sequence[Row]) -> Callable[[Bound], Any]:
    return lambda bound: evaluate(query, rows, bound.bindings)


def _negative(bound: Bound) -> Any:
    return -bound.outcome


def _slips_of_differences(query: Query, rows: Sequence[Row]) -> list[Slip]:
    def side(bound: Bound, at: int) -> Any:
        return evaluate(query, rows, bound.bindings[at : at + 1])

    return [
        Slip(origin="difference the wrong way round", apply=_negative, mirrored=True),
        Slip(origin="only the first", apply=lambda bound: side(bound, 0)),
        Slip(origin="only the second", apply=lambda bound: side(bound, 1)),
        Slip(origin="sum instead of difference", apply=lambda bound: side(bound, 0) + side(bound, 1)),
    ]


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


def _loose(template: Template, rows: Sequence[Row], rng: random.Random) -> list[Slip]:
    """Return slips over the right rows: one overlooked, one counted twice, the median for the mean."""
    query = template.query

    def slip(bound: Bound, change: Callable[[list[Row], int], list[Row]]) -> Any:
        kept = keep(rows, query, bound.bindings[0])
        changed = change(kept, rng.randrange(len(kept)))
        outcome = answer(changed, query.want) if changed else Undefined("no row is left")
        if len(bound.bindings) == 1 or isinstance(outcome, Undefined):
            return outcome
        return outcome - evaluate(query, rows, bound.bindings[1:])

    found = [
        Slip(
            origin="a row overlooked",
            apply=lambda bound: slip(bound, lambda kept, at: [*kept[:at], *kept[at + 1 :]]),
        ),
        Slip(
            origin="a row counted twice", apply=lambda bound: slip(bound, lambda kept, at: [*kept, kept[at]])
        ),
    ]
    want = query.want
    if isinstance(want, Mean) and not template.contrast and not want.measure.minus:
        measure = want.measure
        found.append(
            Slip(
                origin="median instead of average",
                apply=lambda bound: float(
                    statistics.median(_cells(keep(rows, query, bound.bindings[0]), measure))
                ),
            )
        )
    return found


def _cells(rows: Sequence[Row], measure: Measure) -> list[Any]:
    return [row[measure.column] for row in rows if row[measure.column] is not None]
