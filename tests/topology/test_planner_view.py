"""Reading a schema text is the inverse of rendering it."""

import itertools

import msgspec
import pytest
from hypothesis import given
from tests.graph.schemas import catalogs
from tests.topology.sample import CATALOG

from warebench.catalog.bundled import load_bundled
from warebench.catalog.model import Catalog, Column, ForeignKey, LineageEdge, Table
from warebench.catalog.render import to_text
from warebench.tracks.topology.methods.chunks import cut
from warebench.tracks.topology.planner.view import read_schema

ODD = (
    "order lines",
    'a "quoted" one',
    "x(y) references z",
    "Sales.Ord er",
    "b derives from c",
    "9lives",
    "ä.ß",
)


def edges_of(catalog):
    keys = {(key.child, key.parent) for key in catalog.foreign_keys}
    return keys, {(edge.downstream, edge.upstream) for edge in catalog.lineage}


def assert_seen(catalog, text):
    view = read_schema(text)
    assert sorted(view.tables) == sorted(catalog.table_names)
    assert (set(view.keys.edges), set(view.lineage.edges)) == edges_of(catalog)


def odd_catalog():
    column = Column(name='odd) references "x"', type="DECIMAL(10, 2)")
    return Catalog(
        name="odd",
        tables=tuple(Table(name=name, columns=(column,), primary_key=(column.name,)) for name in ODD),
        foreign_keys=tuple(
            ForeignKey(
                child=child, parent=parent, child_columns=(column.name,), parent_columns=(column.name,)
            )
            for child, parent in itertools.pairwise(ODD)
        ),
        lineage=tuple(LineageEdge(downstream=d, upstream=u) for d, u in zip(ODD[2:], ODD, strict=False)),
    )


@given(catalog=catalogs())
def test_random_schemas(catalog):
    assert_seen(catalog, to_text(catalog))


@pytest.mark.parametrize("name", ["adventureworks", "omop_cdm"])
def test_bundled_schemas(name):
    catalog = load_bundled(name)
    assert_seen(catalog, to_text(catalog))


def test_odd_names():
    assert_seen(odd_catalog(), to_text(odd_catalog()))


@pytest.mark.parametrize("catalog", [CATALOG, odd_catalog()], ids=["sample", "odd"])
def test_all_chunks_together_show_everything(catalog):
    assert_seen(catalog, "\n\n".join(cut(catalog)))


def test_one_chunk_shows_its_own_edges():
    chunk = next(chunk for chunk in cut(CATALOG) if chunk.startswith("customer("))
    assert edges_of(CATALOG)[0] & set(read_schema(chunk).keys.edges) == {
        ("order", "customer"), ("customer", "region"), ("ticket", "customer"),
    }  # fmt: skip


def test_tables_without_columns_are_seen():
    bare = msgspec.structs.replace(CATALOG, tables=tuple(Table(name=name) for name in CATALOG.table_names))
    assert_seen(bare, to_text(bare))
