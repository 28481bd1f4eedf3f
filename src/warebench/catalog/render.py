"""A catalog as text: what a model or a person reads. Equal catalogs give equal text.

Lineage is always written `downstream derives from upstream`, a foreign key `child references parent`.
"""

import re
from collections.abc import Collection, Iterator

import msgspec

from warebench.catalog.model import Catalog, ForeignKey, Table
from warebench.errors import CatalogError, did_you_mean

PLAIN_COLUMN = re.compile(r"[^\W\d]\w*")
"""customer_id: one word that does not begin with a digit."""
PLAIN_TABLE = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
"""Sales.Customer: such words with dots between."""


def to_text(catalog: Catalog, *, tables: Collection[str] | None = None) -> str:
    """Return the catalog as the flat text of the method flat_text.

    Three sections, one line per thing; a name that is not plain words stands in double quotes::

        # Tables
        orders(id INTEGER NOT NULL, customer_id INTEGER) primary key (id)
        # Foreign keys
        orders(customer_id) references customers(id)
        # Lineage
        sales_mart derives from orders

    Args:
        catalog: The catalog.
        tables: Tables to restrict it to, with the edges whose both ends are among them; all if None.

    Raises:
        CatalogError: `tables` names an unknown table.
    """
    part = restrict(catalog, tables)
    sections = (
        ("# Tables", [_table_line(table) for table in part.tables]),
        ("# Foreign keys", [_key_line(key) for key in part.foreign_keys]),
        ("# Lineage", [f"{_name(e.downstream)} derives from {_name(e.upstream)}" for e in part.lineage]),
    )
    return "\n".join(line for title, lines in sections for line in (title, *(lines or ["(none)"]))) + "\n"


def to_ddl(catalog: Catalog, *, tables: Collection[str] | None = None) -> str:
    """Return the catalog as standard SQL; the ddl reader reads tables and keys back unchanged.

    Every name is quoted. Lineage, and keys whose columns are unknown, stand in comments.

    Args:
        catalog: The catalog.
        tables: As for `to_text`.

    Raises:
        CatalogError: `tables` names an unknown table.
    """
    part = restrict(catalog, tables)
    keys: dict[str, list[ForeignKey]] = {}
    for key in part.foreign_keys:
        keys.setdefault(key.child, []).append(key)
    blocks = [_create_table(table, keys.get(table.name, [])) for table in part.tables]
    notes = [
        f"-- {_quote(key.child)} references {_quote(key.parent)}"
        for key in part.foreign_keys
        if not key.child_columns
    ]
    notes += [f"-- {_quote(e.downstream)} derives from {_quote(e.upstream)}" for e in part.lineage]
    return "\n\n".join(blocks + (["\n".join(notes)] if notes else [])) + "\n"


def to_mermaid(catalog: Catalog, *, tables: Collection[str] | None = None) -> str:
    """Return the catalog as a Mermaid entity-relationship diagram.

    Solid lines are foreign keys (crow's foot at the child), dotted lines lineage.

    Args:
        catalog: The catalog.
        tables: As for `to_text`.

    Raises:
        CatalogError: `tables` names an unknown table.
    """
    part = restrict(catalog, tables)
    ids = {table.name: f"t{number}" for number, table in enumerate(part.tables)}
    lines = ["erDiagram"]
    foreign = {(key.child, column) for key in part.foreign_keys for column in key.child_columns}
    for table in part.tables:
        lines += _entity(table, ids[table.name], foreign)
    for key in part.foreign_keys:
        label = f"references by {', '.join(key.child_columns)}" if key.child_columns else "references"
        lines.append(f"    {ids[key.child]} }}o--|| {ids[key.parent]} : {_mermaid_text(label)}")
    for edge in part.lineage:
        lines.append(f'    {ids[edge.downstream]} }}o..o{{ {ids[edge.upstream]} : "derives from"')
    return "\n".join(lines) + "\n"


