"""Same seed, same bytes on any machine; another seed, another database."""

import hashlib
import json
import os
import subprocess
import sys
from importlib import import_module

import pyarrow as pa
import pytest
from tests.multitable.twin_samples import sample

from warebench.worlds import find_world, make_world
from warebench.worlds.questions import DATABASES
from warebench.worlds.synthetic.columns import to_table
from warebench.worlds.synthetic.plan import Plan

NAMES = list(DATABASES)


def digest(table: pa.Table) -> str:
    """Return a hash of the values alone: Arrow leaves what stands under a null open."""
    return hashlib.sha256(repr(table.to_pydict()).encode()).hexdigest()


PRINT_DIGESTS = """
import hashlib, json, sys
from warebench.worlds import find_world, make_world
from warebench.worlds.questions import DATABASES
found = {}
for name in DATABASES:
    for mess in (False, True):
        for table, rows in make_world(name, scale=0.001, seed=3, mess=mess).tables.items():
            found[f"{name} {table} {mess}"] = hashlib.sha256(repr(rows.to_pydict()).encode()).hexdigest()
json.dump(found, sys.stdout)
"""


def test_every_process_makes_the_same_bytes():
    runs = [
        subprocess.run(
            [sys.executable, "-c", PRINT_DIGESTS],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "4242")
    ]
    first, second = map(json.loads, runs)
    assert len(first) == 2 * sum(len(find_world(name).catalog.tables) for name in DATABASES)
    assert first == second


def plan_of(name, scale, **rows):
    world = find_world(name)
    rows = world.scaled(scale) | rows
    return Plan(twin=name, seed=7, rows=rows, words=world.words, lists=world.lists)


def makers_of(name):
    return import_module(f"warebench.worlds.twins.{name}").MAKERS


@pytest.mark.parametrize("name", NAMES)
def test_a_table_does_not_depend_on_which_others_are_made(name):
    plan = plan_of(name, 0.02)
    for spec in reversed(find_world(name).catalog.tables):
        alone = to_table(spec, makers_of(name)[spec.name](plan))
        assert alone.equals(sample(name).tables[spec.name])


def test_a_table_does_not_depend_on_the_size_of_an_unrelated_one():
    plans = [plan_of("movie", 1.0, movie=size) for size in (200, 634)]
    actors = next(spec for spec in find_world("movie").catalog.tables if spec.name == "actor")
    one, other = (to_table(actors, makers_of("movie")["actor"](plan)) for plan in plans)
    assert one.equals(other)


CODE_LISTS = {"ranking_criteria"}
"""Tables without anything random."""


@pytest.mark.parametrize("name", NAMES)
def test_another_seed_makes_other_rows(name):
    for table, rows in make_world(name, scale=0.001, seed=8).tables.items():
        other = make_world(name, scale=0.001, seed=9).tables[table]
        assert digest(rows) != digest(other) or table in CODE_LISTS


@pytest.mark.parametrize("name", NAMES)
def test_another_seed_makes_other_entities(name):
    """At most one name in ten comes again (one country in three: there are few names of countries)."""
    one, other = sample(name), make_world(name, scale=0.02, seed=8)
    for table, marks in find_world(name).marks.items():
        for column in (column for column, mark in marks.items() if mark == "name"):
            names = set(one.tables[table][column].to_pylist())
            again = names & set(other.tables[table][column].to_pylist())
            assert len(again) <= len(names) * (1 / 3 if table == "country" else 0.1)


def test_twins_differ_from_each_other_under_one_seed():
    draws = {Plan(twin=name, seed=1, rows={}).generator("t").integers(2**60) for name in NAMES}
    assert len(draws) == len(NAMES)
