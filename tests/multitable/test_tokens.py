"""The lengths of Markdown rows add up to the length of the database, in both tokenizers."""

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warebench.catalog.model import Catalog, Column, Table
from warebench.catalog.tokens import TOKENIZERS, count_tokens, find_tokenizer
from warebench.engine.database import Database
from warebench.errors import BuildError
from warebench.tracks.multitable.sampling.source import prepare
from warebench.tracks.multitable.sampling.tokens import gap_tokens
from warebench.tracks.multitable.serialise import serialise

# What the tokenizers' patterns tell apart: letters by case, marks, digits, symbols, blanks, contractions.
NASTY = [
    *"|/\\#-'\" \t\n\r\x0b\x0c\x85\xa0\u2003\u2028\u3000aAéßƻ\u0301ǅあ1२Ⅷ_.!😀\x1c\x00",
    "'s",
    "'LL",
    " |",
    "|\n",
]
texts = st.lists(st.sampled_from(NASTY) | st.characters(codec="utf-8"), max_size=6).map("".join)
cells = st.none() | texts


def database_of(*tables: pa.Table) -> Database:
    specs = [
        Table(name=f"t{number}", columns=tuple(Column(name=name) for name in table.column_names))
        for number, table in enumerate(tables)
    ]
    names = [spec.name for spec in specs]
    return Database(
        catalog=Catalog(name="d", tables=tuple(specs)), tables=dict(zip(names, tables, strict=True))
    )


def sum_of_parts(database: Database, tokenizer: str) -> int:
    source = prepare(database, tokenizer)
    rows = range(database.rows)
    source.count_rows(rows)
    return source.empty_tokens + source.tokens(rows)


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@settings(max_examples=150, deadline=None)
@given(
    rows=st.lists(st.tuples(cells, cells), max_size=5),
    names=st.tuples(texts, texts).filter(lambda n: n[0] != n[1]),
)
def test_parts_add_up(
    tokenizer: str, rows: list[tuple[str | None, str | None]], names: tuple[str, str]
) -> None:
    columns = [pa.array([row[side] for row in rows], pa.string()) for side in (0, 1)]
    first, second = pa.table(columns, names=names), pa.table(columns[:1], names=names[:1])
    database = database_of(first, second, first.slice(0, 0))
    assert sum_of_parts(database, tokenizer) == count_tokens(serialise(database, "markdown"), tokenizer)


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_no_character_at_the_edges_of_a_cell_merges_rows(tokenizer: str) -> None:
    edges = [chr(code) for code in range(0x250)] + [chr(code) for code in range(0x2000, 0x2070)]
    table = pa.table({"a": edges, "b": [edge * 3 for edge in reversed(edges)]})
    database = database_of(table, table)
    assert sum_of_parts(database, tokenizer) == count_tokens(serialise(database, "markdown"), tokenizer)


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_other_layouts_would_not_add_up(tokenizer: str) -> None:
    """The property is one of the rows' shape, not of the tokenizers."""
    count = find_tokenizer(tokenizer)
    assert count("!!\n") + count("\n!!") != count("!!\n\n!!")
    assert gap_tokens(count) == 0


def test_control_tokens_are_text() -> None:
    assert count_tokens("<|endoftext|>") > 1


def test_long_texts_are_counted() -> None:
    assert count_tokens("!" * 2_000_000) > 100_000


def test_the_tokenizers_differ() -> None:
    text = "Zürich | 12345 | наука"
    assert count_tokens(text, "cl100k_base") != count_tokens(text, "o200k_base")


def test_unknown_tokenizer_is_refused() -> None:
    with pytest.raises(BuildError, match="no tokenizer `cl100k`") as caught:
        count_tokens("a", "cl100k")
    assert "cl100k_base" in caught.value.fix
