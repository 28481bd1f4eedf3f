"""The topology track's entry in TRACKS."""

from warebench.questions.track import Kind, Track
from warebench.tracks.topology.build import Options, build
from warebench.tracks.topology.certify import prove_set
from warebench.tracks.topology.subtypes import SUBTYPES
from warebench.tracks.topology.twins import twin

METHODS = {
    "flat_text": "the whole catalog as text in the prompt",
    "vector_rag": "the k pieces of the catalog closest to the question",
    "graph_augmented": "the neighbourhood of the tables the question mentions",
    "tool_use": "nine graph tools and a budget of calls",
    "react_code": "Python and NetworkX in a sandbox, a few rounds",
    "question": "the question alone: for an agent with its own way to the data; of a model, what it guesses",
    "oracle": "the gold answer in the prompt: the ceiling of reading and format",
}
"""The paper's five baselines (DW-Bench, section 4) and its oracle, in the order of a report."""


TOPOLOGY = Track(
    name="topology",
    title="schema graph: foreign key paths, lineage impact, silos",
    subtypes=tuple(
        Kind(name=kind.name, category=kind.category, difficulty=kind.difficulty, asks=kind.asks)
        for kind in SUBTYPES
    ),
    methods=METHODS,
    task="warebench.tracks.topology.tasks:warebench_topology",
    options=Options,
    build=build,
    prove=prove_set,
    twin=twin,
    policies={"planner": "a program that really calls the tools and reads the context"},
)
"""DW-Bench (arXiv 2604.18964)."""
