"""HTML tables without attributes, one line a row.

NULL is an empty cell and an empty text is an empty quotation, `<q></q>`. The three characters of markup and
line ends are written as entities, so that every row stays on its line.
"""

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from warebench.tracks.multitable.serialise.cells import TEXT, cell_texts, fill, is_text, join
from warebench.tracks.multitable.serialise.layout import Layout

ESCAPES = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\n", "&#10;"), ("\r", "&#13;"))
EMPTY = "<q></q>"


def _head(columns: Sequence[str]) -> str:
    names = _escape(pa.array(columns, TEXT)).to_pylist()
    return f"<table>\n<tr>{''.join(f'<th>{name}</th>' for name in names)}</tr>\n"


def _rows(batch: pa.RecordBatch) -> pa.Array:
    cells = [_cells(column) for column in batch.columns]
    return join("<tr><td>", join(*cells, between="</td><td>"), "</td></tr>\n")


def _cells(column: pa.Array) -> pa.Array:
    texts = cell_texts(column)
    if is_text(column.type):
        texts = _escape(texts)
    return fill(texts, "")


def _escape(texts: pa.Array) -> pa.Array:
    if not pc.any(pc.match_substring_regex(texts, r"[&<>\n\r]|^$")).as_py():
        return texts
    for plain, escaped in ESCAPES:
        texts = pc.replace_substring(texts, plain, escaped)
    return pc.if_else(pc.equal(texts, ""), pa.scalar(EMPTY, TEXT), texts)


HTML = Layout(name="html", head=_head, rows=_rows, tail="</table>\n")
