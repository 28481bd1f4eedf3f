"""Tables as metric files describe them, and the relation of a metric that reads several of them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from warebench.catalog.model import Catalog, Table
from warebench.errors import KnowledgeError
from warebench.tracks.intelligence.knowledge.expressions import parse_expression
from warebench.tracks.intelligence.knowledge.grammar import read_formula
from warebench.tracks.intelligence.knowledge.kinds import MOMENTS, kind_of_type
from warebench.tracks.intelligence.knowledge.model import Calendar, Dimension, Join, Relation
from warebench.tracks.intelligence.knowledge.relation import find_type, reach, resolve_relation
from warebench.tracks.intelligence.readers.model import Lost

ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """Something of a row that can be filtered or grouped by."""

    name: str
    sql: str
    label: str = ""
    time: bool = False
    lost: str = ""
    """Construct that keeps it from being read; empty when it can be."""


@dataclass(frozen=True, slots=True)
class Link:
    """A way from each row to one row of another dataset at most."""

    name: str
    """Entity or relationship."""
    to: str
    on: tuple[tuple[str, str], ...]
    """(own column, column of the other)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """A table under the name a metric file gives it."""

    name: str
    table: Table
    prefix: str
    """What ids of its dimensions begin with."""
    fields: Mapping[str, Field] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    dialect: str = "duckdb"


@dataclass(slots=True)
class Widened:
    """A relation under construction: joins are added as they are needed."""

    datasets: Mapping[str, Dataset]
    base: Dataset
    joins: dict[tuple[Link, ...], Join] = field(default_factory=dict)

    def alias(self, way: tuple[Link, ...]) -> str:
        """Return what the dataset at the end of a way is called, joined where it is not there yet."""
        if not way:
            return safe_name(self.base.name)
        if way not in self.joins:
            before = self.alias(way[:-1])
            taken = [self.alias(()), *(join.name for join in self.joins.values())]
            plain = safe_name(way[-1].to)
            alias = plain if plain not in taken else f"{before}_{safe_name(way[-1].name)}"
            on = tuple((f"{before}.{own}", other) for own, other in way[-1].on)
            self.joins[way] = Join(table=self.datasets[way[-1].to].table.name, alias=alias, on=on)
        return self.joins[way].name

    def end(self, way: tuple[Link, ...]) -> Dataset:
        """Return the dataset at the end of a way."""
        return self.datasets[way[-1].to] if way else self.base

    def sql(self, way: tuple[Link, ...], text: str) -> str:
        """Return an expression over the dataset at the end of a way, as the metric's relation spells it."""
        return qualify(text, self.end(way), self.alias(way))

    def kind(self, column: exp.Column) -> str:
        """Return the kind of a qualified column."""
        for way in ((), *self.joins):
            if self.alias(way) == column.table:
                return kind_of_type(find_type(self.end(way).table, column.name))
        return "any"

    def relation(self, where: Sequence[str]) -> Relation:
        """Return the relation with its conditions."""
        return Relation(
            table=self.base.table.name,
            alias=self.alias(()),
            joins=tuple(self.joins.values()),
            where=tuple(dict.fromkeys(where)),
        )


def safe_name(text: str) -> str:
    """Return a name in lower case letters, digits and _."""
    plain = re.sub(r"\W+", "_", text.strip().lower(), flags=re.ASCII).strip("_") or "x"
    return plain if not plain[0].isdigit() and plain not in ("value", "period", "units") else f"the_{plain}"


def spoken(name: str) -> str:
    """Return a name in words."""
    return " ".join(name.replace("_", " ").split())


def match_table(catalog: Catalog, *names: str) -> Table:
    """Return the table of one of some names, exact ones first, then in any case.

    Raises:
        Lost: There is none, or there are several.
    """
    for fold in (str, str.casefold):
        for name in names:
            found = [table for table in catalog.tables if fold(table.name) == fold(name)]
            if len(found) == 1:
                return found[0]
            if found:
                raise Lost("table", f"several tables are called `{name}` but for their case")
    raise Lost("table", f"the database has no table `{names[0]}` (a view is none: materialise it)")


def match_column(table: Table, name: str) -> str:
    """Return a column of a table, spelled as the database spells it.

    Raises:
        Lost: There is none.
    """
    names = [column.name for column in table.columns]
    if name in names:
        return name
    close = [column for column in names if column.casefold() == name.casefold()]
    if len(close) != 1:
        raise Lost("column", f"table `{table.name}` has no column `{name}`")
    return close[0]


def parse_sql(text: str, dialect: str) -> exp.Expr:
    """Return the tree of an expression.

    Raises:
        Lost: It cannot be parsed.
    """
    try:
        return sqlglot.parse_one(text, dialect=dialect)
    except (SqlglotError, RecursionError) as error:
        raise Lost("unsupported SQL", f"`{text}` cannot be parsed") from error


