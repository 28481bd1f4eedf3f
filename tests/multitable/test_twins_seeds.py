"""Same seed, same bytes on any machine; another seed, another database."""

import hashlib
import json
import os
import subprocess
import sys

import pyarrow as pa
import pytest
from tests.multitable.twin_samples import sample

from warebench.engine.synthetic.columns import to_table
from warebench.engine.synthetic.plan import Plan
from warebench.tracks.multitable.twins import TWINS, make_twin
from warebench.tracks.multitable.twins.make import scaled_rows

NAMES = list(TWINS)


def digest(table: pa.Table) -> str:
    """Return a hash of the values alone: Arrow leaves what stands under a null open."""
    return hashlib.sha256(repr(table.to_pydict()).encode()).hexdigest()


PRINT_DIGESTS = """
import hashlib, json, sys
from warebench.tracks.multitable.twins import TWINS, make_twin
found = {}
for name in TWINS:
    for mess in (False, True):
        for table, rows in make_twin(name, scale=0.001, seed=3, mess=mess).tables.items():
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
    assert len(first) == 2 * sum(len(twin.makers) for twin in TWINS.values())
    assert first == second


@pytest.mark.parametrize("name", NAMES)
def test_a_table_does_not_depend_on_which_others_are_made(name):
    plan = Plan(twin=name, seed=7, rows=scaled_rows(TWINS[name].paper_rows, 0.02))
    for spec in reversed(TWINS[name].catalog.tables):
        alone = to_table(spec, TWINS[name].makers[spec.name](plan))
        assert alone.equals(sample(name).tables[spec.name])


def test_a_table_does_not_depend_on_the_size_of_an_unrelated_one():
    rows = scaled_rows(TWINS["movie"].paper_rows, 1.0)
    plans = [Plan(twin="movie", seed=7, rows={**rows, "movie": size}) for size in (200, 634)]
    actors = next(spec for spec in TWINS["movie"].catalog.tables if spec.name == "actor")
    one, other = (to_table(actors, TWINS["movie"].makers["actor"](plan)) for plan in plans)
    assert one.equals(other)


CODE_LISTS = {"ranking_criteria"}
"""Tables without anything random."""


@pytest.mark.parametrize("name", NAMES)
def test_another_seed_makes_other_rows(name):
    for table, rows in make_twin(name, scale=0.001, seed=8).tables.items():
        other = make_twin(name, scale=0.001, seed=9).tables[table]
        assert digest(rows) != digest(other) or table in CODE_LISTS


@pytest.mark.parametrize("name", NAMES)
def test_another_seed_makes_other_entities(name):
    """At most one name in ten comes again (one country in three: there are few names of countries)."""
    one, other = sample(name), make_twin(name, scale=0.02, seed=8)
    for table, marks in TWINS[name].marks.items():
        for column in (column for column, mark in marks.items() if mark == "name"):
            names = set(one.tables[table][column].to_pylist())
            again = names & set(other.tables[table][column].to_pylist())
            assert len(again) <= len(names) * (1 / 3 if table == "country" else 0.1)


def test_twins_differ_from_each_other_under_one_seed():
    draws = {Plan(twin=name, seed=1, rows={}).generator("t").integers(2**60) for name in NAMES}
    assert len(draws) == len(NAMES)
