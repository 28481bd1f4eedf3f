"""Composed pairs: gold SQL without parameters that gives what the Python interpreter finds."""

from dataclasses import replace

import msgspec
import pytest
from tests.multitable.shop import SHOP
from tests.queries.compose_schemas import shop

from warebench.engine.collection import Collection
from warebench.errors import GoldDisagreement
from warebench.queries.template import SUBCATEGORIES
from warebench.tracks.budget import pairs
from warebench.tracks.budget.pairs import compose_examples, compose_pairs, compose_pool


def test_all_subcategories_and_as_many_as_asked():
    made = compose_examples(shop(), seed=1, per_subcategory=1, each=2)
    kinds = [example.id.split("-")[1] for example in made]
    assert set(kinds) == set(SUBCATEGORIES)
    assert max(kinds.count(kind) for kind in kinds) == 2
    assert len({example.id for example in made}) == len(made)
    assert all("$" not in example.sql for example in made)


def test_equal_arguments_give_equal_examples():
    assert compose_examples(shop(), seed=3) == compose_examples(shop(), seed=3)
    assert compose_examples(shop(), seed=3) != compose_examples(shop(), seed=4)


def test_what_is_missing_is_said():
    made = compose_pairs(SHOP, seed=1)
    assert {item.subtype for item in made.shortfalls}
    assert all(item.made < item.asked for item in made.shortfalls)


def test_wrong_sql_is_refused(monkeypatch):
    monkeypatch.setattr(pairs, "fill_sql", lambda sql, bindings: "SELECT 'nobody'")
    with pytest.raises(GoldDisagreement):
        compose_examples(shop(), seed=1)


def test_question_names_its_database_where_another_could_be_meant():
    one = shop()
    other = replace(one, catalog=msgspec.structs.replace(one.catalog, name="store"))
    alone, _ = compose_pool(Collection(name="a", dialect="duckdb", databases=(one,)), 1)
    both, _ = compose_pool(Collection(name="b", dialect="duckdb", databases=(one, other)), 1)
    assert not any(example.question.startswith("In the database") for example in alone.examples)
    assert all(
        example.question.startswith(f"In the database `{example.database}`: ") for example in both.examples
    )
