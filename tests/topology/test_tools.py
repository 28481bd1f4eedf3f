"""The nine tools: what they return, how they are described, and that no name brings them down."""

import asyncio
import json
from itertools import pairwise

import pytest
from inspect_ai.tool import ToolDef
from tests.topology.sample import CATALOG, PIPELINE, SHOP

from warebench.catalog.model import Catalog, ForeignKey, LineageEdge, Table
from warebench.tracks.topology.methods import toolbox
from warebench.tracks.topology.methods.toolbox import MOST_COMPONENTS, MOST_NAMES, open_toolbox
from warebench.tracks.topology.methods.tools import TOOLS, describe, make_tools
from warebench.tracks.topology.semantics import DEFAULT, Semantics

CLINIC = Catalog(
    name="clinic",
    tables=tuple(Table(name=name) for name in ("Hr.Person", "Care.Visit", "Care.Person", "Care.Note")),
    foreign_keys=(
        ForeignKey(child="Care.Visit", parent="Care.Person"),
        ForeignKey(child="Care.Note", parent="Care.Visit"),
        ForeignKey(child="Care.Note", parent="Care.Note"),
    ),
    lineage=(LineageEdge(downstream="Hr.Person", upstream="Care.Person"),),
)


FAR = Semantics(impact_fk_depth=None)
"""Keys followed without limit; by default tools follow them as far as gold does, one."""


def use(catalog, tool, semantics=DEFAULT, **arguments):
    tools = {ToolDef(made).name: made for made in make_tools(open_toolbox(catalog, semantics))}
    return json.loads(asyncio.run(tools[tool](**arguments)))


def chain(length, name="t"):
    names = [f"{name}{number:05d}" for number in range(length)]
    keys = (ForeignKey(child=a, parent=b) for a, b in pairwise(names))
    edges = (LineageEdge(downstream=a, upstream=b) for a, b in pairwise(names))
    return Catalog(
        name="chain", tables=tuple(map(table, names)), foreign_keys=tuple(keys), lineage=tuple(edges)
    )


def table(name):
    return Table(name=name)


def test_the_nine_tools_of_the_paper():
    paper = """shortest_path connected_components get_component_of get_fk_neighbors get_lineage_forward
    get_lineage_reverse transitive_lineage check_fk_adjacency list_tables"""
    assert list(TOOLS) == paper.split()
    assert [ToolDef(made).name for made in make_tools(open_toolbox(CATALOG, Semantics()))] == paper.split()


RESULTS = [
    (
        "shortest_path",
        {"start": "ticket", "end": "product"},
        {"path": ["ticket", "customer", "order", "product"]},
    ),
    ("shortest_path", {"start": "ticket", "end": "mart"}, {"path": None, "length": None}),
    ("shortest_path", {"start": "mart", "end": "mart"}, {"path": ["mart"], "length": 0}),
    ("get_component_of", {"table": "lonely"}, {"component": 3, "of": 3, "size": 1, "tables": ["lonely"]}),
    ("get_component_of", {"table": "order"}, {"size": 5, "tables": sorted(SHOP)}),
    ("get_fk_neighbors", {"table": "customer"}, {"tables_by_distance": {"1": ["order", "region", "ticket"]}}),
    (
        "get_fk_neighbors",
        {"table": "region", "direction": "children", "depth": 99},
        {"count": 3, "tables_by_distance": {"1": ["customer"], "2": ["order", "ticket"]}},
    ),
    (
        "get_fk_neighbors",
        {"table": "order", "direction": "parents"},
        {"tables_by_distance": {"1": ["customer", "product"]}},
    ),
    ("get_lineage_forward", {"table": "raw_a"}, {"count": 2, "tables": ["audit", "stage"]}),
    ("get_lineage_reverse", {"table": "stage"}, {"tables": ["raw_a", "raw_b", "raw_c"]}),
    (
        "transitive_lineage",
        {"table": "raw_b"},
        {"tables_by_distance": {"1": ["stage"], "2": ["mart"], "3": ["board"]}},
    ),
    ("transitive_lineage", {"table": "mart", "direction": "upstream"}, {"count": 4}),
    ("check_fk_adjacency", {"parent": "customer", "child": "order"}, {"child_references_parent": True}),
    ("check_fk_adjacency", {"parent": "order", "child": "customer"}, {"child_references_parent": False}),
    ("list_tables", {}, {"count": 13, "tables": list(CATALOG.table_names)}),
    ("connected_components", {}, {"count": 3, "components": [sorted(PIPELINE), sorted(SHOP), ["lonely"]]}),
]


