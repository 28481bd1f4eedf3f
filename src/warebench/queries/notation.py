"""Queries written in one line, such as `mean loans.fee of loans members where members.town = {town}`.

docs/templates.md describes the notation.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from warebench.errors import BuildError
from warebench.queries.model import (
    Correlation,
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

Links = Callable[[Sequence[str]], tuple[str, str, tuple[Join, ...]]]
"""From the words after `of` to the first table, its alias, and the joins of the rest.

Raises `LookupError` with what is missing where a word cannot be joined to those before it.
"""

WORD = re.compile(r'\{\w+\}|\w+\.(?:"[^"]+"|\w+)|\w+:\w+|\w+|<>|<=|>=|[-<>=]')
"""`{parameter}`, `alias.column`, `alias."column with blanks"`, `table:column`, a word, or an operator."""

OPERATORS: Mapping[str, Operator] = {"=": "=", "<>": "<>", ">=": ">=", "<=": "<=", ">": ">", "<": "<"}

SHAPE = "write WANT of ALIAS ALIAS ... where ALIAS.COLUMN >= {parameter} and ..."

WANTS = (
    "write value COLUMN, count, count distinct COLUMN, sum COLUMN, mean COLUMN, "
    "correlation COLUMN with COLUMN, or most COLUMN by count; "
    "sums and means also of COLUMN - COLUMN, and `least` for `most`"
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line that says something, and where it stands."""

    text: str
    where: str


def read_lines(text: str, file: str) -> list[Line]:
    """Return the lines of a text but blank ones and comments (`#`), each with its number."""
    return [
        Line(line.rstrip(), f"{file}, line {number}")
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and not line.startswith("#")
    ]


def read_query(line: str, links: Links, where: str) -> tuple[Query, tuple[Parameter, ...]]:
    """Return the query of a line and where its parameters come from, one a filter.

    Args:
        line: `want of tables where filters`.
        links: How its tables are joined.
        where: File and line, for errors.

    Raises:
        BuildError: The line breaks the notation, or its tables cannot be joined.
    """
    words = split_words(line, where)
    if "of" not in words:
        raise BuildError(f"a query cannot be read: {line}", where=where, fix=SHAPE)
    wanted, rest = _cut(words, "of")
    tables, tests = _cut(rest, "where")
    try:
        table, alias, joins = links(tables)
    except LookupError as error:
        raise BuildError(
            str(error.args[0]), where=where, fix="name each table after one it has a key to or from"
        ) from error
    filters = _filters(tests, where)
    query = Query(table=table, alias=alias, joins=joins, filters=filters, want=_want(wanted, where))
    _check_aliases(query, where)
    return query, tuple(_parameter(item) for item in filters)


def split_words(line: str, where: str) -> list[str]:
    """Return the words of a line, quotes removed.

    Raises:
        BuildError: A part of it is no word.
    """
    if rest := WORD.sub("", line).strip():
        raise BuildError(f"`{rest.split()[0]}` cannot be read: {line}", where=where, fix=SHAPE)
    return [word.replace('"', "") for word in WORD.findall(line)]


def _cut(words: Sequence[str], at: str) -> tuple[Sequence[str], Sequence[str]]:
    place = words.index(at) if at in words else len(words)
    return words[:place], words[place + 1 :]


def _filters(words: Sequence[str], where: str) -> tuple[Filter, ...]:
    found = []
    more = bool(words)
    while more:
        more = "and" in words
        test, words = _cut(words, "and")
        match test:
            case [column, op, hole] if op in OPERATORS and hole.startswith("{") and "." in column:
                found.append(Filter(column=column, op=OPERATORS[op], parameter=hole[1:-1]))
            case _:
                raise BuildError(f"a filter cannot be read: {' '.join(test)}", where=where, fix=SHAPE)
    return tuple(found)


def _parameter(item: Filter) -> Parameter:
    is_value = item.op in ("=", "<>")
    return Parameter(name=item.parameter, column=item.column, kind="value" if is_value else "threshold")


def _want(words: Sequence[str], where: str) -> Want:
    match words:
        case ["value", column]:
            return Value(column)
        case ["correlation", *rest] if "with" in rest:
            x, y = _cut(rest, "with")
            return Correlation(_measure(x, where), _measure(y, where))
        case [("most" | "least") as end, group, "by", *by]:
            return Top(group, _aggregate(by, where), highest=end == "most")
    return _aggregate(words, where)


def _aggregate(words: Sequence[str], where: str) -> Count | Total | Mean:
    match words:
        case ["count"]:
            return Count()
        case ["count", "distinct", column]:
            return Count(column)
        case ["sum", *measure]:
            return Total(_measure(measure, where))
        case ["mean", *measure]:
            return Mean(_measure(measure, where))
    raise BuildError(f"no aggregate `{' '.join(words)}`", where=where, fix=WANTS)


def _measure(words: Sequence[str], where: str) -> Measure:
    match words:
        case [column]:
            return Measure(column=column)
        case [column, "-", minus]:
            return Measure(column=column, minus=minus)
    raise BuildError(f"no measure `{' '.join(words)}`", where=where, fix=WANTS)


def _check_aliases(query: Query, where: str) -> None:
    for column in query.columns:
        alias, dot, _ = column.partition(".")
        if not dot or alias not in query.sources:
            known = ", ".join(query.sources)
            raise BuildError(
                f"`{column}` is no column of a table after `of`",
                where=where,
                fix=f"write one of {known}, a point and the column",
            )
