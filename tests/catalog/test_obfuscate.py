import re
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from warebench.catalog import Catalog, Column, ForeignKey, LineageEdge, Table, validate
from warebench.catalog.obfuscate import obfuscate
from warebench.catalog.render import to_ddl, to_mermaid, to_text
from warebench.catalog.spelling import canonical

LEVELS = pytest.mark.parametrize("level", ["tables", "columns"])
# Words of the rendering itself: a table called so cannot be told from them.
BOILERPLATE = {
    "create",
    "table",
    "tables",
    "primary",
    "foreign",
    "key",
    "keys",
    "references",
    "derives",
    "from",
}
BOILERPLATE |= {"not", "null", "none", "constraint", "lineage", "by", "pk", "fk", "int", "integer", "text"}
BOILERPLATE |= {"erdiagram", "unknown", "o", "varchar"}

names = st.text(alphabet=st.sampled_from("abAB_. é\"'x9-"), min_size=1, max_size=6).filter(
    lambda name: name.strip() and name.casefold() not in BOILERPLATE
)


column_names = st.sampled_from([f"c{number}" for number in range(9)])


@st.composite
def catalogs(draw, words=names):
    tables = draw(st.lists(names, min_size=1, max_size=6, unique_by=canonical))
    columns = {table: draw(st.lists(words, max_size=4, unique_by=str.casefold)) for table in tables}
    types = st.sampled_from(["INTEGER", "VARCHAR", "", *tables])
    keys = []
    for child, parent in draw(
        st.lists(st.tuples(st.sampled_from(tables), st.sampled_from(tables)), max_size=6)
    ):
        width = min(len(columns[child]), len(columns[parent]), draw(st.integers(0, 2)))
        keys.append(
            ForeignKey(
                child=child,
                parent=parent,
                child_columns=tuple(columns[child][:width]),
                parent_columns=tuple(columns[parent][:width]),
                name=draw(st.sampled_from(["", f"fk_{parent}"])),
            )
        )
    pairs = draw(
        st.lists(st.tuples(st.sampled_from(tables), st.sampled_from(tables)), max_size=6, unique=True)
    )
    return validate(
        Catalog(
            name=draw(names),
            tables=tuple(
                Table(
                    name=table,
                    database=draw(st.sampled_from(["", "dw", tables[0]])),
                    columns=tuple(Column(name=column, type=draw(types)) for column in columns[table]),
                    primary_key=tuple(columns[table][:1]),
                )
                for table in tables
            ),
            foreign_keys=tuple(dict.fromkeys(keys)),
            lineage=tuple(LineageEdge(downstream=a, upstream=b) for a, b in pairs if a != b),
            source="somewhere",
        )
    )


def whole_word(name, text):
    return re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", text.casefold()) is not None


@settings(max_examples=60, deadline=None)
@given(catalogs(), st.sampled_from(["tables", "columns"]))
def test_is_an_isomorphism(catalog, level):
    twin = obfuscate(catalog, level)
    validate(twin.catalog)
    tables, columns = twin.tables, twin.columns
    assert [tables[name] for name in catalog.table_names] == list(twin.catalog.table_names)
    assert len(set(tables.values())) == len(tables)
    assert [(e.downstream, e.upstream) for e in twin.catalog.lineage] == [
        (tables[e.downstream], tables[e.upstream]) for e in catalog.lineage
    ]
    assert [(k.child, k.parent, k.child_columns, k.parent_columns) for k in twin.catalog.foreign_keys] == [
        (
            tables[k.child],
            tables[k.parent],
            tuple(columns[k.child][c] for c in k.child_columns),
            tuple(columns[k.parent][c] for c in k.parent_columns),
        )
        for k in catalog.foreign_keys
    ]
    for table, copy in zip(catalog.tables, twin.catalog.tables, strict=True):
        assert [columns[table.name][c.name] for c in table.columns] == [c.name for c in copy.columns]
        assert [c.nullable for c in table.columns] == [c.nullable for c in copy.columns]


@settings(max_examples=60, deadline=None)
@given(catalogs(column_names), st.sampled_from(["tables", "columns"]))
def test_leaves_no_original_name(catalog, level):
    twin = obfuscate(catalog, level).catalog
    text = (
        to_text(twin) + to_ddl(twin) + to_mermaid(twin) + " ".join((twin.name, *twin.databases, twin.source))
    )
    vanishing = {*catalog.table_names, catalog.name, *catalog.databases}
    if level == "columns":
        vanishing |= {column.name for table in catalog.tables for column in table.columns}
    for name in sorted(vanishing):
        # A name without a letter or digit (`.`, `-`) is punctuation to any reader.
        if re.search(r"\w", name):
            assert not whole_word(name, text), name


