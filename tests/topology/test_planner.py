"""The planner's reasoning against gold, without Inspect: computing, and following tool plans."""

import json

import networkx as nx
import pytest
from hypothesis import HealthCheck, given, settings
from tests.graph.schemas import catalogs
from tests.topology.sample import CATALOG
from tests.topology.test_build import SEMANTICS

from warebench.answers.compare import compare
from warebench.answers.parse import kind_of, parse
from warebench.catalog.render import to_text
from warebench.graph.build import build_graph
from warebench.tracks.topology.choose import choose
from warebench.tracks.topology.facets import TOOL_BUDGET, min_tool_calls, survey
from warebench.tracks.topology.methods import toolbox
from warebench.tracks.topology.missing import Missing
from warebench.tracks.topology.phrase import phrase
from warebench.tracks.topology.planner.compute import compute
from warebench.tracks.topology.planner.plan import NeedCalls, follow, label
from warebench.tracks.topology.planner.policy import program
from warebench.tracks.topology.planner.reading import read_question
from warebench.tracks.topology.planner.view import read_schema
from warebench.tracks.topology.semantics import DEFAULT, with_parameters
from warebench.tracks.topology.subtypes import SUBTYPE


def draw(catalog, semantics):
    """Return (text, gold, least calls) of questions about a catalog; test_build.py proves such gold."""
    graph = build_graph(catalog)
    known = survey(graph, semantics)
    chosen = choose(
        Missing(graph=graph, touched=frozenset(), anything=False),
        semantics,
        dict.fromkeys(SUBTYPE, 6),
        "seed",
        siblings=True,
    )
    return [
        (
            phrase(c.subtype, c.variant, c.subjects, semantics, c.values),
            c.gold,
            min_tool_calls(known, c),
        )
        for candidates in chosen.values()
        for c in candidates
    ]


def is_right(gold, value, names):
    reply = parse(json.dumps({"answer": value}), kind_of(gold))
    return compare(gold, reply, names=names).correct


PLENTY = 1_000_000


def run_plan(text, box, budget=PLENTY):
    """Return answer and number of calls of the plan; None where it does not fit in the budget."""
    asked, known = read_question(text), {}
    while True:
        try:
            return follow(asked, known, budget), len(known)
        except NeedCalls as need:
            if len(known) + len(need.calls) > budget:
                return None, len(known)
            for call in need.calls:
                result = getattr(toolbox, call.tool)(box, **call.arguments)
                known[label(call.tool, call.arguments)] = json.loads(json.dumps(result))


@pytest.mark.parametrize("parameters", SEMANTICS)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(catalog=catalogs())
def test_both_ways_of_reasoning_find_gold_on_random_schemas(parameters, catalog):
    semantics = with_parameters(DEFAULT, parameters)
    view, box = read_schema(to_text(catalog)), toolbox.open_toolbox(catalog, semantics)
    for text, gold, least in draw(catalog, semantics):
        value = compute(read_question(text), view.tables, view.keys, view.lineage)
        assert is_right(gold, value, catalog.table_names), text
        value, calls = run_plan(text, box)
        assert is_right(gold, value, catalog.table_names), text
        assert calls >= least, text
        for budget in (least - 1, least, TOOL_BUDGET):
            value, calls = run_plan(text, box, budget)
            assert calls <= budget
            if parameters.get("impact_fk_depth") not in ("none", "2"):
                assert is_right(gold, value, catalog.table_names) is (least <= budget), text
            elif value is not None:
                assert is_right(gold, value, catalog.table_names), text


def test_tables_out_of_sight_are_not_guessed_at():
    asked = read_question("Which tables derive directly from `elsewhere`? Only direct derivations count.")
    assert compute(asked, ["a"], nx.DiGraph(), nx.DiGraph()) is None


@pytest.mark.parametrize("result", [{"count": 9, "tables_by_distance": {"1": ["a"]}, "omitted": 8}])
def test_a_cut_result_proves_nothing(result):
    asked = read_question("Which tables derive from `b` over one or more lineage edges?")
    key = label("transitive_lineage", {"table": "b", "direction": "downstream"})
    assert follow(asked, {key: result}, PLENTY) is None


def test_components_too_large_to_list_are_told_apart_by_number():
    asked = {"kind": "together", "tables": ["a", "b"], "edges": "fk"}
    known = {
        label("get_component_of", {"table": "a"}): {"component": 1, "of": 2, "size": 900},
        label("get_component_of", {"table": "b"}): {"component": 2, "of": 2, "size": 900},
    }
    assert follow(asked, known, PLENTY) is False


@pytest.mark.parametrize(("least", "silos"), [(1, 7), (3, 2)])
def test_silos_are_counted_by_size(least, silos):
    asked = {"kind": "silo_count", "tables": [], "edges": "fk", "k": least}
    sizes = [{"tables": 900, "components": 2}, {"tables": 2, "components": 5}]
    known = {label("connected_components", {}): {"count": 7, "sizes": sizes}}
    assert follow(asked, known, PLENTY) == silos


def test_program_is_python_that_answers(capsys):
    asked = read_question("Which tables derive directly from `raw_a`? Only direct derivations count.")
    keys = nx.DiGraph([(key.child, key.parent) for key in CATALOG.foreign_keys])
    lineage = nx.DiGraph([(edge.downstream, edge.upstream) for edge in CATALOG.lineage])
    names = {"TABLES": list(CATALOG.table_names), "FK": keys, "LINEAGE": lineage, "__name__": "main"}
    exec(program(asked), names)  # noqa: S102
    assert json.loads(capsys.readouterr().out) == {"answer": ["audit", "stage"]}
