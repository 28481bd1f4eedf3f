"""Fields and expressions of Ossie documents."""

from collections.abc import Mapping
from typing import Any

from warebench.catalog.model import Table
from warebench.errors import KnowledgeError
from warebench.tracks.intelligence.knowledge.kinds import MOMENTS, kind_of_type
from warebench.tracks.intelligence.knowledge.relation import find_type
from warebench.tracks.intelligence.readers.datasets import Dataset, Field, parse_sql, plain_column
from warebench.tracks.intelligence.readers.model import Lost

DIALECTS: Mapping[str, str] = {
    "ANSI_SQL": "",
    "OSSIE_SQL_2026": "",
    "SNOWFLAKE": "snowflake",
    "DATABRICKS": "databricks",
    "BIGQUERY": "bigquery",
}
"""Dialect of Ossie to sqlglot's, in the order in which expressions are preferred."""

TEMPORAL = ("Date", "DateTime", "DateTimeTz")


def expression_of(expression: Any) -> tuple[str, str]:
    """Return text and sqlglot dialect of an expression.

    Raises:
        Lost: It has no dialect that can be read.
    """
    entries = expression.get("dialects") if isinstance(expression, dict) else None
    if not isinstance(entries, list) or not entries:
        raise Lost("expression", "there are no `dialects`")
    said = {str(item.get("dialect", "ANSI_SQL")): str(item.get("expression", "")) for item in entries}
    for name, dialect in DIALECTS.items():
        if name in said:
            return said[name], dialect
    raise Lost(f"dialect {', '.join(said)}", f"known: {', '.join(DIALECTS)}")


def read_field(entry: Mapping[str, Any], table: Table) -> Field:
    """Return a field; one that cannot be read says why, and is refused where it is used."""
    name = str(entry.get("name"))
    try:
        text, dialect = expression_of(entry.get("expression"))
        sql = parse_sql(text, dialect).sql("duckdb")
    except Lost as error:
        return Field(name=name, sql="", lost=error.construct)
    return Field(name=name, sql=sql, time=_is_time(entry) and _holds_moments(table, name, sql))


def _is_time(entry: Mapping[str, Any]) -> bool:
    said = (entry.get("dimension") or {}).get("is_time")
    return said is True or (said is None and entry.get("datatype") in TEMPORAL)


def _holds_moments(table: Table, name: str, sql: str) -> bool:
    """A time role may also be played by years or names of months: those are categories."""
    try:
        column = plain_column(Dataset(name=table.name, table=table, prefix=name), sql)
    except KnowledgeError:
        return False
    return kind_of_type(find_type(table, column)) in MOMENTS
