"""Every format gives back every cell, read by readers that are not ours where the format has one."""

import csv
import io
import json
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from html.parser import HTMLParser

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warebench.catalog.model import Catalog, Column, Table
from warebench.engine.database import Database
from warebench.errors import BuildError
from warebench.tracks.multitable.serialise import FORMATS, serialise

Grid = list[list[str | None]]


def database_of(tables: dict[str, pa.Table]) -> Database:
    specs = [
        Table(name=name, columns=tuple(Column(name=column) for column in table.column_names))
        for name, table in tables.items()
    ]
    return Database(catalog=Catalog(name="shop", tables=tuple(specs)), tables=tables)


def split(text: str, heading: str = r"^## (.*)\n\n") -> dict[str, str]:
    """Return the body of each table; a heading inside a quoted cell is not looked for here."""
    parts = re.split(heading, text, flags=re.MULTILINE)[1:]
    bodies = dict(zip(parts[::2], parts[1::2], strict=True))
    last = list(bodies)[-1]
    return {name: body if name == last else body.removesuffix("\n") for name, body in bodies.items()}


def read_markdown(body: str) -> Grid:
    def cell(text: str) -> str | None:
        text = text.removeprefix(" ").removesuffix(" ")
        if text in {"", '""'}:
            return None if text == "" else ""
        return re.sub(r"\\(.)", lambda match: {"n": "\n", "r": "\r"}.get(match[1], match[1]), text)

    lines = body.split("\n")
    assert lines.pop() == ""
    rows = [[cell(text) for text in re.findall(r"\|((?:[^\\|]|\\.)*)(?=\|)", line)] for line in lines]
    assert all(row == ["---"] * len(row) for row in rows[1:2])
    return [rows[0], *rows[2:]]


def read_csv(body: str) -> Grid:
    """Python's reader, told of NULL by a mark that stands where no quotes do."""
    marked = re.sub(r'("(?:[^"]|"")*")|(?<![^,\n])(?=[,\n])', lambda m: m[1] or "\0", body)
    rows = csv.reader(io.StringIO(marked, newline=""), strict=True)
    return [[None if cell == "\0" else cell for cell in row] for row in rows]


def read_json(body: str) -> Grid:
    def text(value: object) -> str | None:
        if isinstance(value, bool):
            return str(value).lower()
        return value if value is None else str(value)

    rows = json.loads(body, parse_float=str, parse_int=str)
    head: list[str | None] = list(rows[0]) if rows else []
    return [head, *([text(value) for value in row.values()] for row in rows)]


class Cells(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.rows: Grid = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr":
            self.rows.append([])
        if tag in {"td", "th"}:
            self.rows[-1].append(None)
        if tag == "q":
            self.rows[-1][-1] = ""

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1] and self.lasttag in {"td", "th"} and data != "\n":
            self.rows[-1][-1] = (self.rows[-1][-1] or "") + data


def read_html(body: str) -> Grid:
    reader = Cells()
    reader.feed(body)
    reader.close()
    return reader.rows


READERS: dict[str, Callable[[str], Grid]] = {
    "markdown": read_markdown,
    "csv": read_csv,
    "json": read_json,
    "html": read_html,
}

texts = st.text(
    st.sampled_from('|\\"\n\r\t,&<>`# nré€𝄞0\x0b\u2028') | st.characters(codec="utf-8"), max_size=8
)
rows_of_texts = st.lists(st.tuples(st.none() | texts, st.none() | texts), min_size=1, max_size=6)


@pytest.mark.parametrize("form", FORMATS)
@settings(max_examples=150, deadline=None)
@given(rows=rows_of_texts, name=texts.filter(lambda text: text not in {"", "b"}))
def test_any_text_comes_back(form: str, rows: list[tuple[str | None, str | None]], name: str) -> None:
    if "\0" in "".join(cell or "" for row in [(name, ""), *rows] for cell in row):
        return  # our CSV reader marks NULL with it
    columns = [pa.array(column, pa.string()) for column in zip(*rows, strict=True)]
    written = serialise(database_of({"t": pa.table(columns, names=[name, "b"])}), form)
    body = written.removeprefix("## t\n\n")
    assert READERS[form](body) == [[name, "b"], *map(list, rows)]


