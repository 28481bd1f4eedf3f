"""One table as text, in each representation."""

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Literal, assert_never

from warebench.catalog.model import Column, ForeignKey
from warebench.sql.namespace.pool import PooledTable
from warebench.tracks.budget.represent.naming import Naming, plain
from warebench.tracks.budget.schema import SchemaTable

Representation = Literal["raw", "enriched", "hybrid"]
REPRESENTATIONS: dict[Representation, str] = {
    "raw": "the names of the table and its columns",
    "enriched": "types, keys, a few values and a description of every column",
    "hybrid": "the same of key columns, and the names of all others",
}
"""Ways to write a table (BudgetSchemaBench, section 3); budgets are shares of the pool in `enriched`."""

NO_VALUES: Mapping[str, tuple[str, ...]] = MappingProxyType({})


def render(
    table: SchemaTable,
    representation: Representation,
    naming: Naming,
    values: Mapping[str, tuple[str, ...]] = NO_VALUES,
    hidden: Collection[PooledTable] = (),
) -> str:
    r"""Return one table; the text begins with its name and ends with `)` and a line end.

    Because of these ends the tokens of several texts one after another are the sum of theirs: both
    tokenizers cut there whatever follows, as a name begins with a letter, `_` or `"`.

    Args:
        table: The table.
        representation: How much is said of it.
        naming: What tables are called.
        values: Values to show, by column.
        hidden: Tables that no reference may name.

    Example:
        >>> from warebench.catalog.model import Column, Table
        >>> from warebench.tracks.budget.represent.naming import prefixed
        >>> orders = Table(name="orders", columns=(Column(name="id"), Column(name="total")))
        >>> shop = SchemaTable(pooled=PooledTable("shop", "orders"), table=orders)
        >>> render(shop, "raw", prefixed)
        'shop.orders(id, total)\n'
    """
    name, columns = naming(table.pooled), table.table.columns
    match representation:
        case "raw":
            return f"{name}({_names(columns)})\n"
        case "enriched":
            told, rest = columns, columns[:0]
        case "hybrid":
            keys = {*table.table.primary_key, *(name for key in table.keys for name in key.child_columns)}
            told = tuple(column for column in columns if column.name in keys)
            rest = tuple(column for column in columns if column.name not in keys)
        case _:
            assert_never(representation)
    lines = [_line(table, column, naming, values, hidden) for column in told]
    lines += [_names(rest)] if rest else []
    lines += _composite(table, naming, hidden)
    return "\n".join([f"{name}(", *(f"  {line}" for line in lines), ")\n"])


def _names(columns: Collection[Column]) -> str:
    return ", ".join(plain(column.name) for column in columns)


def _line(
    table: SchemaTable,
    column: Column,
    naming: Naming,
    values: Mapping[str, tuple[str, ...]],
    hidden: Collection[PooledTable],
) -> str:
    words = [plain(column.name), " ".join(column.type.split())]
    if table.table.primary_key == (column.name,):
        words.append("PRIMARY KEY")
    for key in _visible(table, hidden):
        if key.child_columns == (column.name,):
            words.append(f"REFERENCES {_parent(table, key, naming)}")
    if shown := values.get(column.name):
        words.append(f"e.g. {', '.join(shown)}")
    if column.description:
        words.append(f"-- {' '.join(column.description.split())}")
    return " ".join(word for word in words if word)


def _composite(table: SchemaTable, naming: Naming, hidden: Collection[PooledTable]) -> Iterator[str]:
    """Yield the keys of several columns, and those whose columns are unknown."""
    if len(table.table.primary_key) > 1:
        yield f"PRIMARY KEY ({', '.join(map(plain, table.table.primary_key))})"
    for key in _visible(table, hidden):
        if len(key.child_columns) != 1:
            own = f"({', '.join(map(plain, key.child_columns))}) " if key.child_columns else ""
            yield f"FOREIGN KEY {own}REFERENCES {_parent(table, key, naming)}"


def _visible(table: SchemaTable, hidden: Collection[PooledTable]) -> list[ForeignKey]:
    return [key for key in table.keys if table.sibling(key.parent) not in hidden]


def _parent(table: SchemaTable, key: ForeignKey, naming: Naming) -> str:
    columns = f"({', '.join(map(plain, key.parent_columns))})" if key.parent_columns else ""
    return naming(table.sibling(key.parent)) + columns
