"""Tables as text: what each representation says, and that tokens of texts add up."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.budget.mini import CATALOGS, mini_set

from warebench.catalog.model import Catalog, Column, ForeignKey, Table
from warebench.catalog.tokens import TOKENIZERS, count_tokens
from warebench.sql.namespace import PooledTable, bare_names
from warebench.tracks.budget.represent import REPRESENTATIONS, bare, make_texts, prefixed, render
from warebench.tracks.budget.represent.values import LONGEST_VALUE, sample_values
from warebench.tracks.budget.schema import pool_schema
from warebench.tracks.budget.subject import open_subject

RAW = {
    "shop.customers": "shop.customers(id, name, city)\n",
    "shop.order lines": 'shop."order lines"(id, customer_id, amount, product)\n',
    "clinic.visits": "clinic.visits(patient_id, day, diagnosis)\n",
}
ENRICHED = {
    "shop.customers": """\
shop.customers(
  id INTEGER PRIMARY KEY e.g. 1, 2, 3
  name VARCHAR e.g. 'N1', 'N2', 'N3' -- full name of the customer
  city VARCHAR e.g. 'Oslo', 'Lima', 'Rome'
)
""",
    "clinic.visits": """\
clinic.visits(
  patient_id INTEGER REFERENCES clinic.customers(id) e.g. 1, 2, 3
  day INTEGER e.g. 0, 1, 2
  diagnosis VARCHAR e.g. 'D0', 'D1', 'D2'
  PRIMARY KEY (patient_id, day)
)
""",
    "archive.box_0": "archive.box_0(\n  shelf\n  label_0\n)\n",
}
HYBRID = {
    "shop.order lines": """\
shop."order lines"(
  id INTEGER PRIMARY KEY e.g. 1, 2, 3
  customer_id INTEGER REFERENCES shop.customers(id) e.g. 8, 15, 22
  amount, product
)
""",
    "archive.box_0": "archive.box_0(\n  shelf, label_0\n)\n",
}


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
@pytest.mark.parametrize(
    ("representation", "expected"), [("raw", RAW), ("enriched", ENRICHED), ("hybrid", HYBRID)]
)
def test_what_each_representation_says(dialect, representation, expected):
    subject = open_subject(mini_set(dialect))
    texts = subject.texts(representation).texts
    for name, text in expected.items():
        assert texts[subject.schema.numbers[name]] == text


def test_the_unprefixed_form_has_no_database_in_it():
    subject = open_subject(mini_set())
    texts = "".join(subject.texts("enriched", "unprefixed").texts)
    assert "customers_3(id)" in texts
    for catalog in CATALOGS:
        assert f"{catalog.name}." not in texts


def test_a_hidden_table_is_named_by_no_reference():
    schema = pool_schema(CATALOGS)
    lines = schema.tables[schema.numbers["shop.order lines"]]
    hidden = {PooledTable("shop", "customers")}
    for representation in REPRESENTATIONS:
        assert "customers" not in render(lines, representation, prefixed, {}, hidden)


def test_values_that_are_no_use_are_left_out():
    column = [None, "", "x" * (LONGEST_VALUE + 1), "a\nb", "it's", "it's", "b", "c", "d"]
    catalog = Catalog(name="d", tables=(Table(name="t", columns=(Column(name="c", type="VARCHAR"),)),))
    import pyarrow as pa

    from warebench.engine.database import Database
    from warebench.questions.assemble import assemble
    from warebench.tracks.budget.files import PoolFiles

    made = assemble(
        track="budget",
        profile="",
        seed=0,
        parameters={"dialect": "duckdb"},
        catalogs=[catalog],
        questions=[],
        databases={"d": Database(catalog=catalog, tables={"t": pa.table({"c": column})})},
    )
    assert sample_values(made, PoolFiles(made, "duckdb")) == {"d.t": {"c": ("'it''s'", "'b'", "'c'")}}


names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)
tables = st.builds(
    lambda name, columns, kind, note: Table(
        name=name,
        columns=tuple(Column(name=column, type=kind, description=note) for column in columns),
        primary_key=tuple(columns[:1]),
    ),
    names,
    st.lists(names, unique=True, max_size=4),
    st.sampled_from(["", "INTEGER", "VARCHAR (20)", "/", "\n"]),
    st.sampled_from(["", "a note)\n", "/ /", "it's"]) | names,
)


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@given(made=st.lists(tables, min_size=1, max_size=5, unique_by=lambda table: table.name.lower()))
@settings(max_examples=150, deadline=None)
def test_tokens_of_texts_add_up(tokenizer, made):
    catalog = Catalog(name="d", tables=tuple(made))
    for naming in (prefixed, bare(bare_names([catalog]))):
        for representation in REPRESENTATIONS:
            texts = [
                render(table, representation, naming, {"a": ("'x'",)})
                for table in pool_schema([catalog]).tables
            ]
            assert count_tokens("".join(texts), tokenizer) == sum(
                count_tokens(text, tokenizer) for text in texts
            )


def test_texts_know_their_tokens():
    schema = pool_schema(CATALOGS)
    made = make_texts(schema, "enriched", prefixed, {})
    assert made.total == count_tokens("".join(made.texts), "o200k_base")


def test_keys_without_columns_and_of_several_are_written():
    catalog = Catalog(
        name="d",
        tables=(
            Table(name="p", columns=(Column(name="a"), Column(name="b")), primary_key=("a", "b")),
            Table(name="c", columns=(Column(name="x"), Column(name="y"))),
        ),
        foreign_keys=(
            ForeignKey(child="c", parent="p", child_columns=("x", "y"), parent_columns=("a", "b")),
            ForeignKey(child="c", parent="p", name="vague"),
        ),
    )
    text = render(pool_schema([catalog]).tables[1], "enriched", prefixed)
    assert "FOREIGN KEY (x, y) REFERENCES d.p(a, b)\n" in text
    assert "FOREIGN KEY REFERENCES d.p\n" in text
