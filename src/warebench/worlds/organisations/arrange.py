"""Catalog and rows of an organisation, from a layout and the rows of its domain."""

from collections.abc import Iterator, Mapping

import pyarrow as pa

from warebench.catalog.model import Catalog, Column, ForeignKey, Table
from warebench.catalog.validate import validate
from warebench.engine.database import Database
from warebench.worlds.organisations.domain import ColumnSpec, TableSpec
from warebench.worlds.organisations.layout import REST, Layout
from warebench.worlds.organisations.recipes import RECIPES

SOURCE = "made by warebench: an invented organisation"


def describe_layout(name: str, layout: Layout) -> Catalog:
    """Return the catalog of a layout, parents before children.

    Args:
        name: Of the database.
        layout: Where its columns are.
    """
    catalog = Catalog(
        name=name,
        tables=tuple(_table(layout, stored) for stored in layout.names),
        foreign_keys=tuple(_foreign_keys(layout)),
        source=SOURCE,
    )
    return validate(catalog)


def arrange(name: str, layout: Layout, rows: Database) -> Database:
    """Return a database of a layout.

    Args:
        name: Of the database.
        layout: Where its columns are.
        rows: Of its domain, in canonical names.
    """
    catalog = describe_layout(name, layout)
    tables = {}
    for stored, table in zip(layout.names, catalog.tables, strict=True):
        arrays = {
            column: _array(layout, rows, stored, *origin) for column, origin in _origins(layout, stored)
        }
        tables[table.name] = pa.table({column.name: arrays[column.name] for column in table.columns})
    return Database(catalog=catalog, tables=tables)


def _origins(layout: Layout, stored: str) -> Iterator[tuple[str, tuple[TableSpec, ColumnSpec]]]:
    """Yield the columns of a stored table, each with the canonical column that it holds."""
    own = stored.removesuffix(REST)
    for table, places in layout.places.items():
        spec = layout.domain.tables[table]
        for column in spec.columns:
            place = places.get(column.name)
            if place and (place.table == stored or (table == own and column.name == spec.key)):
                yield place.column, (spec, column)


def _array(layout: Layout, rows: Database, stored: str, spec: TableSpec, column: ColumnSpec) -> pa.Array:
    values = rows.tables[spec.name][column.name]
    if spec.name == stored.removesuffix(REST):
        return values
    child = layout.domain.tables[layout.merged[spec.name]]
    link = next(item.name for item in child.references if item.parent == spec.name)
    # Keys count from one.
    return values.take(_positions(rows.tables[child.name][link]))


def _positions(keys: pa.ChunkedArray) -> pa.Array:
    return pa.array(keys.to_numpy() - 1)


def _table(layout: Layout, stored: str) -> Table:
    own = layout.domain.tables[stored.removesuffix(REST)]
    columns = tuple(
        Column(name=name, type=RECIPES[column.recipe[0]].type, nullable=bool(column.missing))
        for name, (_, column) in _origins(layout, stored)
    )
    return Table(name=layout.names[stored], columns=columns, primary_key=(_key(layout, own.name),))


def _foreign_keys(layout: Layout) -> Iterator[ForeignKey]:
    for stored in layout.names:
        own = stored.removesuffix(REST)
        if stored != own:
            yield _foreign_key(layout.names, stored, _key(layout, own), own, _key(layout, own))
            continue
        for column in layout.domain.tables[own].references:
            if place := layout.places[own].get(column.name):
                yield _foreign_key(
                    layout.names, own, place.column, column.parent, _key(layout, column.parent)
                )


def _foreign_key(names: Mapping[str, str], child: str, column: str, parent: str, key: str) -> ForeignKey:
    return ForeignKey(
        child=names[child], parent=names[parent], child_columns=(column,), parent_columns=(key,)
    )


def _key(layout: Layout, table: str) -> str:
    return layout.places[table][layout.domain.tables[table].key].column