@pytest.mark.parametrize(("tool", "arguments", "part"), RESULTS)
def test_results(tool, arguments, part):
    found = use(CATALOG, tool, FAR, **arguments)
    assert {name: found[name] for name in part} == part


def test_keys_are_followed_as_far_as_gold_follows_them():
    found = use(CATALOG, "get_fk_neighbors", table="region", direction="children", depth=99)
    assert found["tables_by_distance"] == {"1": ["customer"]}


def test_a_self_reference_is_no_neighbour():
    found = use(CLINIC, "get_fk_neighbors", FAR, table="Care.Note", depth=9)
    assert found["tables_by_distance"] == {"1": ["Care.Visit"], "2": ["Care.Person"]}


@pytest.mark.parametrize("said", ["Care.Note", "care.note", "NOTE", "`Note`", '[Care].["Note"]'])
def test_names_are_understood(said):
    assert use(CLINIC, "get_component_of", table=said)["size"] == 4


@pytest.mark.parametrize("said", ["Person", "Care.Notes", "nothing like it"])
def test_unknown_and_ambiguous_names_are_answered(said):
    found = use(CLINIC, "get_lineage_forward", table=said)
    assert said in found["error"]
    assert all(name in CLINIC.table_names for name in found["close_matches"])


def test_close_matches():
    assert use(CLINIC, "list_tables")["count"] == 4
    assert use(CLINIC, "get_component_of", table="Care.Notes")["close_matches"][0] == "Care.Note"
    assert set(use(CLINIC, "get_component_of", table="person")["close_matches"][:2]) == {
        "Care.Person",
        "Hr.Person",
    }


def test_unknown_directions_are_answered():
    found = use(CLINIC, "transitive_lineage", table="Care.Note", direction="sideways")
    assert found == {"error": "direction must be one of downstream, upstream, not `sideways`"}


PATHS = [("undirected", 2), ("child_to_parent", 2), ("parent_to_child", None)]


@pytest.mark.parametrize(("direction", "length"), PATHS)
def test_shortest_path_follows_the_semantics(direction, length):
    found = use(CLINIC, "shortest_path", Semantics(fk_direction=direction), start="Note", end="Care.Person")
    assert found["length"] == length


def test_lineage_is_no_foreign_key():
    assert use(CLINIC, "shortest_path", start="Hr.Person", end="Care.Person")["path"] is None


@pytest.mark.parametrize(("edges", "sizes"), [("fk+lineage", [4]), ("fk", [3, 1]), ("lineage", [1, 2, 1])])
def test_components_follow_the_semantics(edges, sizes):
    found = use(CLINIC, "connected_components", Semantics(silo_edges=edges))
    assert sorted(len(group) for group in found["components"]) == sorted(sizes)


def test_many_components_are_counted_by_size():
    many = Catalog(name="many", tables=tuple(table(f"t{n}") for n in range(MOST_COMPONENTS + 1)))
    found = use(many, "connected_components")
    assert found["count"] == MOST_COMPONENTS + 1
    assert found["sizes"] == [{"tables": 1, "components": MOST_COMPONENTS + 1}]
    assert "components" not in found


def test_a_large_component_is_counted_and_numbered():
    large = chain(MOST_NAMES + 1)
    assert use(large, "connected_components")["sizes"] == [{"tables": MOST_NAMES + 1, "components": 1}]
    found = use(large, "get_component_of", table="t00000")
    assert (found["component"], found["size"], "tables" in found) == (1, MOST_NAMES + 1, False)


def test_a_long_list_says_what_it_leaves_out():
    found = use(chain(MOST_NAMES + 3), "transitive_lineage", table="t00000", direction="upstream")
    shown = [name for layer in found["tables_by_distance"].values() for name in layer]
    assert (len(shown), found["count"], found["omitted"]) == (MOST_NAMES, MOST_NAMES + 2, 2)


WORDS = [
    ("shortest_path", Semantics(fk_direction="parent_to_child"), "a table that holds a foreign key to it"),
    ("shortest_path", Semantics(), "followed in either direction"),
    ("get_component_of", Semantics(silo_edges="fk"), "lineage does not count"),
    ("connected_components", Semantics(), "foreign-key and lineage edges"),
    ("check_fk_adjacency", Semantics(), "Only this direction counts"),
]


@pytest.mark.parametrize(("tool", "semantics", "words"), WORDS)
def test_descriptions_state_the_semantics(tool, semantics, words):
    assert words in describe(tool, semantics)


def test_every_tool_has_a_function_of_its_name():
    assert all(callable(getattr(toolbox, name)) for name in TOOLS)
