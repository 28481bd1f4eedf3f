"""A chain of 100,000 tables: nothing recurses, nothing is quadratic."""

import itertools

import pytest

from warebench.catalog.model import Catalog, ForeignKey, LineageEdge, Table
from warebench.graph.build import SchemaGraph, build_graph
from warebench.graph.impact import combined_impact
from warebench.graph.lineage import closure, closure_layers, lineage_cycles
from warebench.graph.paths import shortest_paths, walkable
from warebench.graph.silos import silos

SIZE = 100_000


@pytest.fixture(scope="module")
def chain() -> SchemaGraph:
    names = [f"t{number:06}" for number in range(SIZE)]
    return build_graph(
        Catalog(
            name="chain",
            tables=tuple(Table(name=name) for name in names),
            foreign_keys=tuple(ForeignKey(child=a, parent=b) for a, b in itertools.pairwise(names)),
            lineage=tuple(LineageEdge(downstream=b, upstream=a) for a, b in itertools.pairwise(names)),
        )
    )


def test_closure(chain):
    assert len(closure(chain, "t000000", "downstream")) == SIZE - 1
    assert len(closure_layers(chain, "t000000", "downstream", limit=10)) == 11


def test_impact_reaches_the_end(chain):
    found = combined_impact(chain, "t000000", direction="undirected", depth=None, from_table=False)
    assert len(found) == SIZE - 1


def test_path_from_end_to_end(chain):
    found = shortest_paths(chain, walkable(chain, "undirected"), "t000000", f"t{SIZE - 1:06}")
    assert found is not None
    assert found.hops == SIZE - 1


def test_one_silo_without_cycles(chain):
    assert len(silos(chain)) == 1
    assert lineage_cycles(chain) == ()