def qualify(text: str, dataset: Dataset, alias: str) -> str:
    """Return an expression over a dataset with every column as `alias.column`, in DuckDB's dialect.

    Raises:
        Lost: It cannot be parsed, reads another table, or leaves the language of knowledge bases.
    """
    own = {dataset.name.casefold(), dataset.table.name.casefold()}

    def spell(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Column):
            return node
        if node.table and node.table.casefold() not in own:
            raise Lost("unsupported SQL", f"`{text}` reads `{node.sql()}` of another table")
        return column_of(alias, match_column(dataset.table, node.name))

    # A tree that replaces another is not walked through: days first, columns in a second walk.
    tree = parse_sql(text, dataset.dialect)
    days = tree.transform(lambda node: exp.cast(node.this, "date") if _cuts_to_day(node) else node)
    return to_text(days.transform(spell))


def column_of(alias: str, name: str) -> exp.Column:
    """Return the tree of a column."""
    quoted = not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII)
    return exp.column(exp.to_identifier(name, quoted=quoted), exp.to_identifier(alias))


def to_text(tree: exp.Expr) -> str:
    """Return an expression as knowledge bases write it.

    Raises:
        Lost: It leaves their language.
    """
    text = tree.sql("duckdb")
    try:
        parse_expression(text)
        read_formula(text)
    except KnowledgeError as error:
        raise Lost("unsupported SQL", error.what) from error
    return text


def with_days(tree: exp.Expr, relation: Widened) -> exp.Expr:
    """Return a condition in which texts that moments are compared with are days."""

    def moment(node: exp.Expr) -> bool:
        node = node.unnest()
        if isinstance(node, exp.Column):
            return relation.kind(node) in MOMENTS
        return isinstance(node, exp.Cast) and node.to.is_type("date")

    def spell(node: exp.Expr) -> exp.Expr:
        parent = node.parent
        if not (node.is_string and ISO_DAY.fullmatch(node.name) and isinstance(parent, exp.Predicate)):
            return node
        sides = [item for item in parent.iter_expressions() if item is not node]
        return exp.cast(node.copy(), "date") if any(map(moment, sides)) else node

    return tree.transform(spell)


def plain_column(dataset: Dataset, sql: str) -> str:
    """Return the column that an expression is, a truncation to days apart.

    Raises:
        Lost: It is something else.
    """
    tree = parse_sql(sql, dataset.dialect)
    if _cuts_to_day(tree) or (isinstance(tree, exp.Cast) and tree.to.is_type("date")):
        tree = tree.this
    if not isinstance(tree, exp.Column) or tree.table.casefold() not in ("", dataset.name.casefold()):
        raise Lost("computed expression", f"`{sql}` is no column")
    return match_column(dataset.table, tree.name)


def _cuts_to_day(tree: exp.Expr) -> bool:
    return isinstance(tree, exp.DateTrunc | exp.TimestampTrunc) and tree.text("unit").upper() == "DAY"


def calendar_of(table: Table, column: str) -> Calendar:
    """Return how a column stores moments.

    Raises:
        Lost: It stores none.
    """
    match kind_of_type(find_type(table, column)):
        case "date":
            return "date"
        case "timestamp":
            return "timestamp"
        case kind:
            raise Lost("time dimension", f"column `{column}` of `{table.name}` holds {kind}s, not moments")


def make_dimension(dataset: Dataset, item: Field) -> Dimension:
    """Return the dimension of a field.

    Raises:
        Lost: The field is computed, or a time that the database stores otherwise.
    """
    if item.lost:
        raise Lost(item.lost, "dimensions have one value for a row at all times")
    column = plain_column(dataset, item.sql)
    return Dimension(
        id=f"{dataset.prefix}__{safe_name(item.name)}",
        table=dataset.table.name,
        column=column,
        kind="temporal" if item.time else "categorical",
        label=item.label or spoken(item.name),
        calendar=calendar_of(dataset.table, column) if item.time else "",
    )


def widen(relation: Widened, catalog: Catalog, dimensions: Sequence[Dimension]) -> None:
    """Join what leads to dimensions that no foreign key of the database leads to."""
    for way in _ways(relation):
        table = relation.end(way).table.name
        for dimension in dimensions:
            if dimension.table == table and not _reached(relation, catalog, dimension):
                relation.alias(way)
                break


def _ways(relation: Widened) -> Iterator[tuple[Link, ...]]:
    """Yield a shortest way to every dataset, where there is one alone."""
    level: list[tuple[Link, ...]] = [()]
    seen = {relation.base.name}
    while level:
        steps = [(*way, link) for way in level for link in relation.end(way).links if link.to not in seen]
        ends = [way[-1].to for way in steps]
        level = [way for way in steps if ends.count(way[-1].to) == 1]
        seen |= set(ends)
        yield from level


def _reached(relation: Widened, catalog: Catalog, dimension: Dimension) -> bool:
    try:
        reach(resolve_relation(relation.relation(()), catalog), catalog, dimension)
    except KnowledgeError:
        return False
    return True
