"""What is left out of a source is never asserted: no answer about the rest may be another in the whole."""

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warebench.catalog.model import Catalog, Column, ForeignKey, LeftOut, LineageEdge, Table
from warebench.catalog.select import drop_tables
from warebench.errors import BuildError
from warebench.graph.build import build_graph
from warebench.questions.check import check_questions
from warebench.tracks.topology.build import Options, build
from warebench.tracks.topology.candidates.generators import GENERATORS
from warebench.tracks.topology.candidates.model import Draw
from warebench.tracks.topology.certify import prove_set
from warebench.tracks.topology.missing import find_missing
from warebench.tracks.topology.semantics import DEFAULT, PAPER
from warebench.tracks.topology.sql.asked import Asked
from warebench.tracks.topology.sql.prove import prove

PAIRS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=9, unique=True)


def make(keys, lineage) -> Catalog:
    return Catalog(
        name="whole",
        tables=tuple(Table(name=f"t{n}", columns=(Column(name="c"),)) for n in range(8)),
        foreign_keys=tuple(
            ForeignKey(child=f"t{a}", parent=f"t{b}", child_columns=("c",), parent_columns=("c",))
            for a, b in keys
        ),
        lineage=tuple(LineageEdge(downstream=f"t{a}", upstream=f"t{b}") for a, b in lineage if a < b),
    )


def lose(whole: Catalog, chance: random.Random) -> Catalog:
    """Leave out some tables, keys and edges, as a reader would."""
    keys = [key for key in whole.foreign_keys if chance.random() < 0.25]
    edges = [edge for edge in whole.lineage if chance.random() < 0.25]
    lost = [
        LeftOut(kind=kind, what="one", where="here", why="of a test", touches=tuple(sorted({*ends})))
        for kind, ends in (
            *(("key", (key.child, key.parent)) for key in keys),
            *(("edge", (edge.downstream, edge.upstream)) for edge in edges),
        )
    ]
    part = msgspec.structs.replace(
        whole,
        foreign_keys=tuple(key for key in whole.foreign_keys if key not in keys),
        lineage=tuple(edge for edge in whole.lineage if edge not in edges),
        left_out=tuple(lost),
    )
    return drop_tables(part, {name: "of a test" for name in whole.table_names[1:] if chance.random() < 0.15})


@pytest.mark.parametrize("semantics", [DEFAULT, PAPER], ids=["default", "paper"])
@settings(max_examples=25, deadline=None)
@given(keys=PAIRS, lineage=PAIRS, seed=st.integers(0, 999))
def test_no_answer_about_a_part_is_another_in_the_whole(semantics, keys, lineage, seed):
    whole = make(keys, lineage)
    part = lose(whole, random.Random(seed))  # noqa: S311 - repeatable
    graph = build_graph(part)
    missing = find_missing(part, graph, semantics)
    asked = []
    for generate in GENERATORS.values():
        chance = random.Random(seed)  # noqa: S311 - repeatable
        draw = Draw(graph=graph, semantics=semantics, random=chance, balanced=False)
        asked += list(missing.sieve(generate(draw)))
    claims = [Asked(c.subtype, c.variant, c.subjects, int(c.values.get("k", 0))) for c in asked]
    found = prove(whole, semantics, claims)
    assert [(c.subtype, c.subjects, c.gold) for c in asked] == [
        (c.subtype, c.subjects, gold) for c, gold in zip(asked, found, strict=True)
    ]


def fixed(**changes) -> Catalog:
    whole = make([(0, 1), (2, 1), (3, 4), (4, 5)], [(0, 6), (6, 7)])
    return msgspec.structs.replace(whole, **changes)


def test_a_set_says_what_was_left_out_and_how_many_questions_that_costs():
    lost = LeftOut(
        kind="key", what="foreign key (c)", where="t7", why="there is no table 'x'", touches=("t7",)
    )
    made = build([fixed(left_out=(lost,))], Options(size=3))
    (missing,) = made.manifest.left_out
    assert missing.left_out == ("t7: foreign key (c) left out, there is no table 'x'",)
    assert missing.withheld > 0
    assert "count" not in {question.subtype for question in made.questions}
    reasons = {item.subtype: item.reason for item in made.manifest.shortfalls}
    assert "could change their answers" in reasons["count"]
    (finding,) = check_questions(made, prove_set)
    assert (finding.code, finding.severity) == ("WB014", "warning")


@pytest.mark.parametrize("kind", ["column", "rows"])
def test_columns_and_rows_that_are_missing_change_no_question_about_tables(kind):
    lost = LeftOut(kind=kind, what="it", where="t7", why="it is a blob", touches=("t7",))
    whole, part = (build([fixed(left_out=left)], Options(size=3)) for left in ((), (lost,)))
    assert part.questions == whole.questions
    assert part.manifest.left_out[0].withheld == 0
    assert whole.manifest.left_out is msgspec.UNSET


def test_a_catalog_of_which_everything_may_be_more_is_refused_in_words():
    names = tuple(f"t{n}" for n in range(8))
    lost = LeftOut(kind="table", what="schema", where="raw", why="no right", touches=names)
    bare = fixed(foreign_keys=(), lineage=(), left_out=(lost,))
    with pytest.raises(BuildError, match="nothing can be asked"):
        build([bare], Options(size=3, subtypes=("isolation", "count")))
