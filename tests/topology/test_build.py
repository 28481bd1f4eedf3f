"""Building: both methods agree on random schemas, sets are balanced, distinct and reproducible."""

import os
import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from tests.graph.schemas import catalogs
from tests.topology.sample import CATALOG, PIPELINE, SHOP

from warebench.answers.compare import compare
from warebench.answers.model import Boolean, NameSet, Number, Path
from warebench.catalog.bundled import load_bundled
from warebench.catalog.model import Catalog, Column, ForeignKey, Table
from warebench.errors import BuildError, SetError
from warebench.questions.check import check_questions
from warebench.tracks.topology.build import Options, build
from warebench.tracks.topology.certify import prove_set
from warebench.tracks.topology.profiles import PAPER_COUNTS
from warebench.tracks.topology.semantics import DEFAULT, PAPER, flatten, from_manifest
from warebench.tracks.topology.subtypes import SUBTYPES

SEMANTICS = [
    {},
    {"impact_fk_direction": "undirected", "impact_fk_depth": "none", "impact_fk_from_table": "false"},
    {"fk_direction": "parent_to_child", "silo_edges": "fk", "impact_fk_depth": "2"},
    {"fk_direction": "child_to_parent", "silo_edges": "lineage", "impact_fk_depth": "none"},
    {"impact_fk_direction": "undirected", "impact_fk_depth": "2", "multi_source_minimum": "2"},
]


@pytest.mark.parametrize("parameters", SEMANTICS)
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(catalog=catalogs())
def test_two_methods_agree_on_random_schemas(parameters, catalog):
    # build() raises GoldDisagreement when they do not.
    made = build([catalog], Options(size=6, parameters=parameters))
    codes = {finding.code for finding in check_questions(made, prove_set)}
    assert codes <= {"WB009"}  # random lineage may run in cycles, which is reported


@pytest.fixture(scope="module")
def by_subtype():
    made = build([CATALOG], Options(size=40))
    groups = {}
    for question in made.questions:
        groups.setdefault(question.subtype, []).append(question)
    return groups


def test_every_subtype_is_there(by_subtype):
    assert list(by_subtype) == [subtype.name for subtype in SUBTYPES]


def gold_of(questions, *subjects):
    found = [question.gold for question in questions if question.subjects == subjects]
    return found[0] if found else None


def test_lineage_gold_drawn_by_hand(by_subtype):
    assert gold_of(by_subtype["forward"], "raw_a") == NameSet(("audit", "stage"))
    assert gold_of(by_subtype["reverse"], "mart") == NameSet(("stage",))
    assert gold_of(by_subtype["multi_source"], "stage") == NameSet(("raw_a", "raw_b", "raw_c"))
    assert gold_of(by_subtype["transitive"], "raw_a") == NameSet(("audit", "board", "mart", "stage"))


def test_impact_gold_drawn_by_hand():
    made = build([CATALOG], Options(size=40, subtypes=("combined_impact",)))
    assert gold_of(made.questions, "raw_b") == NameSet(("board", "mart", "stage"), ("raw_b",))


def test_routing_gold_drawn_by_hand():
    made = build([CATALOG], Options(size=40, subtypes=("join_path",)))
    paths = {frozenset(question.subjects): question.gold for question in made.questions}
    found = paths[frozenset(("ticket", "product"))]
    assert isinstance(found, Path)
    assert set(found.nodes) == {"ticket", "customer", "order", "product"}
    made = build([CATALOG], Options(size=40, subtypes=("hop_count",)))
    hops = {
        frozenset(question.subjects): question.gold for question in made.questions if not question.variant
    }
    assert hops[frozenset(("ticket", "product"))] == Number(3)
    assert hops[frozenset(("order", "region"))] == Number(2)


def test_silo_gold_drawn_by_hand(by_subtype):
    assert [q.gold for q in by_subtype["count"] if not q.variant] == [Number(3)]
    assert gold_of(by_subtype["isolation"], "lonely") == Boolean(True)
    for question in by_subtype["membership"] + by_subtype["full_enumeration"]:
        silo = set(SHOP if question.subjects[0] in SHOP else PIPELINE)
        asked = set(question.subjects)
        whole = question.subtype == "full_enumeration"
        assert set(question.gold.names) == (silo if whole else silo - asked)
        assert set(question.gold.optional) == (set() if whole else asked)
        assert ("included" in question.text) == whole
        assert compare(question.gold, NameSet(tuple(silo))).correct
        assert compare(question.gold, NameSet(tuple(silo - asked))).correct == (not whole)


def test_yes_and_no_are_balanced():
    made = build([load_bundled("adventureworks")], Options(size=20))
    for subtype in ("direct_fk", "isolation", "connected"):
        answers = Counter(q.gold.value for q in made.questions if q.subtype == subtype)
        assert answers == {True: 10, False: 10}


def test_a_question_that_has_one_answer_only_is_asked_once():
    made = build([load_bundled("tpc_ds")], Options(size=20))
    counts = Counter(q.subtype for q in made.questions)
    assert (counts["isolation"], counts["connected"]) == (1, 1)


def test_the_order_of_questions_is_no_pattern():
    made = build([load_bundled("adventureworks")], Options(size=20))
    ids = [q.id for q in made.questions if q.subtype == "direct_fk"]
    assert ids == sorted(ids)


def test_no_siblings_but_to_keep_a_subtype():
    made = build([load_bundled("adventureworks")], Options(size=20))
    siblings = Counter(q.subtype for q in made.questions if q.facets.get("sibling"))
    assert all(times == 1 for times in siblings.values())
    facts = [q.fact for q in made.questions if not q.facets.get("sibling")]
    assert len(facts) == len(set(facts))


