"""Canonical queries in the tables and columns of a layout."""

from collections.abc import Callable, Iterator, Mapping
from typing import assert_never

from msgspec.structs import replace

from warebench.queries.model import (
    Aggregate,
    Correlation,
    Count,
    Join,
    Mean,
    Measure,
    Query,
    Top,
    Total,
    Value,
    Want,
)
from warebench.worlds.organisations.layout import REST, Layout

Move = Callable[[str], str]
"""From a canonical column to a stored one."""


def translate(query: Query, layout: Layout) -> Query | None:
    """Return a query over the stored tables, or None where they cannot answer it.

    Joins to tables that went into another one fall away, and split-off parts are joined where they are
    needed. Aliases are T1, T2 and so on.
    """
    if not _answers(query, layout):
        return None
    tables = [alias for alias in query.sources if alias not in layout.merged]
    parts = dict.fromkeys(_place(layout, column)[0] for column in query.columns)
    tables += [part for part in parts if part.endswith(REST)]
    aliases = {table: f"T{number}" for number, table in enumerate(tables, start=1)}

    def move(column: str) -> str:
        table, name = _place(layout, column)
        return f"{aliases[table]}.{name}"

    return Query(
        table=layout.names[query.table],
        alias=aliases[query.table],
        joins=tuple(_joins(query, layout, aliases)),
        filters=tuple(replace(item, column=move(item.column)) for item in query.filters),
        want=_move_want(query.want, move),
    )


def _answers(query: Query, layout: Layout) -> bool:
    if query.table in layout.merged or not all(alias in layout.places for alias in query.sources):
        return False
    for join in query.joins:
        lefts = [left.partition(".")[0] for left, _ in join.on]
        if layout.merged.keys() & set(lefts):
            return False
        # The one table that references a merged one must be there, as it holds its columns.
        if join.alias in layout.merged and layout.merged[join.alias] not in query.sources:
            return False
    return all(_is_stored(layout, column) for column in query.columns)


def _is_stored(layout: Layout, column: str) -> bool:
    table, _, name = column.partition(".")
    return name in layout.places[table]


def _place(layout: Layout, column: str) -> tuple[str, str]:
    table, _, name = column.partition(".")
    place = layout.places[table][name]
    return place.table, place.column


def _joins(query: Query, layout: Layout, aliases: Mapping[str, str]) -> Iterator[Join]:
    for join in query.joins:
        if join.alias in layout.merged:
            continue
        pairs = []
        for left, right in join.on:
            table, name = _place(layout, left)
            pairs.append((f"{aliases[table]}.{name}", _place(layout, f"{join.alias}.{right}")[1]))
        yield Join(table=layout.names[join.table], alias=aliases[join.alias], on=tuple(pairs))
    for table in aliases:
        if table.endswith(REST):
            own = table.removesuffix(REST)
            key = layout.places[own][layout.domain.tables[own].key].column
            yield Join(table=layout.names[table], alias=aliases[table], on=((f"{aliases[own]}.{key}", key),))


def _move_want(want: Want, move: Move) -> Want:
    match want:
        case Value(column):
            return Value(move(column))
        case Top(group, by, highest):
            return Top(move(group), _move_aggregate(by, move), highest=highest)
        case Correlation(x, y):
            return Correlation(_move_measure(x, move), _move_measure(y, move))
        case Count() | Total() | Mean():
            return _move_aggregate(want, move)
        case _:
            assert_never(want)


def _move_aggregate(want: Aggregate, move: Move) -> Aggregate:
    match want:
        case Count(distinct):
            return Count(move(distinct) if distinct else "")
        case Total(measure):
            return Total(_move_measure(measure, move))
        case Mean(measure):
            return Mean(_move_measure(measure, move))
        case _:
            assert_never(want)


def _move_measure(measure: Measure, move: Move) -> Measure:
    return Measure(column=move(measure.column), minus=move(measure.minus) if measure.minus else "")
