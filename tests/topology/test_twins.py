"""Obfuscated twins ask the same of the same graph and let no original name through."""

import re

import pytest

from warebench.catalog.bundled import load_bundled
from warebench.questions.check import check_questions
from warebench.questions.store import encode_questions
from warebench.tracks.topology.build import Options, build
from warebench.tracks.topology.certify import prove_set
from warebench.tracks.topology.twins import twin


@pytest.fixture(scope="module")
def original():
    return build([load_bundled("omop_cdm"), load_bundled("tpc_di")], Options(size=8))


@pytest.fixture(scope="module", params=["tables", "columns"])
def hidden(request, original):
    return twin(original, request.param)


def test_clean(hidden):
    assert check_questions(hidden, prove_set) == []


def test_pairs(original, hidden):
    assert [q.pair_id for q in hidden.questions] == [q.id for q in original.questions]
    assert [(q.subtype, q.variant, q.facets) for q in hidden.questions] == [
        (q.subtype, q.variant, q.facets) for q in original.questions
    ]


def test_no_original_table_name_is_left(original, hidden):
    text = encode_questions(hidden.questions).decode()
    for catalog in original.catalogs.values():
        for name in catalog.table_names:
            assert f"`{name}`" not in text
            assert f'"{name}"' not in text


def test_the_words_of_a_question_survive(original, hidden):
    """The table `relationship` is renamed, the word in a sentence is not (the reference renamed both)."""
    for before, after in zip(original.questions, hidden.questions, strict=True):
        assert re.sub("`[^`]*`", "X", before.text) == re.sub("`[^`]*`", "X", after.text)


def test_paths_keep_their_order(original, hidden):
    for before, after in zip(original.questions, hidden.questions, strict=True):
        if before.subtype == "join_path":
            assert (after.gold.nodes[0], after.gold.nodes[-1]) == after.subjects
            assert len(after.gold.nodes) == len(before.gold.nodes)