def restrict(catalog: Catalog, tables: Collection[str] | None) -> Catalog:
    """Return the catalog with these tables only and the edges that have both ends among them.

    Raises:
        CatalogError: `tables` names an unknown table.
    """
    if tables is None:
        return catalog
    kept = set(tables)
    for name in sorted(kept.difference(catalog.table_names)):
        raise CatalogError(
            f"unknown table {name!r}",
            where=f"catalog {catalog.name}",
            fix=did_you_mean(name, catalog.table_names),
        )
    return msgspec.structs.replace(
        catalog,
        tables=tuple(table for table in catalog.tables if table.name in kept),
        foreign_keys=tuple(key for key in catalog.foreign_keys if {key.child, key.parent} <= kept),
        lineage=tuple(edge for edge in catalog.lineage if {edge.downstream, edge.upstream} <= kept),
    )


def _name(table: str) -> str:
    return table if PLAIN_TABLE.fullmatch(table) else _quote(table)


def _column(name: str) -> str:
    return name if PLAIN_COLUMN.fullmatch(name) else _quote(name)


def _columns(names: Collection[str]) -> str:
    return f"({', '.join(_column(name) for name in names)})" if names else ""


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _type(text: str) -> str:
    """Return a type on one line: a source may break it over several."""
    return " ".join(text.split())


def _table_line(table: Table) -> str:
    columns = [
        " ".join(filter(None, (_column(c.name), _type(c.type), "" if c.nullable else "NOT NULL")))
        for c in table.columns
    ]
    key = f" primary key {_columns(table.primary_key)}" if table.primary_key else ""
    return _name(table.name) + (f"({', '.join(columns)})" if columns else "") + key


def _key_line(key: ForeignKey) -> str:
    child = _name(key.child) + _columns(key.child_columns)
    return f"{child} references {_name(key.parent)}{_columns(key.parent_columns)}"


def _create_table(table: Table, keys: Collection[ForeignKey]) -> str:
    lines = list(_elements(table, keys))
    body = "\n  " + ",\n  ".join(lines) + "\n" if lines else ""
    return f"CREATE TABLE {_quote(table.name)} ({body});"


def _elements(table: Table, keys: Collection[ForeignKey]) -> Iterator[str]:
    for column in table.columns:
        null = "" if column.nullable else "NOT NULL"
        yield " ".join(filter(None, (_quote(column.name), _type(column.type), null)))
    if table.primary_key:
        yield f"PRIMARY KEY {_quoted_list(table.primary_key)}"
    for key in keys:
        if key.child_columns:
            name = f"CONSTRAINT {_quote(key.name)} " if key.name else ""
            yield (
                f"{name}FOREIGN KEY {_quoted_list(key.child_columns)}"
                f" REFERENCES {_quote(key.parent)} {_quoted_list(key.parent_columns)}"
            )


def _quoted_list(names: Collection[str]) -> str:
    return f"({', '.join(_quote(name) for name in names)})"


def _entity(table: Table, entity: str, foreign: Collection[tuple[str, str]]) -> Iterator[str]:
    label = f"{entity}[{_mermaid_text(table.name)}]"
    if not table.columns:
        yield f"    {label}"
        return
    yield f"    {label} {{"
    for column in table.columns:
        is_key = (column.name in table.primary_key, (table.name, column.name) in foreign)
        marks = [mark for mark, holds in zip(("PK", "FK"), is_key, strict=True) if holds]
        words = (_mermaid_word(column.type or "unknown"), _mermaid_word(column.name), ", ".join(marks))
        yield "        " + " ".join(filter(None, words))
    yield "    }"


def _mermaid_word(text: str) -> str:
    """Return text as an attribute word, which Mermaid keeps to ASCII letters, digits, - and _."""
    word = re.sub(r"[^A-Za-z0-9_]+", "_", text).strip("_")
    return word if word[:1].isalpha() else f"c_{word}"


def _mermaid_text(text: str) -> str:
    """Return text in double quotes, with the characters Mermaid would interpret as entities."""
    for char, entity in (("#", "#35;"), ('"', "#quot;"), ("%", "#37;"), ("`", "#96;")):
        text = text.replace(char, entity)
    return f'"{text}"'
