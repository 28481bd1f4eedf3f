"""JSON: an array for each table, an object for each row, one row a line.

NULL is `null`. Integers, decimals and finite floats are numbers with all their digits; `nan`, `inf` and
`-inf`, which JSON has no numbers for, are strings, and so is every other type but booleans.
"""

import json
from collections.abc import Iterator, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from warebench.tracks.multitable.serialise.cells import cell_texts, fill, is_number, is_text, join
from warebench.tracks.multitable.serialise.layout import Layout

ESCAPES = (("\\", r"\\"), ('"', r"\""), ("\n", r"\n"), ("\r", r"\r"), ("\t", r"\t"))
CONTROLS = r"[\x00-\x1f]"


def _head(columns: Sequence[str]) -> str:
    return "[\n"


def _rows(batch: pa.RecordBatch) -> pa.Array:
    return join(*_parts(batch), "}")


def _parts(batch: pa.RecordBatch) -> Iterator[str | pa.Array]:
    """Yield names and cells in turn."""
    opening = "{"
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        yield f"{opening}{json.dumps(name, ensure_ascii=False)}: "
        yield fill(_cells(column), "null")
        opening = ", "


def _cells(column: pa.Array) -> pa.Array:
    texts = cell_texts(column)
    if pa.types.is_floating(column.type):
        return pc.if_else(pc.is_finite(column), texts, _quote(texts))
    if is_number(column.type) or pa.types.is_boolean(column.type):
        return texts
    return _quote(_escape(texts) if is_text(column.type) else texts)


def _quote(texts: pa.Array) -> pa.Array:
    return join('"', texts, '"')


def _escape(texts: pa.Array) -> pa.Array:
    if not pc.any(pc.match_substring_regex(texts, r'[\\"\x00-\x1f]')).as_py():
        return texts
    for plain, escaped in ESCAPES:
        texts = pc.replace_substring(texts, plain, escaped)
    if not pc.any(pc.match_substring_regex(texts, CONTROLS)).as_py():
        return texts
    for code in range(0x20):
        texts = pc.replace_substring(texts, chr(code), f"\\u{code:04x}")
    return texts


JSON = Layout(name="json", head=_head, rows=_rows, between=",\n", tail="\n]\n")
