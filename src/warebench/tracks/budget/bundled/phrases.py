"""Queries written in one line, such as `mean loans.fee of loans members where members.town = {town}`."""

import re
from collections.abc import Mapping, Sequence

from warebench.errors import InternalError
from warebench.queries.model import (
    Count,
    Filter,
    Join,
    Mean,
    Measure,
    Operator,
    Query,
    Top,
    Total,
    Value,
    Want,
)
from warebench.queries.template import Parameter

Links = Mapping[str, Mapping[str, str]]
"""By table: the table each foreign key leads to, and its own key under the empty name."""

LINE = re.compile(r"(?P<want>.+) of (?P<tables>[a-z_: ]+?)(?: where (?P<filters>.+))?")
TOP = re.compile(r"(?P<end>most|least) (?P<group>\S+) by (?P<by>.+)")
TEST = re.compile(r"(?P<column>\S+) (?P<op>=|<>|>=|<=|>|<) \{(?P<parameter>\w+)\}")
OPERATORS: Mapping[str, Operator] = {"=": "=", "<>": "<>", ">=": ">=", "<=": "<=", ">": ">", "<": "<"}


def read_query(line: str, links: Links) -> tuple[Query, tuple[Parameter, ...]]:
    """Return the query of a line and where its parameters come from.

    Tables are joined in their order, each along the foreign key between it and an earlier one; aliases are
    table names. `table:column` names the foreign key where there are several.

    Args:
        line: `want of tables where filters`.
        links: Foreign keys of all tables.

    Raises:
        InternalError: The line breaks the grammar, or no foreign key joins its tables.
    """
    match = LINE.fullmatch(line)
    if not match:
        raise InternalError(f"a query cannot be read: {line}")
    first, *rest = match["tables"].split()
    tests = [TEST.fullmatch(part) for part in (match["filters"] or "").split(" and ") if part]
    found = [test for test in tests if test]
    if len(found) < len(tests):
        raise InternalError(f"a filter cannot be read: {line}")
    query = Query(
        table=first,
        alias=first,
        joins=_joins(first, rest, links),
        filters=tuple(
            Filter(column=t["column"], op=OPERATORS[t["op"]], parameter=t["parameter"]) for t in found
        ),
        want=_want(match["want"]),
    )
    return query, tuple(_parameter(item) for item in query.filters)


def _parameter(item: Filter) -> Parameter:
    is_value = item.op in ("=", "<>")
    return Parameter(name=item.parameter, column=item.column, kind="value" if is_value else "threshold")


def _joins(first: str, rest: Sequence[str], links: Links) -> tuple[Join, ...]:
    joined = [first]
    found: list[Join] = []
    for word in rest:
        table, _, column = word.partition(":")
        pair = next((pair for one in joined for pair in _pairs(one, table, column, links)), None)
        if pair is None:
            raise InternalError(f"no foreign key joins {table} to {', '.join(joined)}")
        found.append(Join(table=table, alias=table, on=(pair,)))
        joined.append(table)
    return tuple(found)


def _pairs(one: str, other: str, column: str, links: Links) -> list[tuple[str, str]]:
    """Return the pairs of columns by which two tables are joined, at most one a foreign key."""
    down = [
        (f"{one}.{key}", links[other][""]) for key, parent in links[one].items() if key and parent == other
    ]
    up = [(f"{one}.{links[one]['']}", key) for key, parent in links[other].items() if key and parent == one]
    return [pair for pair in (*down, *up) if not column or column in (pair[0].partition(".")[2], pair[1])]


def _want(text: str) -> Want:
    if match := TOP.fullmatch(text):
        return Top(match["group"], _aggregate(match["by"]), highest=match["end"] == "most")
    if text.startswith("value "):
        return Value(text.removeprefix("value "))
    return _aggregate(text)


def _aggregate(text: str) -> Count | Total | Mean:
    match text.split():
        case ["count"]:
            return Count()
        case ["count", "distinct", column]:
            return Count(column)
        case ["sum", column]:
            return Total(Measure(column=column))
        case ["mean", column]:
            return Mean(Measure(column=column))
    raise InternalError(f"no aggregate `{text}`")
