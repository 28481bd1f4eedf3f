"""A possible template: a query over a route with its text and parameters, and what it costs."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from warebench.queries.compose.scope import Criterion, Scope, alias_of
from warebench.queries.compose.wording import unit_of, word
from warebench.queries.model import (
    Filter,
    Mean,
    Query,
    Top,
    Total,
    Want,
    asked_column,
    wanted_columns,
)
from warebench.queries.template import Parameter, Subcategory, Template

SELF = 100
"""Cost of a route that joins a table with itself: last resort."""

FEW, SMALL = 100, 5
"""Rows of a table about which a question is hardly worth asking, and its cost."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Draft:
    """A template that may or may not yield questions."""

    template: Template
    uses: tuple[str, ...]
    """Tables and `table.column`s it is about, for variety among templates."""
    cost: int
    """Drafts of lower cost are tried first; each earlier use of a table or column costs 1."""


def draft(
    scope: Scope,
    subcategory: Subcategory,
    want: Want,
    criteria: Sequence[Criterion],
    *,
    contrasted: bool = False,
    cost: int = 0,
) -> Draft:
    """Return a template of a route.

    Args:
        scope: The route and its columns.
        subcategory: Of the template.
        want: What is asked for.
        criteria: Filters; with `contrasted`, the first is the one whose values are compared.
        contrasted: Whether it is a composite comparison.
        cost: How unnatural it is.
    """
    named = list(zip(_names(criteria), criteria, strict=True))
    query = msgspec.structs.replace(
        scope.route.query,
        want=want,
        filters=tuple(
            Filter(column=criterion.column, op=criterion.op, parameter=name) for name, criterion in named
        ),
    )
    contrast = named[0][0] if contrasted else ""
    columns = {*(criterion.column for criterion in criteria), *wanted_columns(want)}
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
        parameters=tuple(
            Parameter(
                name=name,
                column=criterion.column,
                kind=criterion.kind,
                barred=scope.profiles[criterion.column].barred,
            )
            for name, criterion in named
        ),
        contrast=contrast,
        unit=unit_of(want),
        strict=scope.strict,
        measured=_measured(scope, want),
        barred=scope.profiles[asked].barred if (asked := asked_column(want)) else (),
    )
    return Draft(template=template, uses=_uses(query, columns), cost=cost + _route_cost(scope))


def _measured(scope: Scope, want: Want) -> str:
    """Return what is summed or averaged, its role, and what decided that."""
    by = want.by if isinstance(want, Top) else want
    if not isinstance(by, Total | Mean):
        return ""
    found = scope.profiles[by.measure.column].judgement
    return f"{by.measure.column}: {found.role}, {found.reason}"


def _route_cost(scope: Scope) -> int:
    is_self = len(set(scope.route.query.sources.values())) == 1
    root = [item.rows for name, item in scope.profiles.items() if alias_of(name) == scope.route.root]
    return SELF * is_self + SMALL * (max(root, default=0) < FEW)


def _uses(query: Query, columns: set[str]) -> tuple[str, ...]:
    sources = query.sources
    named = sorted(f"{sources[alias_of(column)]}.{column.partition('.')[2]}" for column in columns)
    return (*sources.values(), *named, repr(query.joins))


def _names(criteria: Sequence[Criterion]) -> list[str]:
    """Return a parameter name for each criterion: its column's where that is a plain word and not taken."""
    names: list[str] = []
    for position, criterion in enumerate(criteria, start=1):
        plain = re.sub(r"[^a-z0-9]+", "_", criterion.column.partition(".")[2].lower()).strip("_")
        # `a` and `b` are the two sides of a comparison.
        usable = plain.isidentifier() and plain not in ("a", "b", *names)
        names.append(plain if usable else f"value_{position}")
    return names
