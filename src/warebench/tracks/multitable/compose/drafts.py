"""Possible templates of one route: which columns are asked for, compared, measured and grouped."""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar, assert_never

import msgspec

from warebench.tracks.multitable.compose.profile import Profile, Profiles
from warebench.tracks.multitable.compose.routes import Route
from warebench.tracks.multitable.compose.wording import unit_of, word
from warebench.tracks.multitable.query.model import (
    Aggregate,
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
from warebench.tracks.multitable.templates.model import Parameter, Subcategory, Template

Item = TypeVar("Item")

VARIANTS = 4
"""Drafts of each kind for each route."""

REPEATS = 3
"""Rows a value has on average from which a column tells groups of rows apart."""

SELF = 100
"""Cost of a route that joins a table with itself: last resort."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Scope:
    """A route and the columns in its reach, written `alias.column`."""

    database: str
    route: Route
    profiles: Mapping[str, Profile]

    def columns(self, alias: str, flag: Callable[[Profile], bool]) -> list[str]:
        """Return the columns of an alias that a flag admits, in catalog order."""
        return [name for name, item in self.profiles.items() if _alias(name) == alias and flag(item)]

    @property
    def middle(self) -> list[str]:
        """Aliases that a question need not use."""
        return [name for name in self.route.query.sources if name not in (self.route.root, *self.route.ends)]


@dataclass(frozen=True, kw_only=True, slots=True)
class Draft:
    """A template that may or may not yield questions."""

    template: Template
    uses: tuple[str, ...]
    """Tables and `table.column`s it is about, for variety among templates."""
    cost: int
    """Drafts of lower cost are tried first."""


@dataclass(frozen=True, slots=True)
class Test:
    """A filter before its parameter has a name."""

    column: str
    op: Operator
    kind: Literal["value", "threshold"] = "value"


def scope_of(database: str, route: Route, profiles: Profiles) -> Scope:
    """Return the columns a route reaches, but those of its joins."""
    joined = {
        column
        for join in route.query.joins
        for left, right in join.on
        for column in (left, f"{join.alias}.{right}")
    }
    reached = {
        f"{alias}.{name}": item
        for alias, table in route.query.sources.items()
        for name, item in profiles[table].items()
    }
    return Scope(
        database=database,
        route=route,
        profiles={name: item for name, item in reached.items() if name not in joined},
    )


def lookups(scope: Scope, rng: random.Random) -> Iterator[Draft]:
    """Yield entity lookups: an attribute of a parent, the row being told by columns of the other tables."""
    for wanted in _shuffled(_labels(scope), rng)[:VARIANTS]:
        others = [end for end in scope.route.ends if end != _alias(wanted)]
        beside = [_tests_on(scope, end, rng, (wanted,), repeated=False)[:1] for end in others]
        if not all(beside):
            continue
        fixed = [tests[0] for tests in beside]
        for cost, tests in _identifying(scope, rng):
            yield _draft(scope, "EL", Value(wanted), (*tests, *fixed), cost=cost)
        if fixed:
            yield _draft(scope, "EL", Value(wanted), tuple(fixed), cost=1)


def _identifying(scope: Scope, rng: random.Random) -> Iterator[tuple[int, tuple[Test, ...]]]:
    """Yield tests that may single out one row of the root, the most natural first."""
    root = scope.route.root
    for name in _shuffled(scope.columns(root, lambda item: item.naming), rng)[:1]:
        yield 0, (Test(name, "="),)
    told = [
        *scope.columns(root, lambda item: item.kind == "moment" and item.bounded),
        *scope.columns(root, lambda item: item.category),
        *scope.columns(root, lambda item: item.kind == "number" and item.bounded),
    ]
    if len(told) > 1:
        yield 1, (Test(told[0], "="), Test(told[1], "="))
    for name in scope.columns(root, lambda item: item.primary):
        yield 2, (Test(name, "="),)


def tops(scope: Scope, rng: random.Random) -> Iterator[Draft]:
    """Yield top selections: the parent's value with the largest aggregate over the root's rows."""
    for group in _shuffled(_labels(scope), rng)[:VARIANTS]:
        for by in _shuffled(_aggregates(scope), rng)[:2]:
            tests = _cover(scope, rng, (group, *wanted_columns(by)), least=1)
            if tests is not None:
                yield _draft(scope, "TS", Top(group, by, rng.random() < 0.7), tests)


def counts(scope: Scope, rng: random.Random) -> Iterator[Draft]:
    """Yield counts of rows, and of distinct values of a parent's column."""
    for _ in range(VARIANTS):
        tests = _cover(scope, rng, (), least=1)
        if tests is not None:
            yield _draft(scope, "CNT", Count(), tests)
    for column in _shuffled(_labels(scope), rng)[:2]:
        tests = _cover(scope, rng, (column,), least=1)
        if tests is not None and any(_alias(test.column) != _alias(column) for test in tests):
            yield _draft(scope, "CNT", Count(column), tests)


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
    for column in _shuffled(scope.columns(scope.route.root, flag), rng)[:VARIANTS]:
        for _ in range(2):
            tests = _cover(scope, rng, (column,), least=1)
            if tests is not None:
                yield _draft(scope, subcategory, aggregate(Measure(column=column)), tests)


def comparisons(scope: Scope, rng: random.Random) -> Iterator[Draft]:
    """Yield composite comparisons: an aggregate for one value of a parent's column minus that for another."""
    for column in _shuffled(_categories(scope), rng)[:VARIANTS]:
        for want in _shuffled(_aggregates(scope), rng)[:2]:
            tests = _cover(scope, rng, (column, *wanted_columns(want)), least=rng.randrange(2))
            if tests is not None:
                yield _draft(scope, "CC", want, (Test(column, "="), *tests), contrasted=True)


def correlations(scope: Scope, rng: random.Random) -> Iterator[Draft]:
    """Yield correlations of two measures of the root, or of one with a measure of a parent."""
    mine = _shuffled(scope.columns(scope.route.root, lambda item: item.measure), rng)
    theirs = [column for end in scope.route.ends for column in scope.columns(end, lambda item: item.measure)]
    pairs = [(one, other) for at, one in enumerate(mine) for other in mine[at + 1 :]]
    across = [(one, other) for one in mine for other in _shuffled(theirs, rng)]
    for cost, found in ((0, pairs), (1, across)):
        for one, other in found[:VARIANTS]:
            tests = _cover(scope, rng, (one, other), least=1, op="<>")
            if tests is not None:
                want = Correlation(Measure(column=one), Measure(column=other))
                yield _draft(scope, "COR", want, tests, cost=cost)


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


def wanted_columns(want: Want) -> tuple[str, ...]:
    """Return the columns that are asked for."""
    match want:
        case Value(column):
            return (column,)
        case Count(distinct):
            return (distinct,) if distinct else ()
        case Total(measure) | Mean(measure):
            return (measure.column,)
        case Correlation(x, y):
            return (x.column, y.column)
        case Top(group, by):
            return (group, *wanted_columns(by))
        case _:
            assert_never(want)


def _cover(
    scope: Scope, rng: random.Random, used: Sequence[str], *, least: int, op: Operator = "="
) -> tuple[Test, ...] | None:
    """Return tests that touch every end not used yet, at least so many; None when columns lack.

    A test on the root is added by chance, and the others where tests lack.
    """
    tests: list[Test] = []
    touched = {_alias(column) for column in used}
    for end in scope.route.ends:
        if end not in touched:
            found = _tests_on(scope, end, rng, used, op=op)
            if not found:
                return None
            tests.append(found[0])
    if rng.random() < 0.5 or len(tests) < least:
        tests += _tests_on(scope, scope.route.root, rng, used)[:1]
    for alias in (*scope.middle, *scope.route.ends):
        if len(tests) < least:
            tests += _tests_on(scope, alias, rng, used)[:1]
    return tuple(tests) if len(tests) >= least else None


def _tests_on(
    scope: Scope,
    alias: str,
    rng: random.Random,
    used: Sequence[str],
    *,
    op: Operator = "=",
    repeated: bool = True,
) -> list[Test]:
    """Return the tests that columns of an alias allow, in random order, on parents those of values first."""
    is_root = alias == scope.route.root
    categories = scope.columns(alias, lambda item: item.category)
    if is_root and repeated:
        categories = [name for name in categories if _repeats(scope.profiles[name])]
    by_value = [Test(name, op) for name in categories if name not in used]
    bounded = scope.columns(alias, lambda item: item.bounded)
    bounds: tuple[Operator, ...] = (">=", "<=")
    by_bound = [Test(name, rng.choice(bounds), "threshold") for name in bounded if name not in used]
    if is_root:
        return _shuffled([*by_value, *by_bound], rng)
    return [*_shuffled(by_value, rng), *_shuffled(by_bound, rng)]


def _repeats(item: Profile) -> bool:
    return item.present >= REPEATS * item.distinct


def _draft(
    scope: Scope,
    subcategory: Subcategory,
    want: Want,
    tests: Sequence[Test],
    *,
    contrasted: bool = False,
    cost: int = 0,
) -> Draft:
    named = list(zip(_names(tests), tests, strict=True))
    query = msgspec.structs.replace(
        scope.route.query,
        want=want,
        filters=tuple(Filter(column=test.column, op=test.op, parameter=name) for name, test in named),
    )
    contrast = named[0][0] if contrasted else ""
    columns = {*(test.column for test in tests), *wanted_columns(want)}
    text = word(
        query,
        contrast=contrast,
        moments=frozenset(column for column in columns if scope.profiles[column].kind == "moment"),
        lacking=any(scope.profiles[column].lacks for column in columns),
    )
    template = Template(
        database=scope.database,
        subcategory=subcategory,
        number=1,
        text=text,
        query=query,
        parameters=tuple(Parameter(name=name, column=test.column, kind=test.kind) for name, test in named),
        contrast=contrast,
        unit=unit_of(want),
    )
    is_self = len(set(query.sources.values())) == 1
    return Draft(template=template, uses=_uses(query, columns), cost=cost + SELF * is_self)


def _uses(query: Query, columns: set[str]) -> tuple[str, ...]:
    sources = query.sources
    named = sorted(f"{sources[_alias(column)]}.{column.partition('.')[2]}" for column in columns)
    return (*sources.values(), *named, repr(query.joins))


def _names(tests: Sequence[Test]) -> list[str]:
    """Return a parameter name for each test: its column's, as far as that is a plain word and not taken."""
    names: list[str] = []
    for position, test in enumerate(tests, start=1):
        plain = re.sub(r"[^a-z0-9]+", "_", test.column.partition(".")[2].lower()).strip("_")
        # `a` and `b` are the two sides of a comparison.
        usable = plain.isidentifier() and plain not in ("a", "b", *names)
        names.append(plain if usable else f"value_{position}")
    return names


def _alias(column: str) -> str:
    return column.partition(".")[0]


def _shuffled(items: Sequence[Item], rng: random.Random) -> list[Item]:
    return rng.sample(items, len(items))
