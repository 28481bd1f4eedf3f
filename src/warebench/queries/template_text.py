"""Templates written as text: tables and how they join, then questions of three lines each.

docs/templates.md describes the notation.
"""

import re
from collections.abc import Sequence
from string import Formatter

from warebench.errors import BuildError, did_you_mean
from warebench.queries.model import Join
from warebench.queries.notation import Line, read_lines, read_query
from warebench.queries.template import SUBCATEGORIES, Parameter, Subcategory, Template

SOURCE = re.compile(r"(?P<alias>\w+) = (?P<table>.+?)(?: on (?P<on>.+))?")
"""`flight = Airlines`, or `origin = Airports on flight.ORIGIN = Code`."""

PAIR = re.compile(r'(\w+)\.(?:"([^"]+)"|(\w+)) = (?:"([^"]+)"|(\w+))')
"""`flight.ORIGIN = Code`, either column in quotes where it has blanks."""

HEAD = re.compile(r"([A-Z]+)-([12])(?: in ([^,]+))?(?:, comparing (\w+))?")
"""`CC-2 in lines, comparing servings`."""

TABLE = "write ALIAS = TABLE, or ALIAS = TABLE on EARLIER.COLUMN = COLUMN"
QUESTION = "write three lines: `CNT-1 in UNIT`, `? TEXT`, `= QUERY`"


Source = tuple[str, str, tuple[tuple[str, str], ...]]
"""Alias, table, and the pairs of columns that join it to an earlier alias; none where a query may begin."""


def read_templates(text: str, database: str, file: str) -> tuple[Template, ...]:
    """Return the templates of a text, in its order.

    Args:
        text: In the notation of docs/templates.md.
        database: Whose templates these are.
        file: Its name, for errors.

    Raises:
        BuildError: A line breaks the notation; the error says which, and what may stand there.
    """
    lines = read_lines(text, file)
    starts = [place for place, line in enumerate(lines) if HEAD.fullmatch(line.text)]
    if not starts:
        raise BuildError("the file holds no question", where=file, fix=QUESTION)
    sources = [_source(line) for line in lines[: starts[0]]]
    ends = [*starts[1:], len(lines)]
    found = [_template(lines[start:end], database, sources) for start, end in zip(starts, ends, strict=True)]
    names: set[str] = set()
    for template, start in zip(found, starts, strict=True):
        if template.name in names:
            raise BuildError(
                f"{template.name} stands twice", where=lines[start].where, fix="number them 1 and 2"
            )
        names.add(template.name)
    return tuple(found)


def _source(line: Line) -> Source:
    match = SOURCE.fullmatch(line.text)
    parts = match["on"].split(" and ") if match and match["on"] else []
    pairs = [pair.groups() for part in parts if (pair := PAIR.fullmatch(part))]
    if not match or len(pairs) < len(parts):
        raise BuildError(f"a table cannot be read: {line.text}", where=line.where, fix=TABLE)
    on = tuple((f"{alias}.{left or blank}", right or plain) for alias, blank, left, right, plain in pairs)
    return match["alias"], match["table"], on


def _template(lines: Sequence[Line], database: str, sources: Sequence[Source]) -> Template:
    head, *rest = lines
    if [line.text[:2] for line in rest] != ["? ", "= "]:
        marked = zip(rest, ("? ", "= "), strict=False)
        wrong = next((line for line, mark in marked if line.text[:2] != mark), lines[min(3, len(rest))])
        raise BuildError(f"a question cannot be read: {wrong.text}", where=wrong.where, fix=QUESTION)
    kind, number, unit, contrast = HEAD.fullmatch(head.text).groups()  # type: ignore[union-attr]
    asked, meant = (line.text[2:] for line in rest)
    query, parameters = read_query(meant, lambda words: _link(words, sources), rest[1].where)
    _check_holes(asked, parameters, contrast, rest[0].where)
    return Template(
        database=database,
        subcategory=_subcategory(kind, head.where),
        number=1 if number == "1" else 2,
        text=asked,
        query=query,
        parameters=parameters,
        contrast=contrast or "",
        unit=unit or "",
    )


def _subcategory(word: str, where: str) -> Subcategory:
    for subcategory in SUBCATEGORIES:
        if subcategory == word:
            return subcategory
    raise BuildError(f"no subcategory `{word}`", where=where, fix=did_you_mean(word, SUBCATEGORIES))


def _link(words: Sequence[str], sources: Sequence[Source]) -> tuple[str, str, tuple[Join, ...]]:
    """Return first table, its alias and joins: of several lines for one alias, the first that fits."""
    first, *rest = words
    table = next((table for alias, table, on in sources if alias == first and not on), None)
    if table is None:
        raise LookupError(f"no line says which table `{first}` is, without `on`")
    joined: dict[str, Join] = {}
    for word in rest:
        there = {first, *joined}
        fitting = (
            Join(table=table, alias=alias, on=on)
            for alias, table, on in sources
            if alias == word and on and all(left.partition(".")[0] in there for left, _ in on)
        )
        if (join := next(fitting, None)) is None:
            raise LookupError(f"no line joins `{word}` to {', '.join(there)}")
        joined[word] = join
    return table, first, tuple(joined.values())


def _check_holes(text: str, parameters: Sequence[Parameter], contrast: str | None, where: str) -> None:
    try:
        holes = {name for _, name, _, _ in Formatter().parse(text) if name is not None}
    except ValueError as error:
        raise BuildError(f"the text cannot be read: {error}", where=where, fix="close every brace") from error
    needed = {parameter.name for parameter in parameters}
    if contrast:
        needed = needed - {contrast} | {"a", "b"}
    if contrast and contrast not in {parameter.name for parameter in parameters}:
        raise BuildError(f"`{contrast}` is no parameter", where=where, fix="compare a parameter of the query")
    if holes != needed:
        raise BuildError(
            f"the text has {_braced(holes)}, and its query {_braced(needed)}",
            where=where,
            fix="name each parameter of the query in the text; {a} and {b} stand for the compared one",
        )


def _braced(names: set[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(names)) or "no parameter"
