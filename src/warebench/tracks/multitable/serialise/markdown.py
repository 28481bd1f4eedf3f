r"""Markdown tables, one line a row.

NULL is an empty cell and an empty text is `""`. Within texts and names, a backslash is `\\`, a pipe `\|`,
a line feed `\n` and a carriage return `\r`; a text that is itself `""` is `\"\"`. One blank stands on both
sides of a cell and is not part of it: every other blank is.
"""

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from warebench.tracks.multitable.serialise.cells import TEXT, cell_texts, fill, is_text, join
from warebench.tracks.multitable.serialise.layout import Layout

ESCAPES = (("\\", r"\\"), ("|", r"\|"), ("\n", r"\n"), ("\r", r"\r"))
EMPTY = '""'
QUOTED_EMPTY = r"\"\""


def _head(columns: Sequence[str]) -> str:
    names = _escape(pa.array(columns, TEXT)).to_pylist()
    return f"| {' | '.join(names)} |\n|{' --- |' * len(names)}\n"


def _rows(batch: pa.RecordBatch) -> pa.Array:
    cells = [_cells(column) for column in batch.columns]
    return join("| ", join(*cells, between=" | "), " |\n")


def _cells(column: pa.Array) -> pa.Array:
    texts = cell_texts(column)
    if is_text(column.type):
        texts = _escape(texts)
    return fill(texts, "")


def _escape(texts: pa.Array) -> pa.Array:
    # Most columns hold nothing to escape, and one look tells.
    if not pc.any(pc.match_substring_regex(texts, r'[\\|\n\r]|^""$|^$')).as_py():
        return texts
    for plain, escaped in ESCAPES:
        texts = pc.replace_substring(texts, plain, escaped)
    texts = pc.if_else(pc.equal(texts, EMPTY), pa.scalar(QUOTED_EMPTY, TEXT), texts)
    return pc.if_else(pc.equal(texts, ""), pa.scalar(EMPTY, TEXT), texts)


MARKDOWN = Layout(name="markdown", head=_head, rows=_rows)