def test_default_synthetic_has_twenty_of_every_subtype():
    made = build([load_bundled("syn_logistics")], Options(size=20))
    counts = Counter(q.subtype for q in made.questions)
    assert counts == {subtype.name: 20 for subtype in SUBTYPES}, made.manifest.shortfalls
    assert not any(q.variant for q in made.questions if q.subtype != "count")
    assert not any(q.facets.get("sibling") for q in made.questions)


def test_a_catalog_does_not_depend_on_its_neighbours():
    alone = build([CATALOG], Options())
    beside = build([load_bundled("tpc_di"), CATALOG], Options())
    assert [q for q in beside.questions if q.catalog == "sample"] == list(alone.questions)


def test_shortfalls_give_their_reason():
    made = build([load_bundled("tpc_ds")], Options(size=5))
    reasons = {item.subtype: item.reason for item in made.manifest.shortfalls}
    assert reasons["forward"] == "the catalog has no lineage edges"
    assert "distinct" in reasons["count"]
    once = "only one of yes and no occurs, so it is asked once"
    assert (reasons["isolation"], reasons["connected"]) == (once, once)


def test_one_key_asked_about_once_is_no_lack_of_a_no():
    # Its yes and its no, the same key the wrong way round, share a fact: only one of them is asked.
    key = ForeignKey(child="a", parent="b", child_columns=("x",), parent_columns=("x",))
    columns = (Column(name="x", type="INT"),)
    tables = tuple(Table(name=name, columns=columns) for name in "ab")
    made = build([Catalog(name="one", tables=tables, foreign_keys=(key,))], Options(subtypes=("direct_fk",)))
    (short,) = made.manifest.shortfalls
    assert (short.made, short.reason) == (
        1,
        "the schema graph holds no more yes/no pairs that share no fact with another question",
    )


def test_shortfalls_of_the_paper_profile_do_not_speak_of_facts(monkeypatch):
    many = {"direct_fk": 10_000, "connected": 10_000, "reverse": 10_000}
    monkeypatch.setitem(PAPER_COUNTS, "tpc_di", many)
    made = build([load_bundled("tpc_di")], Options(profile="paper"))
    reasons = {item.subtype: item.reason for item in made.manifest.shortfalls}
    assert reasons["direct_fk"] == "the schema graph holds no more distinct questions"
    assert reasons["reverse"] == (
        "the schema graph holds no more distinct questions, with at most 200 names as answer"
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (Options(profile="papper"), "Did you mean `paper`"),
        (Options(subtypes=("forwards",)), "Did you mean `forward`"),
        (Options(size=0), "size"),
        (Options(profile="paper"), "own five catalogs"),
        (Options(profile="paper", size=5), "Leave out --size"),
    ],
)
def test_bad_options_are_explained(options, words):
    with pytest.raises(BuildError) as error:
        build([CATALOG], options)
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"fk_directon": "undirected"}, "Did you mean `fk_direction`"),
        ({"fk_direction": "sideways"}, "Give undirected or parent_to_child or child_to_parent."),
        ({"max_hops": "many"}, "Give a whole number."),
        ({"max_hops": "0"}, "Give max_hops=1 or more."),
    ],
)
def test_bad_parameters_are_explained_before_a_catalog_is_read(parameters, words):
    with pytest.raises(BuildError) as error:
        Options(parameters=parameters)
    assert words in str(error.value)


def test_two_catalogs_of_one_name():
    with pytest.raises(BuildError, match="same name") as error:
        build([CATALOG, CATALOG], Options())
    assert "warebench catalog SOURCE --name NAME" in str(error.value)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"fk_directon": "undirected"}, "fk_directon"),
        ({"fk_direction": "sideways"}, "sideways"),
        ({"max_hops": "many"}, "max_hops"),
        ({"impact_fk_from_table": "none"}, "impact_fk_from_table"),
    ],
)
def test_parameters_of_a_manifest_that_do_not_fit(changed, words):
    with pytest.raises(SetError, match=words) as error:
        from_manifest(flatten(DEFAULT) | changed)
    assert error.value.fix
    assert from_manifest(flatten(PAPER)) == PAPER


def test_a_catalog_without_edges_still_has_silos():
    bare = Catalog(name="bare", tables=(Table(name="a"), Table(name="b")))
    made = build([bare], Options(size=3))
    assert {q.subtype for q in made.questions} == {"count", "isolation", "connected", "direct_fk"}


def test_same_bytes_under_any_hash_seed(tmp_path):
    script = (
        "import sys; from pathlib import Path; from tests.topology.sample import CATALOG\n"
        "from warebench.tracks.topology.build import Options, build\n"
        "from warebench.tracks.topology.twins import twin\n"
        "from warebench.questions.store import write_questions\n"
        "made = build([CATALOG], Options())\n"
        "write_questions(made, Path(sys.argv[1]) / 'a')\n"
        "write_questions(twin(made, 'columns'), Path(sys.argv[1]) / 'b')\n"
    )
    folders = []
    for hash_seed in ("0", "1"):
        folder = tmp_path / hash_seed
        folder.mkdir()
        env = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": "."}
        subprocess.run([sys.executable, "-c", script, str(folder)], check=True, env=env)
        folders.append({f.relative_to(folder): f.read_bytes() for f in folder.rglob("*") if f.is_file()})
    assert folders[0] == folders[1]
    assert len(folders[0]) == 6
