"""The seven operators over a route: which columns are asked for, compared, measured and grouped."""

import random
from collections.abc import Callable, Iterator, Mapping

from warebench.queries.compose.drafts import Draft, draft
from warebench.queries.compose.profile import Profile
from warebench.queries.compose.scope import Criterion, Scope, alias_of, cover, criteria_on, shuffled
from warebench.queries.model import (
    Aggregate,
    Correlation,
    Count,
    Mean,
    Measure,
    Top,
    Total,
    Value,
    wanted_columns,
)
from warebench.queries.template import Subcategory

VARIANTS = 4
"""Drafts of each kind for each route."""

GROUPS = 30
"""Groups from which the rows of a prompt leave most with a row or two."""


def lookups(scope: Scope, rng: random.Random) -> Iterator[Draft]:
    """Yield entity lookups: an attribute of a parent, the row being told by columns of the other tables."""
    for wanted in shuffled(_labels(scope), rng)[:VARIANTS]:
        others = [end for end in scope.route.ends if end != alias_of(wanted)]
        beside = [criteria_on(scope, end, rng, (wanted,), repeated=False)[:1] for end in others]
        if not all(beside):
            continue
        fixed = [criteria[0] for criteria in beside]
        for cost, criteria in _identifying(scope, rng):
            yield draft(scope, "EL", Value(wanted), (*criteria, *fixed), cost=cost)
        if fixed:
            yield draft(scope, "EL", Value(wanted), tuple(fixed), cost=3)


def _identifying(scope: Scope, rng: random.Random) -> Iterator[tuple[int, tuple[Criterion, ...]]]:
    """Yield criteria that may single out one row of the root, the most natural first."""
    root = scope.route.root
    for name in shuffled(scope.columns(root, lambda item: item.naming), rng)[:1]:
        yield 0, (Criterion(name, "="),)
    told = [
        *scope.columns(root, lambda item: item.kind == "moment" and item.bounded),
        *scope.columns(root, lambda item: item.category),
        *scope.columns(root, lambda item: item.kind == "number" and item.bounded),
    ]
    if len(told) > 1:
        yield 3, (Criterion(told[0], "="), Criterion(told[1], "="))
    if scope.strict:  # of two, one often tells the row alone
        for name in told:
            yield 4, (Criterion(name, "="),)
    for name in scope.columns(root, lambda item: item.primary):
        yield 6, (Criterion(name, "="),)


def tops(scope: Scope, rng: random.Random) -> Iterator[Draft]:
    """Yield top selections: the parent's value with the largest aggregate over the root's rows."""
    for group in shuffled(_labels(scope), rng)[:VARIANTS]:
        for by in shuffled(_aggregates(scope), rng)[:2] * VARIANTS:
            criteria = cover(scope, rng, (group, *wanted_columns(by)), least=1)
            if criteria is not None:
                # Few groups and fractions tie less; the smallest count is nearly always a tie.
                cost = 2 * isinstance(by, Count) + 2 * (scope.profiles[group].distinct > GROUPS)
                highest = isinstance(by, Count) or rng.random() < 0.7
                yield draft(scope, "TS", Top(group, by, highest), criteria, cost=cost)


def counts(scope: Scope, rng: random.Random) -> Iterator[Draft]:
    """Yield counts of rows, and of distinct values of a parent's column."""
    for _ in range(VARIANTS):
        criteria = cover(scope, rng, (), least=1)
        if criteria is not None:
            yield draft(scope, "CNT", Count(), criteria)
    for column in shuffled(_labels(scope), rng)[:2]:
        criteria = cover(scope, rng, (column,), least=1)
        # Without one, the root would only say which parents occur.
        if criteria is not None and any(alias_of(item.column) == scope.route.root for item in criteria):
            yield draft(scope, "CNT", Count(column), criteria)


def sums(scope: Scope, rng: random.Random) -> Iterator[Draft]:
    """Yield sums of a measure of the root."""
    yield from _aggregated(scope, rng, "SUM", lambda item: item.additive, Total)


def averages(scope: Scope, rng: random.Random) -> Iterator[Draft]:
    """Yield averages of a measure of the root."""
    yield from _aggregated(scope, rng, "AVG", lambda item: item.measure, Mean)


def _aggregated(
    scope: Scope,
    rng: random.Random,
    subcategory: Subcategory,
    flag: Callable[[Profile], bool],
    aggregate: type[Total] | type[Mean],
) -> Iterator[Draft]:
    for column in shuffled(scope.columns(scope.route.root, flag), rng)[:VARIANTS]:
        for _ in range(2):
            criteria = cover(scope, rng, (column,), least=1)
            if criteria is not None:
                yield draft(scope, subcategory, aggregate(Measure(column=column)), criteria)


def comparisons(scope: Scope, rng: random.Random) -> Iterator[Draft]:
    """Yield composite comparisons: an aggregate for one value of a parent's column minus that for another."""
    for column in shuffled(_categories(scope), rng)[:VARIANTS]:
        for want in shuffled(_aggregates(scope), rng)[:2] * 2:
            criteria = cover(scope, rng, (column, *wanted_columns(want)), least=rng.randrange(2))
            if criteria is not None:
                yield draft(scope, "CC", want, (Criterion(column, "="), *criteria), contrasted=True)


def correlations(scope: Scope, rng: random.Random) -> Iterator[Draft]:
    """Yield correlations of two measures of the root, or of one with a measure of a parent."""
    mine = shuffled(scope.columns(scope.route.root, lambda item: item.quantity), rng)
    theirs = [column for end in scope.route.ends for column in scope.columns(end, lambda item: item.quantity)]
    pairs = [(one, other) for at, one in enumerate(mine) for other in mine[at + 1 :]]
    across = [(one, other) for one in mine for other in shuffled(theirs, rng)]
    for cost, found in ((0, pairs), (3, across)):
        for one, other in found[:VARIANTS]:
            criteria = cover(scope, rng, (one, other), least=1, op="<>")
            if criteria is not None:
                want = Correlation(Measure(column=one), Measure(column=other))
                yield draft(scope, "COR", want, criteria, cost=cost)


MAKERS: Mapping[Subcategory, Callable[[Scope, random.Random], Iterator[Draft]]] = {
    "EL": lookups,
    "TS": tops,
    "CNT": counts,
    "SUM": sums,
    "AVG": averages,
    "CC": comparisons,
    "COR": correlations,
}


def _labels(scope: Scope) -> list[str]:
    return [column for end in scope.route.ends for column in scope.columns(end, lambda item: item.label)]


def _categories(scope: Scope) -> list[str]:
    return [column for end in scope.route.ends for column in scope.columns(end, lambda item: item.category)]


def _aggregates(scope: Scope) -> list[Aggregate]:
    root = scope.route.root
    sums_of = scope.columns(root, lambda item: item.additive)
    means_of = scope.columns(root, lambda item: item.measure)
    totals: list[Aggregate] = [Total(Measure(column=column)) for column in sums_of]
    means: list[Aggregate] = [Mean(Measure(column=column)) for column in means_of]
    return [*totals, *means, Count()]
