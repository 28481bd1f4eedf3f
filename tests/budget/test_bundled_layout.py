"""Layouts, queries moved into them, and the proof of gold, on a small domain and on all."""

import random
from dataclasses import replace

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warebench.engine.connect import connect_memory
from warebench.engine.database import Database
from warebench.errors import GoldDisagreement
from warebench.tracks.budget.bundled.examples import make_examples
from warebench.tracks.budget.bundled.gold_sql import literal, write_sql
from warebench.tracks.budget.bundled.nested import ask_nested, is_stored, store
from warebench.tracks.budget.bundled.translate import translate
from warebench.worlds.organisations.arrange import arrange, describe_layout
from warebench.worlds.organisations.domain import Domain
from warebench.worlds.organisations.grammar import DOMAINS, find_domain, read_domain
from warebench.worlds.organisations.layout import Layout, Place, draft
from warebench.worlds.organisations.make import Organisation
from warebench.worlds.organisations.rows import fill
from warebench.worlds.organisations.style import STYLES, Style
from warebench.worlds.synthetic.plan import Plan

TEXT = """
@ the {place} kennel = {place}_kennel
towns : 3
  town_name : named Ash|Elm|Oak Hill
owners : 4
  > towns
  owner_name : people
dogs : 6
  > owners
  dog_name : people
  weight_kg : int 1 9
  colour : pick red|tan
? how many dogs of colour {colour} live in {town}?
! x
= count of dogs owners towns where dogs.colour = {colour} and towns.town_name = {town}
? who has the heaviest dogs?
! x
= most owners.owner_name by sum dogs.weight_kg of dogs owners
? which towns have owners?
! x
= count distinct owners.town_id of towns owners
? above
! x
~ above dogs.weight_kg
? never
! x
~ never owners.owner_name dogs
? both {a} {b}
! x
~ both owners.owner_name dogs.colour
? more than {n}
! x
~ atleast owners dogs
? per
! x
~ perparent owners dogs
"""
KENNEL = read_domain("kennel", TEXT)


def own(table: str, *columns: str) -> dict[str, Place]:
    return {column: Place(table=table, column=column.upper(), word=column) for column in columns}


PLAIN = Layout(
    domain=KENNEL,
    names={"towns": "Town", "owners": "Owner", "dogs": "Dog"},
    places={
        "towns": own("towns", "town_id", "town_name"),
        "owners": own("owners", "owner_id", "town_id", "owner_name"),
        "dogs": own("dogs", "dog_id", "owner_id", "dog_name", "weight_kg", "colour"),
    },
    merged={},
    words={"towns": "towns", "owners": "owners", "dogs": "dogs"},
)
RESHAPED = replace(
    PLAIN,
    names={"owners": "Owner", "dogs": "Dog", "dogs+": "DogDetail"},
    places={
        "towns": {"town_name": Place(table="owners", column="TOWN_NAME", word="town_name")},
        "owners": own("owners", "owner_id", "owner_name"),
        "dogs": own("dogs", "dog_id", "owner_id", "dog_name") | own("dogs+", "weight_kg", "colour"),
    },
    merged={"towns": "owners"},
)
ROWS = Database(
    catalog=describe_layout("kennel", PLAIN),
    tables={
        "towns": pa.table({"town_id": [1, 2, 3], "town_name": ["Ash", "Elm", "Oak"]}),
        "owners": pa.table(
            {"owner_id": [1, 2, 3, 4], "town_id": [1, 1, 2, 3], "owner_name": ["Ann", "Bob", "Cid", "Dan"]}
        ),
        "dogs": pa.table(
            {
                "dog_id": [1, 2, 3, 4, 5, 6, 7, 8],
                "owner_id": [1, 1, 1, 2, 2, 2, 3, 3],
                "dog_name": ["p", "q", "r", "s", "t", "u", "v", "w"],
                "weight_kg": [9, 4, 2, 3, 5, 6, 4, 8],
                "colour": ["red", "tan", "red", "red", "red", "red", "tan", "tan"],
            }
        ),
    },
)
BINDING = {"colour": "red", "town": "Ash"}


@pytest.mark.parametrize(
    ("layout", "number", "sql"),
    [
        (
            PLAIN,
            0,
            "SELECT COUNT(*) FROM Dog AS T1 JOIN Owner AS T2 ON T1.OWNER_ID = T2.OWNER_ID "
            "JOIN Town AS T3 ON T2.TOWN_ID = T3.TOWN_ID WHERE T1.COLOUR = 'red' AND T3.TOWN_NAME = 'Ash'",
        ),
        (
            RESHAPED,
            0,
            "SELECT COUNT(*) FROM Dog AS T1 JOIN Owner AS T2 ON T1.OWNER_ID = T2.OWNER_ID "
            "JOIN DogDetail AS T3 ON T1.DOG_ID = T3.DOG_ID WHERE T3.COLOUR = 'red' AND T2.TOWN_NAME = 'Ash'",
        ),
        (
            PLAIN,
            1,
            "SELECT T2.OWNER_NAME FROM Dog AS T1 JOIN Owner AS T2 ON T1.OWNER_ID = T2.OWNER_ID "
            "WHERE T2.OWNER_NAME IS NOT NULL GROUP BY T2.OWNER_NAME "
            "ORDER BY SUM(T1.WEIGHT_KG) DESC NULLS LAST LIMIT 1",
        ),
    ],
)
def test_queries_move_into_a_layout(layout: Layout, number: int, sql: str) -> None:
    moved = translate(KENNEL.families[number].query, layout)
    assert moved is not None
    assert write_sql(moved, BINDING) == sql


