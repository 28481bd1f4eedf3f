"""Foreign keys of every shape: composite, shared, circular, null, dangling, of unlike types."""

from datetime import datetime, time
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.multitable.sampling_shops import SMALL, assert_good, database_of, key, nullable

from warebench.errors import BuildError
from warebench.tracks.multitable.sampling import WINDOWS, Dangling, Window, WindowError, sample, sample_many


@pytest.mark.parametrize("kind", ["binary", "decimal128(12, 2)", "time64", "large_string", "timestamp"])
def test_keys_of_any_type(kind: str) -> None:
    values = {
        "binary": pa.array([bytes([number]) for number in range(200)]),
        "decimal128(12, 2)": pa.array([Decimal(number) for number in range(200)], pa.decimal128(12, 2)),
        "time64": pa.array([time(0, number // 60, number % 60) for number in range(200)]),
        "large_string": pa.array([str(number) for number in range(200)], pa.large_string()),
        "timestamp": pa.array(
            [datetime.fromisoformat(f"2024-01-01T00:{n // 60:02}:{n % 60:02}") for n in range(200)]
        ),
    }[kind]
    database = database_of({"p": {"id": values}, "c": {"p": values.take(pa.array(range(199, -1, -1)))}})
    keyed = database_of(
        {
            name: dict(zip(table.column_names, table.columns, strict=True))
            for name, table in database.tables.items()
        },
        key("c(p) -> p(id)"),
    )
    assert_good(sample_many(keyed, [SMALL], 3, seed=1))


def test_keys_of_different_types_meet() -> None:
    count = 100
    database = database_of(
        {
            "a": {"id": np.arange(count, dtype=np.int32)},
            "b": {"id": [str(number) for number in range(count)]},
            "c": {
                "a": np.arange(count, dtype=np.int64),
                "af": np.arange(count, dtype=float),
                "b": np.arange(count),
            },
        },
        key("c(a) -> a(id)"),
        key("c(af) -> a(id)"),
        key("c(b) -> b(id)"),
    )
    each = sample(database, SMALL, seed=1, instance=0)
    assert each.dangling == ()
    assert each.database.tables["b"].num_rows == each.database.tables["c"].num_rows > 0


def test_composite_keys_take_only_the_rows_they_mean() -> None:
    count = 400
    rng = np.random.default_rng(3)
    years, places = np.divmod(np.arange(count), 20)
    refers = rng.integers(count, size=count)
    database = database_of(
        {
            "p": {"year": years, "place": [f"place {number}" for number in places], "n": np.arange(count)},
            "c": {
                "place": [f"place {number}" for number in places[refers]],
                "year": nullable(years[refers], rng.random(count) < 0.3),
            },
        },
        key("c(year, place) -> p(year, place)"),
    )
    samples = sample_many(database, [SMALL], 10, seed=1)
    assert_good(samples)
    for each in samples:
        meant = {
            pair
            for pair in zip(*each.database.tables["c"].to_pydict().values(), strict=True)
            if pair[1] is not None
        }
        parents = each.database.tables["p"].to_pydict()
        assert {*zip(parents["place"], parents["year"], strict=True)} == meant


def test_parents_that_share_a_key_all_come_along() -> None:
    database = database_of(
        {"p": {"id": [1, 2, 1, None, 2, 3]}, "c": {"p": [1, 2] * 100, "n": np.arange(200)}},
        key("c(p) -> p(id)"),
    )
    each = sample(database, SMALL, seed=1, instance=0)
    assert each.database.tables["p"]["id"].to_pylist() == [1, 2, 1, 2]


def test_references_of_a_table_to_itself_are_followed_upward() -> None:
    count = 2000
    bosses = np.arange(count) // 2
    database = database_of(
        {"staff": {"id": np.arange(count), "boss": nullable(bosses, np.arange(count) == 0)}},
        key("staff(boss) -> staff(id)"),
    )
    samples = sample_many(database, [SMALL, WINDOWS["8K"]], 5, seed=1)
    assert_good(samples)
    assert all(0 in each.database.tables["staff"]["id"].to_pylist() for each in samples)


def test_a_chain_longer_than_the_window_is_an_error() -> None:
    count = 100_000
    # Only the first rows have few enough above them, and random rows are not among them.
    database = database_of(
        {"list": {"id": np.arange(count), "before": nullable(np.arange(count) - 1, np.arange(count) == 0)}},
        key("list(before) -> list(id)"),
    )
    with pytest.raises(WindowError, match="from there beyond the window"):
        sample(database, SMALL, seed=1, instance=0)


def test_cycles_between_tables_are_closed() -> None:
    count = 500
    rng = np.random.default_rng(4)
    database = database_of(
        {
            "team": {"id": np.arange(50), "lead": np.arange(50) * 10},
            "staff": {
                "id": np.arange(count),
                "team": nullable(np.arange(count) // 10, rng.random(count) < 0.2),
            },
        },
        key("team(lead) -> staff(id)"),
        key("staff(team) -> team(id)"),
    )
    samples = sample_many(database, [SMALL, Window(name="w", minimum=900, maximum=1200)], 5, seed=1)
    assert_good(samples)
    assert all(table.num_rows for each in samples for table in each.database.tables.values())


def test_rows_with_dangling_keys_are_never_drawn_and_reported() -> None:
    count = 400
    database = database_of(
        {
            "top": {"id": [0, 1]},
            "p": {"id": np.arange(100), "top": [9 if number % 10 == 0 else 1 for number in range(100)]},
            "c": {
                "p": [500 if number < 7 else number % 100 for number in range(count)],
                "n": np.arange(count),
            },
        },
        key("p(top) -> top(id)"),
        key("c(p) -> p(id)"),
    )
    samples = sample_many(database, [SMALL], 20, seed=1)
    assert_good(samples)
    assert samples[0].dangling == (
        Dangling(table="p", columns=("top",), parent="top", rows=10),
        Dangling(table="c", columns=("p",), parent="p", rows=7),
    )
    drawn = {number for each in samples for number in each.database.tables["c"]["n"].to_pylist()}
    assert len(drawn) > 300
    assert all(number >= 7 and number % 100 % 10 for number in drawn)


def test_a_table_of_dangling_keys_is_an_error_that_says_so() -> None:
    database = database_of({"p": {"id": [1]}, "c": {"p": [2] * 500}}, key("c(p) -> p(id)"))
    with pytest.raises(WindowError, match=r"never drawn are 500 rows of c \(p names no row of p\)"):
        sample(database, SMALL, seed=1, instance=0)


def test_a_key_without_columns_is_refused() -> None:
    keyless = database_of({"p": {"id": [1]}, "c": {"p": [1]}}, key("c(p) -> p(id)"))
    bare = keyless.catalog.foreign_keys[0].__class__(child="c", parent="p")
    database = database_of({"p": {"id": [1]}, "c": {"p": [1]}}, bare)
    with pytest.raises(BuildError, match="the foreign key from c to p names no columns"):
        sample(database, SMALL, seed=1, instance=0)


pairs = st.tuples(st.none() | st.integers(0, 4), st.none() | st.sampled_from("abc"))


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(st.tuples(pairs, pairs, st.none() | st.integers(0, 60)), min_size=30, max_size=60),
    seed=st.integers(),
)
def test_any_small_schema_gives_good_samples_or_an_error(
    rows: list[tuple[tuple[object, object], ...]], seed: int
) -> None:
    """Composite, self-referring, cyclic, null and dangling keys, all at once."""
    (ones, twos, above) = zip(*rows, strict=True)
    count = len(rows)
    database = database_of(
        {
            "p": {
                "x": pa.array([one[0] for one in ones], pa.int64()),
                "y": pa.array([one[1] for one in ones], pa.string()),
                "c": pa.array(above[::-1], pa.int64()),
            },
            "c": {
                "id": np.arange(count),
                "x": pa.array([two[0] for two in twos], pa.int32()),
                "y": pa.array([two[1] for two in twos], pa.string()),
                "above": pa.array(above, pa.int64()),
            },
        },
        key("c(x, y) -> p(x, y)"),
        key("c(above) -> c(id)"),
        key("p(c) -> c(id)"),
    )
    window = Window(name="w", minimum=100, maximum=400)
    reason = ""
    try:
        assert_good([sample(database, window, seed=seed, instance=0)])
    except WindowError as error:
        reason = error.what
    assert not reason or "never drawn are" in reason or "beyond the window" in reason
