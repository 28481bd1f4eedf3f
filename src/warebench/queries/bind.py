"""Binding a template: drawing parameter values for which the question has one clear answer."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import msgspec

from warebench.queries.model import Correlation, Count, Filter, Query, Undefined, Value, Want, asked_column
from warebench.queries.solve import Outcome, Row, answer, keep
from warebench.queries.template import Parameter, Template, spelling

TRIES = 40
"""Draws for each question wanted before a template gives up."""

MOST_SHARE = 0.375
"""Largest share of one answer among the questions of a strict template: 1.5 times chance of four options."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Bound:
    """A template with values: the text, the bindings it stands for, and the first method's answer."""

    template: Template
    text: str
    bindings: tuple[Mapping[str, Any], ...]
    """One binding; two for a composite comparison, whose answer is the first minus the second."""
    outcome: Any
    thin: bool = False
    """Few rows stand behind the answer."""


def bind(template: Template, rows: Sequence[Row], wanted: int, rng: random.Random) -> list[Bound]:
    """Return up to `wanted` bound questions with distinct texts, each with a defined answer.

    Args:
        template: The template.
        rows: Joined rows of its query.
        wanted: How many questions.
        rng: Seeded chance.
    """
    found: dict[str, Bound] = {}
    thin: dict[str, Bound] = {}
    times: Counter[Any] = Counter()
    for bindings in _draws(template, rows, wanted * TRIES, rng):
        text = phrase(template, bindings)
        if text in found or text in thin:
            continue
        outcome = evaluate(template.query, rows, bindings)
        if isinstance(outcome, Undefined) or _is_spoiled(template, rows, bindings, outcome):
            continue
        if template.strict and (
            times[outcome] >= max(1, MOST_SHARE * wanted) or _tells_nothing(template, rows, bindings, outcome)
        ):
            continue
        times[outcome] += 1
        few = _fewest(template.query, rows, bindings) < _enough(template.query.want)
        (thin if few else found)[text] = Bound(
            template=template, text=text, bindings=bindings, outcome=outcome, thin=few
        )
        if len(found) == wanted:
            break
    # A sum over one row is a lookup: such questions come last, where a small sample gives no others.
    bounds = [*found.values(), *thin.values()][:wanted]
    return _spread(bounds) if template.strict else bounds


def _is_spoiled(
    template: Template, rows: Sequence[Row], bindings: Sequence[Mapping[str, Any]], outcome: Any
) -> bool:
    """Return whether the answer is a barred value, or could be read to depend on how one is taken."""
    query, barred = template.query, set(template.barred)
    asked = asked_column(query.want)
    if not barred or outcome in barred:
        return bool(barred)
    if isinstance(query.want, Count):
        kept = (row for binding in bindings for row in keep(rows, query, binding))
        return any(row[asked] in barred for row in kept)
    # Without them the largest group stays; those of one spelling together may be larger.
    first = {spelling(value): value for value in sorted(barred, reverse=True)}
    taken = {value: first[spelling(value)] for value in barred}
    if all(value == other for value, other in taken.items()):
        return False
    merged = [{**row, asked: taken.get(row[asked], row[asked])} for row in rows]
    return bool(evaluate(query, merged, bindings) != outcome)


def _tells_nothing(
    template: Template, rows: Sequence[Row], bindings: Sequence[Mapping[str, Any]], outcome: Any
) -> bool:
    """Return whether a difference is 0, or the answer is the same without one of the filters."""
    if template.contrast and outcome == 0:
        return True
    idle = (item for item in template.query.filters if item.parameter != template.contrast)
    return any(evaluate(_without(template.query, item), rows, bindings) == outcome for item in idle)


def _without(query: Query, left_out: Filter) -> Query:
    kept = tuple(item for item in query.filters if item != left_out)
    return msgspec.structs.replace(query, filters=kept)


def _spread(bounds: list[Bound]) -> list[Bound]:
    """Return questions without the last ones of an answer that too many share, so that it is no guess."""
    kept = list(bounds)
    while len(kept) > 1:
        (answer_, times), *_ = Counter(bound.outcome for bound in kept).most_common(1)
        if times == 1 or times <= MOST_SHARE * len(kept):
            break
        last = max(at for at, bound in enumerate(kept) if bound.outcome == answer_)
        del kept[last]
    return kept


def _fewest(query: Query, rows: Sequence[Row], bindings: Sequence[Mapping[str, Any]]) -> int:
    return min(len(keep(rows, query, binding)) for binding in bindings)


def _enough(want: Want) -> int:
    match want:
        case Correlation():
            return 6
        case Value():
            return 1
        case _:
            return 3


def evaluate(query: Query, rows: Sequence[Row], bindings: Sequence[Mapping[str, Any]]) -> Outcome:
    """Return the answer: of the one binding, or of the first minus that of the second."""
    answers: list[Any] = []
    for binding in bindings:
        kept = keep(rows, query, binding)
        answers.append(answer(kept, query.want) if kept else Undefined("no row passes the filters"))
    for item in answers:
        if isinstance(item, Undefined):
            return item
    return answers[0] if len(answers) == 1 else answers[0] - answers[1]


def phrase(template: Template, bindings: Sequence[Mapping[str, Any]]) -> str:
    """Return the text with its placeholders filled."""
    values = {name: show(value) for name, value in bindings[0].items()}
    if template.contrast:
        values |= {side: show(b[template.contrast]) for side, b in zip("ab", bindings, strict=True)}
    return template.text.format(**values)


def show(value: object) -> str:
    """Return a value as it stands in a question: in quotes when it is text, exact when it is a number.

    Truth values and points in time are spelled as in the serialised tables.
    """
    match value:
        case str():
            return f'"{value}"'
        case bool():
            return str(value).lower()
        case float():
            return repr(int(value)) if value.is_integer() else repr(value)
        case Decimal():
            return f"{value:f}"
        case datetime():
            return value.isoformat(sep=" ")
        case date() | time():
            return value.isoformat()
        case _:
            return str(value)


def _draws(
    template: Template, rows: Sequence[Row], limit: int, rng: random.Random
) -> Iterator[tuple[Mapping[str, Any], ...]]:
    pools = {parameter.name: _pool(parameter, rows) for parameter in template.parameters}
    if not all(pools.values()):
        return
    for _ in range(limit):
        # One row gives all values, so that filters on several columns meet in at least that row.
        first = _one(template, pools, rows, rng)
        if first is None:
            continue
        if not template.contrast:
            yield (first,)
            continue
        other = rng.choice(pools[template.contrast])
        if other != first[template.contrast]:
            # The first is of a frequent value, mostly: in this order most differences would be positive.
            sides = [first, {**first, template.contrast: other}]
            yield tuple(rng.sample(sides, 2))


def _one(
    template: Template, pools: Mapping[str, list[Any]], rows: Sequence[Row], rng: random.Random
) -> dict[str, Any] | None:
    row = rng.choice(rows)
    values = {
        parameter.name: rng.choice(pools[parameter.name])
        if parameter.kind == "threshold"
        else row[parameter.column]
        for parameter in template.parameters
    }
    if any(values[parameter.name] in parameter.barred for parameter in template.parameters):
        return None
    return None if any(value is None for value in values.values()) else values


def _pool(parameter: Parameter, rows: Sequence[Row]) -> list[Any]:
    values = sorted({row[parameter.column] for row in rows} - {None, *parameter.barred})
    if parameter.kind == "threshold" and len(values) > 4:
        cut = max(1, len(values) // 10)
        return values[cut:-cut]
    return values