def test_queries_that_a_layout_cannot_answer() -> None:
    assert translate(KENNEL.families[2].query, RESHAPED) is None
    without = replace(PLAIN, places={name: PLAIN.places[name] for name in ("owners", "dogs")})
    assert translate(KENNEL.families[0].query, without) is None


def test_rows_move_into_a_layout() -> None:
    made = arrange("kennel", RESHAPED, ROWS)
    assert made.catalog.table_names == ("Owner", "Dog", "DogDetail")
    assert made.tables["Owner"].to_pylist()[2] == {"OWNER_ID": 3, "OWNER_NAME": "Cid", "TOWN_NAME": "Elm"}
    assert made.tables["DogDetail"].to_pylist()[0] == {"DOG_ID": 1, "WEIGHT_KG": 9, "COLOUR": "red"}
    assert [(key.child, key.parent) for key in made.catalog.foreign_keys] == [
        ("Dog", "Owner"),
        ("DogDetail", "Dog"),
    ]


NESTED = {
    "above": [((3,),)],
    "never": [(("Dan",),)],
    "both": [(("Ann",),)],
    "atleast": [((2,),)],
    "perparent": [((8 / 3,),)],
}


@pytest.mark.parametrize("number", range(5))
def test_nested_questions(number: int) -> None:
    family = KENNEL.nested[number]
    asked = list(ask_nested(family, store(KENNEL, PLAIN, ROWS), random.Random(0)))  # noqa: S311
    assert [item.rows for item in asked] == NESTED[family.kind]
    with arrange("kennel", PLAIN, ROWS).connect() as connection:
        for item in asked:
            assert tuple(connection.execute(item.sql).fetchall()) == item.rows


def test_nested_questions_need_their_columns_in_place() -> None:
    stored = [family.kind for family in KENNEL.nested if is_stored(family, RESHAPED)]
    assert stored == ["never", "atleast", "perparent"]


@pytest.mark.parametrize(
    ("value", "sql"),
    [("it's", "'it''s'"), (True, "TRUE"), (3, "3"), (2.5, "2.5")],
)
def test_literals(value: object, sql: str) -> None:
    assert literal(value) == sql


def organisation(domain: Domain, style: Style, seed: int) -> Organisation:
    layout = draft(domain, style, random.Random(seed))  # noqa: S311
    plan = Plan(twin=f"one of {domain.name}", seed=seed, rows={})
    rows = fill(domain, plan, plan, 0.3)
    return Organisation(
        title="the mill",
        database=arrange("mill", layout, rows),
        domain=domain,
        layout=layout,
        rows=rows,
    )


WILD = replace(STYLES[-1], conventions=("plural", "star", "upper"), renamed=0.7, reshaped=1.0)


@settings(max_examples=12, deadline=None, derandomize=True)
@given(name=st.sampled_from(DOMAINS), style=st.sampled_from([*STYLES, WILD]), seed=st.integers(0, 1_000))
def test_gold_is_the_same_in_every_layout(name: str, style: Style, seed: int) -> None:
    made = organisation(find_domain(name), style, seed)
    with connect_memory() as connection:
        examples = make_examples(made, seed, connection)
    assert len(examples) >= 3
    assert not any("[" in example.question or "{" in example.question for example in examples)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(name=st.sampled_from(DOMAINS), seed=st.integers(0, 10_000))
def test_layouts_keep_what_questions_need(name: str, seed: int) -> None:
    domain = find_domain(name)
    layout = draft(domain, WILD, random.Random(seed))  # noqa: S311
    catalog = describe_layout("mill", layout)
    assert len(catalog.tables) >= 4
    for family in domain.families:
        if all(table in layout.places for table in family.query.sources.values()):
            tables = {column.partition(".")[0] for column in family.query.columns}
            assert all(table in layout.places for table in tables)
            moved = translate(family.query, layout)
            if moved is not None:
                assert set(moved.sources.values()) <= set(catalog.table_names)


def test_gold_that_disagrees_is_refused() -> None:
    made = organisation(find_domain("bank"), STYLES[0], 1)
    accounts = made.database.tables["accounts"]
    halved = {**made.database.tables, "accounts": accounts.slice(0, accounts.num_rows // 2)}
    broken = replace(made, database=Database(catalog=made.database.catalog, tables=halved))
    with connect_memory() as connection, pytest.raises(GoldDisagreement, match="Python finds"):
        make_examples(broken, 1, connection)
