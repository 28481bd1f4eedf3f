"""Bring tables that were read from elsewhere under the catalog of a twin."""

from collections.abc import Mapping

import msgspec
import pyarrow as pa

from warebench.catalog.model import Catalog, Table
from warebench.engine.database import Database
from warebench.engine.decimals import to_floats
from warebench.errors import SourceError, did_you_mean
from warebench.worlds.synthetic.columns import to_schema


def conform(tables: Mapping[str, pa.Table], catalog: Catalog, where: str) -> Database:
    """Return the tables with the columns and types of a catalog; other tables and columns are left out.

    Args:
        tables: Rows by the table names of the catalog.
        catalog: Of the twin; the database gets it, with another `source`.
        where: What was read, for errors and for `source`.

    Raises:
        SourceError: A table or column is missing, or a column or cell does not fit the published type.
    """
    found = {spec.name: _conform_table(tables, spec, where) for spec in catalog.tables}
    return Database(catalog=msgspec.structs.replace(catalog, source=where), tables=found)


def _conform_table(tables: Mapping[str, pa.Table], spec: Table, where: str) -> pa.Table:
    if spec.name not in tables:
        hint = did_you_mean(spec.name, tables) or "give the whole data set"
        raise SourceError(f"there is no table `{spec.name}`", where=where, fix=hint)
    rows, schema = tables[spec.name], to_schema(spec)
    missing = [name for name in schema.names if name not in rows.column_names]
    if missing:
        raise SourceError(
            f"table `{spec.name}` has no column `{missing[0]}`",
            where=where,
            fix=did_you_mean(missing[0], rows.column_names) or "give the file as it was published",
        )
    columns = [_cast(rows[field.name], field, f"{where}, table {spec.name}") for field in schema]
    return pa.table(columns, schema=schema)


def _cast(values: pa.ChunkedArray, field: pa.Field, where: str) -> pa.ChunkedArray:
    if values.null_count < len(values) and not _means_the_same(values.type, field.type):
        raise SourceError(
            f"column `{field.name}` holds {values.type}, and the published one {field.type}",
            where=where,
            fix="store the column as it was published: the bank's days are whole numbers such as 970131",
        )
    try:
        cast = to_floats(values) if pa.types.is_floating(field.type) else values.cast(field.type)
    except pa.ArrowInvalid as error:
        raise SourceError(
            f"column `{field.name}` cannot be read as {field.type}: {str(error).splitlines()[0]}",
            where=where,
            fix="give the file as it was published",
        ) from error
    if cast.null_count and not field.nullable:
        raise SourceError(
            f"column `{field.name}` lacks {cast.null_count} values",
            where=where,
            fix="give the file as it was published",
        )
    return cast


def _means_the_same(stored: pa.DataType, published: pa.DataType) -> bool:
    """Return whether a cell keeps its meaning: Arrow casts a date to the number of days since 1970."""
    if pa.types.is_string(stored) or stored == published:
        return True
    if pa.types.is_string(published):
        return bool(pa.types.is_integer(stored))
    if pa.types.is_timestamp(published):
        return bool(pa.types.is_temporal(stored) and not pa.types.is_time(stored))
    numbers = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)
    return any(applies(stored) for applies in numbers)
