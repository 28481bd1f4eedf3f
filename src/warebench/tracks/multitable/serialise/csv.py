"""Comma-separated values after RFC 4180, with line feeds at line ends.

NULL is nothing and an empty text is `""`. A text is quoted where it holds a comma, a quote or a line end;
line ends within quotes stay as they are.
"""

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from warebench.tracks.multitable.serialise.cells import TEXT, cell_texts, fill, is_text, join
from warebench.tracks.multitable.serialise.layout import Layout


def _head(columns: Sequence[str]) -> str:
    return ",".join(_quote(pa.array(columns, TEXT)).to_pylist()) + "\n"


def _rows(batch: pa.RecordBatch) -> pa.Array:
    return join(join(*(_cells(column) for column in batch.columns), between=","), "\n")


def _cells(column: pa.Array) -> pa.Array:
    texts = cell_texts(column)
    if is_text(column.type):
        texts = _quote(texts)
    return fill(texts, "")


def _quote(texts: pa.Array) -> pa.Array:
    special = pc.match_substring_regex(texts, r'[,"\n\r]|^$')
    if not pc.any(special).as_py():
        return texts
    quoted = join('"', pc.replace_substring(texts, '"', '""'), '"')
    return pc.if_else(special, quoted, texts)


CSV = Layout(name="csv", head=_head, rows=_rows)
