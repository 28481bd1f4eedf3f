"""The two methods behind every gold share no code but what is listed here, each with why it cannot hurt."""

import grimp
import pytest

TRACKS = "warebench.tracks."
INTELLIGENCE = f"{TRACKS}intelligence."

DATA = "declared data, the same for the text of the question: no code but lookups by key"
SHARED = {
    "warebench.answers.model": "types of answers",
    "warebench.answers.label": "which names of columns count as one, when an answer is made: never a value",
    "warebench.answers.cell": "when two texts of an answer are one, when it is made: never a value",
    "warebench.catalog.edges": "words for kinds of edges",
    "warebench.catalog.model": DATA,
    "warebench.engine.connect": "an empty database; the method in memory never opens it",
    "warebench.engine.database": "rows as they were read",
    "warebench.errors": "errors",
    "warebench.secrets": "masks passwords in the words of errors",
    "warebench.queries.model": DATA,
    "warebench.questions.model": "types of questions; imports how replies are compared, which no method does",
    "warebench.questions.values": "words for kinds of option values",
    "warebench.answers.columns": "comes with questions.model",
    "warebench.answers.matching": "comes with questions.model",
    "warebench.answers.result": "comes with questions.model",
    "warebench.answers.sql_value": "comes with questions.model",
    "warebench.sql.labels.model": "types of labels",
    f"{INTELLIGENCE}analyses.model": DATA,
    f"{INTELLIGENCE}knowledge.model": DATA,
    f"{INTELLIGENCE}slice": DATA,
    f"{TRACKS}topology.semantics": "choices of a set, which the text states in words made from the same",
}

PAIRS = {
    "topology": (
        ["warebench.graph", f"{TRACKS}topology.candidates"],
        [f"{TRACKS}topology.sql"],
    ),
    "multitable": (
        ["warebench.queries.solve", "warebench.queries.bind"],
        ["warebench.queries.sql", "warebench.queries.prove"],
    ),
    "budget": (
        ["warebench.sql.labels.label", "warebench.sql.labels.resolve"],
        ["warebench.sql.labels.observed"],
    ),
    "intelligence": (
        [f"{INTELLIGENCE}{name}" for name in
         ("compute.calendars", "compute.dialects", "compute.regions", "compute.rewrite", "compute.sql",
          "compute.tree", "analyses.answers", "analyses.figures", "analyses.metrics", "analyses.significance",
          "analyses.typed")],
        [f"{INTELLIGENCE}{name}" for name in
         ("compute.aggregate", "compute.evaluate", "compute.frame", "compute.joins", "compute.rows",
          "compute.rules", "compute.select_rows", "compute.values", "analyses.memory",
          "analyses.observations", "analyses.second")],
    ),
}  # fmt: skip
"""By track: what the first method is made of, and the second."""


@pytest.fixture(scope="module")
def graph():
    return grimp.build_graph("warebench", cache_dir=None)


def _reach(graph, sources):
    """Return the modules of a method: its own, and all that they import, at whatever distance."""
    own = {found for name in sources for found in (name, *graph.find_descendants(name))}
    return own | {found for name in own for found in graph.find_upstream_modules(name)}


@pytest.mark.parametrize("track", PAIRS)
def test_both_methods_share_only_what_is_listed(graph, track):
    first, second = (_reach(graph, sources) for sources in PAIRS[track])
    assert sorted(first & second - SHARED.keys()) == []


def test_nothing_is_listed_that_is_not_shared(graph):
    pairs = [[_reach(graph, sources) for sources in pair] for pair in PAIRS.values()]
    assert sorted(SHARED.keys() - {name for one, other in pairs for name in one & other}) == []
