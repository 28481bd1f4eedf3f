"""What code_agent's Python finds: the tables as one file, and a preamble that loads them into pandas."""

import importlib.util
import json
from datetime import date, datetime, time
from decimal import Decimal

import pyarrow as pa

from warebench.engine.database import Database

TABLES_FILE = "tables.json"

PACKAGES = tuple(
    name
    for name in ("numpy", "scipy", "pandas", "dateutil", "six", "pytz")
    if importlib.util.find_spec(name) is not None
)
"""Import names visible to the code: pandas, what it needs, and what analysts use beside it."""

PREAMBLE = f'''\
import json

import numpy as np
import pandas as pd

with open("{TABLES_FILE}", encoding="utf-8") as _file:
    _tables = json.load(_file)

TABLES = {{
    _name: pd.DataFrame(
        {{_column: pd.array(_cells, dtype=_dtype) for _column, _dtype, _cells in _table}}
    )
    for _name, _table in _tables.items()
}}
'''


def tables_file(database: Database) -> bytes:
    """Return the content of TABLES_FILE: table name to a list of [column, pandas dtype, cells].

    Decimals become floats, dates and times ISO text, bytes hexadecimal digits; a missing value is null.
    """
    content = {
        name: [
            [column, _dtype(cells.type), [_plain(cell) for cell in cells.to_pylist()]]
            for column, cells in zip(table.column_names, table.columns, strict=True)
        ]
        for name, table in database.tables.items()
    }
    return json.dumps(content, ensure_ascii=False).encode()


def _dtype(kind: pa.DataType) -> str:
    if pa.types.is_integer(kind):
        return "Int64" if kind != pa.uint64() else "UInt64"
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return "float64"
    return "boolean" if pa.types.is_boolean(kind) else "object"


def _plain(cell: object) -> object:
    match cell:
        case Decimal():
            return float(cell)
        case date() | time() | datetime():
            return cell.isoformat()
        case bytes():
            return cell.hex()
        case None | bool() | int() | float() | str():
            return cell
        case _:
            return json.dumps(cell, ensure_ascii=False, default=str)