TYPED = pa.table(
    {
        "whole": pa.array([12345678901234567, -1, None], pa.int64()),
        "price": pa.array([Decimal("1234567.89"), Decimal("0.10"), None], pa.decimal128(18, 2)),
        "tiny": pa.array([Decimal("0.0000000001"), Decimal(0), None], pa.decimal128(18, 10)),
        "ratio": pa.array([37.775431, 1e-7, float("inf")], pa.float64()),
        "half": pa.array([0.1, 3.0, None], pa.float32()),
        "day": pa.array([date(2024, 2, 29), date(1, 1, 1), None]),
        "at": pa.array(["2024-01-02 03:04", "2024-01-02 03:04:05.1023", None]).cast(pa.timestamp("us")),
        "zoned": pa.array(
            [datetime(2024, 1, 2, tzinfo=UTC)] * 2 + [None], pa.timestamp("us", "Europe/Berlin")
        ),
        "hour": pa.array([time(10, 0), time(23, 59, 59, 500), None], pa.time64("us")),
        "open": pa.array([True, False, None]),
        "blob": pa.array([b"\x00\xff|", b"", None], pa.binary()),
        "for": pa.array([timedelta(days=1, seconds=1), timedelta(0), None], pa.duration("us")),
        "kind": pa.array(["a|b", "", None]).dictionary_encode(),
        "tags": pa.array([["x", "ä"], [], None], pa.list_(pa.string())),
        "nothing": pa.nulls(3),
    }
)
EXPECTED: Grid = [
    [
        *["12345678901234567", "1234567.89", "0.0000000001", "37.775431", "0.1", "2024-02-29"],
        *["2024-01-02 03:04:00", "2024-01-02 01:00:00+01:00", "10:00:00", "true", "00ff7c", "1 day, 0:00:01"],
        *["a|b", '["x", "ä"]', None],
    ],
    [
        *["-1", "0.10", "0.0000000000", "1e-07", "3.0", "0001-01-01"],
        *["2024-01-02 03:04:05.1023", "2024-01-02 01:00:00+01:00", "23:59:59.0005", "false", "", "0:00:00"],
        *["", "[]", None],
    ],
    [None, None, None, "inf", *[None] * 11],
]


@pytest.mark.parametrize("form", FORMATS)
def test_every_type_is_written_in_full(form: str) -> None:
    read = READERS[form](split(serialise(database_of({"t": TYPED}), form))["t"])
    assert read == [TYPED.column_names, *EXPECTED]


def test_markdown_reads_like_this() -> None:
    table = pa.table({"id": [1, 2], "a|b": ["x|y\nz", None], "order": ["", '""']})
    assert serialise(database_of({"select": table, "empty one": table.slice(0, 0)}), "markdown") == (
        "## select\n\n"
        "| id | a\\|b | order |\n"
        "| --- | --- | --- |\n"
        '| 1 | x\\|y\\nz | "" |\n'
        '| 2 |  | \\"\\" |\n'
        "\n"
        "## empty one\n\n"
        "| id | a\\|b | order |\n"
        "| --- | --- | --- |\n"
    )


def test_csv_json_and_html_read_like_this() -> None:
    database = database_of(
        {"t": pa.table({"id": [1, 2], "a<b": ['say "hi"', None], "r": [0.5, float("nan")]})}
    )
    assert serialise(database, "csv") == '## t\n\nid,a<b,r\n1,"say ""hi""",0.5\n2,,nan\n'
    assert serialise(database, "json") == (
        '## t\n\n[\n{"id": 1, "a<b": "say \\"hi\\"", "r": 0.5},\n{"id": 2, "a<b": null, "r": "nan"}\n]\n'
    )
    assert serialise(database, "html") == (
        "## t\n\n<table>\n<tr><th>id</th><th>a&lt;b</th><th>r</th></tr>\n"
        '<tr><td>1</td><td>say "hi"</td><td>0.5</td></tr>\n'
        "<tr><td>2</td><td></td><td>nan</td></tr>\n</table>\n"
    )


@pytest.mark.parametrize("form", FORMATS)
def test_tables_follow_the_catalog_and_rows_their_order(form: str) -> None:
    chunks = [pa.table({"n": [3, 1]}), pa.table({"n": [2]})]
    tables = {"b c": pa.concat_tables(chunks), "a": pa.table({"n": pa.array([], pa.int64())})}
    bodies = split(serialise(database_of(tables), form))
    assert list(bodies) == ["b c", "a"]
    assert READERS[form](bodies["b c"]) == [["n"], ["3"], ["1"], ["2"]]
    assert READERS[form](bodies["a"])[1:] == []


@pytest.mark.parametrize("form", FORMATS)
def test_long_tables_are_written_whole(form: str) -> None:
    bodies = split(serialise(database_of({"t": pa.table({"n": range(40_000)})}), form))
    assert [row[0] for row in READERS[form](bodies["t"])[1:]] == [str(n) for n in range(40_000)]


def test_unknown_format_is_refused() -> None:
    with pytest.raises(BuildError, match="no table format `markdwon`") as caught:
        serialise(database_of({"t": TYPED}), "markdwon")
    assert caught.value.fix == "Did you mean `markdown`?"


def test_table_without_columns_is_refused() -> None:
    with pytest.raises(BuildError, match="'bare' has no columns"):
        serialise(database_of({"bare": pa.table({})}), "csv")
