"""Retrieval: exact, deterministic, k chunks and nothing else."""

import sys

import pytest
from tests.topology.sample import CATALOG

from warebench.catalog.model import Catalog, Table
from warebench.errors import MissingExtra
from warebench.tracks.topology.methods import dense
from warebench.tracks.topology.methods.chunks import cut
from warebench.tracks.topology.methods.dense import retrieve

QUESTION = "Which tables derive directly from `stage`?"


def test_the_nearest_chunk_comes_first():
    for chunk in cut(CATALOG)[:3]:
        assert retrieve(CATALOG, chunk, 1) == [chunk]


def test_more_chunks_extend_fewer():
    assert retrieve(CATALOG, QUESTION, 15)[:4] == retrieve(CATALOG, QUESTION, 4)


def test_all_chunks_when_k_exceeds_them():
    assert sorted(retrieve(CATALOG, QUESTION, 99)) == sorted(cut(CATALOG))


def test_ties_come_in_catalog_order():
    twins = Catalog(name="ties", tables=tuple(Table(name=name) for name in ("zz", "aa", "zz.", "AA")))
    # MiniLM folds case, so `aa` and `AA` have one vector; so have no others.
    found = retrieve(twins, QUESTION, 4)
    assert found.index("aa") + 1 == found.index("AA")


def test_a_catalog_is_embedded_once(monkeypatch):
    first = retrieve(CATALOG, QUESTION, 3)
    monkeypatch.setattr(dense, "cut", None)
    assert retrieve(CATALOG, QUESTION, 3) == first


def test_the_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "faiss", None)
    with pytest.raises(MissingExtra, match=r"`faiss` is not installed\n.*warebench\[dense\]"):
        retrieve(Catalog(name="new", tables=(Table(name="only"),)), QUESTION, 1)
