"""What no benchmark is made of still has a clear outcome: a good sample, or an error that says why."""

from datetime import date, time
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from tests.multitable.sampling_shops import SMALL, assert_good, database_of, key, nullable

from warebench.tracks.multitable.sampling import (
    WINDOWS,
    Window,
    WindowError,
    count_tokens,
    sample,
    sample_many,
)
from warebench.tracks.multitable.serialise import serialise


def test_odd_names_and_cells() -> None:
    count = 60
    database = database_of(
        {
            "select": {"order": np.arange(count), "a b|c\\": ["x | y\nz\\"] * count, "": [""] * count},
            "group by|": {"from": np.arange(count) % 7, "\u2028": [None] * count},
        },
        key("group by|(from) -> select(order)"),
    )
    assert_good(sample_many(database, [SMALL], 5, seed=1))


def test_every_type() -> None:
    count = 200
    keys = np.arange(count)
    database = database_of(
        {
            "days": {
                "day": [date.fromordinal(700_000 + number) for number in range(count)],
                "blob": [bytes([number, 10, 124]) for number in range(count)],
            },
            "facts": {
                "day": [date.fromordinal(700_000 + int(number)) for number in keys],
                "price": [Decimal(int(number)) / 100 for number in keys],
                "ratio": keys / 7,
                "at": pa.array(keys, pa.timestamp("us")),
                "hour": [time(int(number) % 24) for number in keys],
                "kind": pa.array(["a|b"] * count).dictionary_encode(),
            },
        },
        key("facts(day) -> days(day)"),
    )
    assert_good(sample_many(database, [SMALL, WINDOWS["8K"]], 3, seed=1))


def test_empty_tables_stay_empty() -> None:
    database = database_of(
        {
            "none": {"id": pa.array([], pa.int64())},
            "log": {"line": [f"line {number}" for number in range(300)], "none": pa.nulls(300, pa.int64())},
            "nothing": {"id": pa.array([], pa.int64())},
        },
        key("log(none) -> none(id)"),
        key("nothing(id) -> log(none)"),
    )
    with pytest.raises(WindowError, match="all rows that can be drawn make"):
        sample(database, SMALL, seed=1, instance=0)
    alone = database_of(
        {"log": {"line": database.tables["log"]["line"]}, "nothing": {"id": pa.array([], pa.int8())}}
    )
    (each,) = sample_many(alone, [SMALL], 1, seed=1)
    assert each.database.tables["nothing"].num_rows == 0
    assert_good([each])


def test_database_without_tables_or_rows() -> None:
    for database in (database_of({}), database_of({"t": {"a": pa.array([], pa.int64())}})):
        with pytest.raises(WindowError, match="all rows that can be drawn make"):
            sample(database, SMALL, seed=1, instance=0)


def test_keys_that_are_mostly_null() -> None:
    count = 3000
    rng = np.random.default_rng(1)
    database = database_of(
        {
            "p": {
                "id": np.arange(count),
                "q": nullable(rng.integers(count, size=count), rng.random(count) < 0.9),
            },
            "c": {
                "n": np.arange(count),
                "p": nullable(rng.integers(count, size=count), rng.random(count) < 0.9),
            },
        },
        key("c(p) -> p(id)"),
        key("p(q) -> p(id)"),
    )
    samples = sample_many(database, list(WINDOWS.values())[:2], 10, seed=1)
    assert_good(samples)
    assert all(
        each.database.tables["p"].num_rows < each.database.tables["c"].num_rows / 5 for each in samples
    )


def test_heavy_tailed_rows_never_fail() -> None:
    rng = np.random.default_rng(2)
    words = np.minimum(rng.pareto(0.7, size=1500) * 4, 8_000).astype(int)
    database = database_of(
        {
            "p": {"id": np.arange(40)},
            "c": {"p": rng.integers(40, size=1500), "text": ["word " * n for n in words]},
        },
        key("c(p) -> p(id)"),
    )
    samples = sample_many(database, [WINDOWS["8K"], WINDOWS["16K"]], 20, seed=1)
    assert_good(samples)
    assert any(each.passed_over for each in samples)


def test_one_cell_longer_than_the_window_is_passed_over() -> None:
    database = database_of(
        {"log": {"line": ["word " * 10_000, *(f"line {number}" for number in range(200))]}}
    )
    samples = sample_many(database, [SMALL], 20, seed=1)
    assert_good(samples)
    assert sum(each.passed_over for each in samples) > 0


def test_rows_that_are_all_longer_than_the_window_are_an_error() -> None:
    database = database_of({"log": {"line": ["word " * 700] * 3000}})
    with pytest.raises(WindowError) as caught:
        sample(database, SMALL, seed=1, instance=4)
    assert "from there beyond the window; of 5" in caught.value.what
    assert "the shortest adds 703 tokens" in caught.value.what
    assert caught.value.where == "database shop, window small (400 to 600 tokens), instance 4"


def test_a_window_no_sample_can_hit_is_an_error() -> None:
    database = database_of({"log": {"line": ["word " * 50] * 3000}})
    narrow = Window(name="narrow", minimum=400, maximum=402)
    with pytest.raises(WindowError, match=r"its rows lead to .* and from there beyond the window"):
        sample(database, narrow, seed=1, instance=0)


def test_a_database_that_is_too_small_tells_its_size() -> None:
    database = database_of({"log": {"line": ["one"] * 10}})
    size = count_tokens(serialise(database, "markdown"))
    with pytest.raises(WindowError, match=f"all rows that can be drawn make {size} tokens"):
        sample(database, SMALL, seed=1, instance=0)


def test_headings_longer_than_the_window_are_an_error() -> None:
    database = database_of({"log": {f"column {number}": [1] for number in range(300)}})
    with pytest.raises(WindowError, match="the headings of its tables alone are 1,"):
        sample(database, SMALL, seed=1, instance=0)


def test_a_database_barely_long_enough_gives_different_samples() -> None:
    database = database_of({"log": {"line": [f"line {number}" for number in range(95)]}})
    samples = sample_many(database, [SMALL], 10, seed=1)
    assert_good(samples)
    assert len({each.tokens for each in samples}) > 3


def test_many_names_every_sample_that_is_missing() -> None:
    database = database_of({"log": {"line": [f"line {number}" for number in range(95)]}})
    with pytest.raises(WindowError) as caught:
        sample_many(database, [SMALL, WINDOWS["8K"]], 3, seed=1)
    assert "3 of 6 samples cannot be made: window 8K (4,000 to 6,000 tokens), instances 0, 1, 2:" in str(
        caught.value
    )


def test_a_window_upside_down_is_refused() -> None:
    with pytest.raises(WindowError, match="goes from 20 to 10 tokens"):
        Window(name="w", minimum=20, maximum=10)
