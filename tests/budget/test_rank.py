"""Rankers: words, ties, fusion, neighbours, and the paper's isolation."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.budget.mini import ASKED, CATALOGS, mini_set

from warebench.catalog.model import Catalog, Column, Table
from warebench.errors import MissingExtra, RunError
from warebench.tracks.budget.rank.lexical import lexical
from warebench.tracks.budget.rank.order import by_score, expand, fuse
from warebench.tracks.budget.rank.rankers import NAME_ONLY, RANKERS, Ranked, find_ranker, names_text, sentence
from warebench.tracks.budget.rank.words import singular, words
from warebench.tracks.budget.schema import pool_schema
from warebench.tracks.budget.subject import open_subject

SCHEMA = pool_schema(CATALOGS)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("orderItems_2", ["order", "item", "2"]),
        ("HTTPServerId", ["http", "server", "id"]),
        ("date_of_birth", ["date", "birth"]),
        ("Which countries' buses have classes?", ["which", "country", "buse", "have", "classe"]),
        ("Ärzte_ÄRZTE", ["ärzte", "ärzte"]),
        ("__", []),
        ("t1", ["t", "1"]),
    ],
)
def test_words(text, found):
    assert words(text) == found


@pytest.mark.parametrize(
    ("word", "same"), [("movies", "movie"), ("status", "status"), ("class", "class"), ("bus", "bus")]
)
def test_singular(word, same):
    # Harman's first rule turns `movies` into `movy`; a name in the singular then does not meet it.
    assert singular(word) == ("movy" if word == "movies" else same)


def test_bm25_prefers_rare_words_and_short_documents():
    rank = lexical(["a id name", "b id", "name id x y z", "zebra id"])
    assert rank("zebra id").tolist()[0] == 3
    assert rank("name").tolist() == [0, 2, 1, 3]


def test_bm25_equals_the_formula():
    texts = ["red blue", "red red green x", "blue", "green blue red"]
    documents = [words(text) for text in texts]
    mean = np.mean([len(document) for document in documents])

    def score(document, asked):
        total = 0.0
        for word in asked:
            having = sum(word in other for other in documents)
            idf = np.log(1 + (len(documents) - having + 0.5) / (having + 0.5))
            count = document.count(word)
            total += idf * count / (count + 1.5 * (0.25 + 0.75 * len(document) / mean))
        return total

    for question in ("red", "blue green", "green x", "red blue green"):
        scores = np.array([score(document, words(question)) for document in documents])
        assert lexical(texts)(question).tolist() == np.argsort(-np.round(scores, 5), kind="stable").tolist()


@pytest.mark.parametrize("question", ["", "the of", "nothing known", "???"])
def test_without_a_known_word_the_order_is_the_pools(question):
    rank = lexical(names_text(table) for table in SCHEMA.tables)
    assert rank(question).tolist() == list(range(len(SCHEMA.tables)))


def test_a_repeated_word_counts_once():
    rank = lexical(["one two", "two three three"])
    assert rank("one three three three").tolist() == rank("one three").tolist()


def test_ties_come_in_the_order_of_the_pool():
    rank = lexical(names_text(table) for table in SCHEMA.tables)
    order = rank("total amount of order lines").tolist()
    assert order.index(SCHEMA.numbers["shop.order lines"]) + 1 == order.index(
        SCHEMA.numbers["store.order lines"]
    )
    assert by_score(np.array([1.0, 2.0, 1.0000001, 2.0], dtype=np.float32)).tolist() == [1, 3, 0, 2]


@given(st.permutations(range(8)), st.data())
def test_expansion_lifts_neighbours_behind_their_table(order, data):
    edges = data.draw(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=10))
    neighbours = [sorted({b for a, b in edges if a == n} | {a for a, b in edges if b == n}) for n in range(8)]
    found = expand(np.array(order), neighbours).tolist()
    assert sorted(found) == list(range(8))
    before = set()
    for place, table in enumerate(found):
        first = next(number for number in order if number not in before)
        if table != first:
            behind = [other for other in found[:place] if table in neighbours[other]]
            assert behind
        before.add(table)


def test_neighbours_follow_their_table():
    order = find_ranker("expanded")(Ranked(schema=SCHEMA))("the diagnosis of visits").tolist()
    assert order[:2] == [SCHEMA.numbers["clinic.visits"], SCHEMA.numbers["clinic.customers"]]


def test_fusion():
    # 1 is second twice and 0 first and last: 2/62 is more than 1/61 + 1/64, by 60.
    orders = [np.array([0, 1, 2, 3]), np.array([2, 1, 3, 0])]
    scores = {0: 1 / 61 + 1 / 64, 1: 2 / 62, 2: 1 / 63 + 1 / 61, 3: 1 / 64 + 1 / 63}
    assert fuse(orders).tolist() == sorted(scores, key=lambda number: (-scores[number], number))


def test_fusion_ties_come_in_the_order_of_the_pool():
    assert fuse([np.array([1, 0]), np.array([0, 1])]).tolist() == [0, 1]


def test_the_database_is_no_evidence():
    for text in (names_text(SCHEMA.tables[0]), sentence(SCHEMA.tables[0])):
        assert "archive" not in text
    table = Table(name="OrderItems", columns=(Column(name="order_id"), Column(name="SKUCode2")))
    made = pool_schema([Catalog(name="x", tables=(table,))]).tables[0]
    assert sentence(made) == "order items: order id, sku code 2"


@pytest.mark.parametrize("ranker", RANKERS)
def test_every_ranker_orders_all_tables_and_finds_what_is_named(ranker):
    subject = open_subject(mini_set())
    for _, home, text, _ in ASKED:
        order = subject.ranker(ranker, "enriched")(text).tolist()
        assert sorted(order) == list(range(len(subject.schema.tables)))
        assert order == subject.ranker(ranker, "enriched")(text).tolist()
        homes = [subject.schema.tables[number].pooled.database for number in order[:4]]
        assert home in homes


@pytest.mark.parametrize("ranker", NAME_ONLY)
def test_rankers_on_names_do_not_see_the_representation(ranker):
    subject = open_subject(mini_set())
    assert subject.ranker(ranker, "raw") is subject.ranker(ranker, "enriched")


def test_the_serialised_ranker_sees_values():
    subject = open_subject(mini_set())
    question = "Who lives in Lima?"
    raw, rich = (subject.ranker("serialised", form)(question).tolist() for form in ("raw", "enriched"))
    assert rich[0] == subject.schema.numbers["shop.customers"]
    assert raw == list(range(len(raw)))


def test_unknown_rankers_are_refused():
    with pytest.raises(RunError, match="Did you mean `lexical`"):
        find_ranker("lexicl")


def test_the_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtra, match=r"warebench\[dense\]"):
        find_ranker("dense")(Ranked(schema=SCHEMA))