@settings(max_examples=30, deadline=None)
@given(catalogs(), st.sampled_from(["tables", "columns"]))
def test_no_new_name_equals_or_begins_another(catalog, level):
    twin = obfuscate(catalog, level)
    fresh = sorted(twin.tables.values())
    if level == "columns":
        fresh += sorted(name for renamed in twin.columns.values() for name in renamed.values())
    originals = {*catalog.table_names, *(c.name for t in catalog.tables for c in t.columns)}
    assert len(set(fresh)) == len(fresh)
    assert not any(a != b and b.startswith(a) for a in fresh for b in fresh)
    assert {name.casefold() for name in fresh}.isdisjoint(name.casefold() for name in originals)


@LEVELS
def test_drops_what_would_tell(shop, level):
    twin = obfuscate(shop, level).catalog
    assert re.fullmatch(r"Catalog_[A-Z]{3}", twin.name)
    assert twin.source == ""
    assert re.fullmatch(r"key_[A-Z]{3}", twin.foreign_keys[0].name)
    assert twin.foreign_keys[1].name == ""
    assert [key.evidence for key in twin.foreign_keys] == [key.evidence for key in shop.foreign_keys]
    assert len(set(twin.databases)) == 2
    assert all(re.fullmatch(r"Database_[A-Z]{3}", name) for name in twin.databases)


def test_levels_differ_in_columns_only(shop):
    tables, columns = obfuscate(shop, "tables"), obfuscate(shop, "columns")
    assert tables.tables == columns.tables
    assert tables.columns["order details"]["line no"] == "line no"
    assert tables.catalog.tables[1].primary_key == ("id", "line no")
    assert re.fullmatch(r"col_[A-Z]{3}", columns.columns["order details"]["line no"])
    # `id` stands in two tables: one name for both would give the join away.
    assert columns.columns["Sales.Customer"]["id"] != columns.columns["order details"]["id"]


def test_types_stay_unless_they_tell():
    columns = tuple(
        Column(name=f"c{number}", type=kind)
        for number, kind in enumerate(["date", "DECIMAL(8, 2)", "XML(Sales.Survey)", "dbo.Flag", "c1[]"])
    )
    catalog = Catalog(
        name="c", tables=(Table(name="Sales.Order", columns=columns), Table(name="date"), Table(name="dbo.x"))
    )
    kinds = [column.type for column in obfuscate(catalog, "tables").catalog.tables[0].columns]
    assert kinds[:2] == ["date", "DECIMAL(8, 2)"]
    assert re.fullmatch(r"Type_[A-Z]{3}", kinds[2])
    assert re.fullmatch(r"Type_[A-Z]{3}", kinds[3])
    assert kinds[4] == "c1[]"
    assert obfuscate(catalog, "columns").catalog.tables[0].columns[4].type.startswith("Type_")


def test_depends_on_the_content_alone(shop):
    assert obfuscate(shop, "tables") == obfuscate(replace(shop, source="elsewhere"), "tables")
    assert obfuscate(shop, "tables").tables != obfuscate(replace(shop, name="shop2"), "tables").tables


def test_names_avoid_those_already_there(shop):
    taken = obfuscate(shop, "tables").tables["mart"]
    trap = replace(shop, tables=(*shop.tables, Table(name=taken.lower())))
    fresh = obfuscate(trap, "tables").tables.values()
    assert taken not in fresh
    assert len(set(fresh)) == 4


@pytest.mark.parametrize("seed", ["0", "1"])
def test_same_bytes_in_every_process(shop, seed, tmp_path):
    code = (
        "from warebench.catalog import Catalog, Table\n"
        "from warebench.catalog.obfuscate import obfuscate\n"
        "print(obfuscate(Catalog(name='c', tables=tuple(Table(name=n) for n in 'abcdef')), 'columns').tables)"
    )
    printed = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
    )
    here = obfuscate(Catalog(name="c", tables=tuple(Table(name=n) for n in "abcdef")), "columns").tables
    assert printed.stdout.strip() == str(here)


def test_ten_thousand_tables_get_distinct_names():
    catalog = Catalog(name="big", tables=tuple(Table(name=f"t{number}") for number in range(10_000)))
    fresh = obfuscate(catalog, "tables").tables.values()
    assert len(set(fresh)) == 10_000
    assert {len(name) for name in fresh} == {len("Table_") + 4}


@LEVELS
def test_descriptions_are_dropped(level):
    column = Column(name="c", description="number of orders")
    catalog = Catalog(name="shop", tables=(Table(name="t", columns=(column,)),))
    assert obfuscate(catalog, level).catalog.tables[0].columns[0].description == ""
