"""What synthetic databases are made with."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warebench.errors import BuildError, InternalError
from warebench.worlds.synthetic.columns import arrow_type, day, glue, hashes, take, text, to_table
from warebench.worlds.synthetic.draw import (
    apportioned,
    correlated,
    distinct,
    distinct_pairs,
    popularity,
    ranks,
    weighted,
    zipf,
)
from warebench.worlds.synthetic.names import SURNAMES, TOWNS, people, unique
from warebench.worlds.synthetic.plan import check_scale
from warebench.worlds.synthetic.schema import describe, read_table


@pytest.fixture
def rng():
    return np.random.default_rng(5)


@given(st.integers(0, 400), st.integers(1, 4_000), st.integers(0, 9))
@settings(max_examples=60, deadline=None)
def test_distinct_numbers_differ(size, more, seed):
    found = distinct(np.random.default_rng(seed), size, size + more)
    assert len(set(found.tolist())) == size
    assert all(0 <= number < size + more for number in found.tolist())


def test_too_many_distinct_numbers_are_refused(rng):
    with pytest.raises(InternalError):
        distinct(rng, 5, 4)


@given(st.lists(st.integers(0, 6), max_size=60))
def test_ranks_count_within_groups(groups):
    expected = [groups[:position].count(group) for position, group in enumerate(groups)]
    assert ranks(np.array(groups, dtype=np.int64)).tolist() == expected


def test_distinct_pairs_fill_up_when_nothing_new_is_proposed(rng):
    def stubborn(count):
        return np.zeros(count, dtype=np.int64), np.ones(count, dtype=np.int64)

    left, right = distinct_pairs(rng, 12, (3, 4), stubborn)
    assert set(zip(left.tolist(), right.tolist(), strict=True)) == {
        (a, b) for a in range(3) for b in range(4)
    }
    assert (left[0], right[0]) == (0, 1)


def test_weights_are_followed(rng):
    counts = np.bincount(weighted(rng, 40_000, np.array([1.0, 0.0, 3.0])), minlength=3)
    assert counts[1] == 0
    assert counts[2] / counts[0] == pytest.approx(3, rel=0.1)


def test_popularity_is_skewed_and_not_by_position(rng):
    weights = popularity(rng, 1_000, 1.0)
    assert weights.max() / np.median(weights) > 50
    assert weights.argmax() != 0
    assert zipf(rng, 5_000, 10, 1.0).max() == 9


@given(st.lists(st.floats(0.01, 50), min_size=1, max_size=9), st.integers(0, 300), st.integers(0, 9))
@settings(max_examples=60, deadline=None)
def test_apportioned_by_weight_and_each_once(weights, more, seed):
    size = len(weights) + more
    found = apportioned(np.random.default_rng(seed), size, weights)
    counts = np.bincount(found, minlength=len(weights))
    exact = 1 + np.array(weights) / sum(weights) * more
    assert len(found) == size
    assert np.abs(counts - exact).max() <= 1 + 1e-9


def test_too_few_draws_for_each_choice_are_refused(rng):
    with pytest.raises(InternalError, match="each of 3"):
        apportioned(rng, 2, [1, 1, 1])


def test_hashes_are_different_and_hexadecimal(rng):
    found = hashes(rng, 3_000).to_pylist()
    assert len(set(found)) == 3_000
    assert all(len(text) == 32 and set(text) <= set("0123456789abcdef") for text in found)


@pytest.mark.parametrize("scale", [0, -2, float("nan"), float("inf")])
def test_a_senseless_scale_is_refused(scale):
    with pytest.raises(BuildError, match="scale"):
        check_scale(scale)


def test_a_sensible_scale_is_returned():
    assert check_scale(0.5) == check_scale(0.5, rows=1_000_000) == 0.5


def test_a_scale_is_bounded_by_the_rows_it_asks_for():
    with pytest.raises(BuildError, match="scale 1000 would have 570,000,000 rows, and may have 20,000,000"):
        check_scale(1000, rows=570_000)


@pytest.mark.parametrize("r", [-0.7, 0.0, 0.5])
def test_correlated_by_r(rng, r):
    base = rng.standard_normal(40_000)
    assert np.corrcoef(base, correlated(rng, base, r))[0, 1] == pytest.approx(r, abs=0.03)


def test_unique_names_number_themselves_when_words_run_out(rng):
    names = unique(rng, 10, ("a", "b"), ("c", "d")).to_pylist()
    assert len(set(names)) == 10
    assert sum(name in {"a c", "a d", "b c", "b d"} for name in names) >= 2


def test_people_differ_at_any_number(rng):
    assert len(people(rng, 200_000).unique()) == 200_000


@pytest.mark.parametrize("invented", [TOWNS, SURNAMES])
def test_invented_words_come_once(invented):
    assert len(set(invented)) == len(invented) > 1_000


def test_columns_become_what_they_are_declared():
    types = ("INTEGER", "DATE", "TIME?", "TIMESTAMP?", "DECIMAL(8,2)? measure", "DOUBLE", "VARCHAR")
    spec, marks = read_table("t", "k", dict(zip("kdctmfs", types, strict=True)))
    assert marks == {"m": "measure"}
    values = {
        "s": glue(take("xy", np.array([1, 0])), "-", text(np.array([7, 12]), 3)),
        "k": np.array([1, 2]),
        "d": np.array([day("2020-02-29"), 0]),
        "c": np.ma.MaskedArray([61, 0], [False, True]),
        "t": np.ma.MaskedArray([86_400 + 3_661, 0], [False, True]),
        "m": np.ma.MaskedArray([-1.255, 9.0], [False, True]),
        "f": np.array([-0.0, 1.25]),
    }
    made = to_table(spec, values)
    assert made.schema.types == [arrow_type(column.type) for column in spec.columns]
    assert str(made.to_pylist()[0]["d"]) == "2020-02-29"
    assert str(made["c"].to_pylist()[0]) == "01:01:00"
    assert [None if v is None else str(v) for v in made["t"].to_pylist()] == ["1970-01-02 01:01:01", None]
    assert [None if v is None else str(v) for v in made["m"].to_pylist()] == ["-1.25", None]
    assert [repr(v) for v in made["f"].to_pylist()] == ["0.0", "1.25"]
    assert made["s"].to_pylist() == ["y-007", "x-012"]


def test_a_maker_that_forgets_a_column_is_our_bug():
    spec, _ = read_table("t", "k", {"k": "INTEGER", "v": "INTEGER"})
    with pytest.raises(InternalError, match="maker of t"):
        to_table(spec, {"k": pa.array([1])})


@pytest.mark.parametrize("line", ["", "integer", "INTEGER colour"])
def test_a_misspelt_column_line_is_our_bug(line):
    with pytest.raises(InternalError):
        read_table("t", "k", {"k": line})


def test_a_catalog_of_specs():
    parent, _ = read_table("p", "a, b", {"a": "INTEGER", "b": "INTEGER"})
    child, _ = read_table("c", "", {"x": "INTEGER?"})
    one, _ = read_table("o", "a", {"a": "INTEGER"})
    found = describe("d", [parent, child, one], ["c(x) -> o(a)"], "made up")
    assert [spec.primary_key for spec in found.tables] == [("a", "b"), (), ("a",)]
    assert [(key.child_columns, key.parent) for key in found.foreign_keys] == [(("x",), "o")]
    assert found.source == "made up"


def test_a_misspelt_reference_is_our_bug():
    spec, _ = read_table("t", "k", {"k": "INTEGER"})
    with pytest.raises(InternalError, match="cannot be read"):
        describe("d", [spec], ["t.k to t.k"], "")
