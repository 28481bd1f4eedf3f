"""Samples are whole, in order, inside their window, repeatable, and counted exactly."""

import random
import subprocess
import sys
from collections import Counter
from itertools import pairwise, permutations

import numpy as np
import pyarrow as pa
import pytest
from tests.multitable.sampling_shops import SMALL, assert_good, database_of, key

from warebench.catalog.model import Catalog, Table
from warebench.engine.database import Database
from warebench.errors import BuildError
from warebench.tracks.multitable.sampling import (
    WINDOWS,
    Sample,
    Window,
    count_tokens,
    sample,
    sample_many,
)
from warebench.tracks.multitable.sampling.draw import shuffle
from warebench.tracks.multitable.sampling.order import find_roots, order_tables
from warebench.tracks.multitable.serialise import serialise


def random_shop(orders: int = 3000) -> Database:
    """A referenced by two keys of one child, a grandparent, a second child table, a table without keys."""
    rng = np.random.default_rng(1)
    places, regions = 300, 20
    return database_of(
        {
            "regions": {"id": np.arange(regions), "name": [f"region {n}" for n in range(regions)]},
            "places": {"id": np.arange(places), "region": rng.integers(regions, size=places)},
            "orders": {
                "no": np.arange(orders),
                "from": rng.integers(places, size=orders),
                "to": pa.array(rng.integers(places, size=orders), mask=rng.random(orders) < 0.2),
                "note": ["fast | fragile\nplease"] * orders,
            },
            "visits": {"no": np.arange(orders), "place": rng.integers(places, size=orders)},
            "log": {"line": [f"line {n}" for n in range(orders)]},
        },
        key("places(region) -> regions(id)"),
        key("orders(from) -> places(id)"),
        key("orders(to) -> places(id)"),
        key("visits(place) -> places(id)"),
    )


SHOP = random_shop()


@pytest.fixture(scope="module")
def shop_samples() -> tuple[Sample, ...]:
    return sample_many(SHOP, [WINDOWS["8K"], WINDOWS["16K"]], 20, seed=7)


def test_windows_are_the_papers() -> None:
    assert {w.name: (w.minimum, w.maximum) for w in WINDOWS.values()} == {
        "8K": (4000, 6000),
        "16K": (8000, 12000),
        "32K": (16000, 24000),
        "64K": (32000, 48000),
    }


def test_samples_are_whole_counted_and_within_their_window(shop_samples: tuple[Sample, ...]) -> None:
    assert [(each.window.name, each.instance) for each in shop_samples] == [
        (name, number) for name in ("8K", "16K") for number in range(20)
    ]
    assert_good(shop_samples)


def test_rows_keep_the_order_of_the_source(shop_samples: tuple[Sample, ...]) -> None:
    for each in shop_samples:
        for name, column in (("orders", "no"), ("visits", "no"), ("places", "id"), ("regions", "id")):
            numbers = each.database.tables[name][column].to_pylist()
            assert numbers
            assert all(before < after for before, after in pairwise(numbers))


def test_parents_are_exactly_those_referred_to(shop_samples: tuple[Sample, ...]) -> None:
    for each in shop_samples:
        tables = {name: table.to_pydict() for name, table in each.database.tables.items()}
        orders = tables["orders"]
        places = {*orders["from"], *orders["to"], *tables["visits"]["place"]} - {None}
        assert set(tables["places"]["id"]) == places
        assert set(tables["regions"]["id"]) == set(tables["places"]["region"])


def test_root_tables_take_turns(shop_samples: tuple[Sample, ...]) -> None:
    for each in shop_samples:
        sizes = [each.database.tables[name].num_rows for name in ("orders", "visits", "log")]
        assert max(sizes) - min(sizes) <= 1


def test_sizes_spread_over_the_window(shop_samples: tuple[Sample, ...]) -> None:
    for window in (WINDOWS["8K"], WINDOWS["16K"]):
        sizes = [each.tokens for each in shop_samples if each.window == window]
        quarters = {4 * (size - window.minimum) // (window.maximum - window.minimum + 1) for size in sizes}
        assert quarters == {0, 1, 2, 3}
        assert len(set(sizes)) > 15


def test_every_row_is_as_likely_as_any_other() -> None:
    database = database_of({"log": {"line": [f"line {n:02}" for n in range(50)]}})
    window = Window(name="w", minimum=100, maximum=100 + 60)
    drawn = [
        each.database.tables["log"]["line"].to_pylist()
        for each in sample_many(database, [window], 400, seed=3)
    ]
    counts = [sum(line in lines for lines in drawn) for line in database.tables["log"]["line"].to_pylist()]
    expected = sum(map(len, drawn)) / 50
    spread = sum((count - expected) ** 2 for count in counts) / expected
    assert spread < 85.4  # chi-square, 49 degrees of freedom, 0.1 %; without replacement it is smaller still


def test_shuffle_gives_every_row_once_and_every_order() -> None:
    rng, rows = random.Random, np.arange(3) + 10
    orders = Counter(tuple(shuffle(rows, rng(seed))) for seed in range(600))
    assert sorted(orders) == sorted(permutations((10, 11, 12)))
    assert min(orders.values()) > 60
    assert sorted(shuffle(np.arange(500), rng(1))) == list(range(500))


def test_one_sample_is_that_of_the_many(shop_samples: tuple[Sample, ...]) -> None:
    alone = sample(SHOP, WINDOWS["16K"], seed=7, instance=13)
    assert alone.database.tables == shop_samples[33].database.tables
    assert alone.tokens == shop_samples[33].tokens


def test_seed_window_and_instance_change_the_sample() -> None:
    def drawn(seed: int, instance: int) -> str:
        return serialise(sample(SHOP, SMALL, seed=seed, instance=instance).database, "csv")

    assert len({drawn(1, 0), drawn(1, 1), drawn(2, 0)}) == 3
    assert drawn(1, 0) == drawn(1, 0)


def test_hash_seed_changes_nothing() -> None:
    program = (
        "import runpy, hashlib; shop = runpy.run_path('" + __file__ + "')['SHOP'];"
        "from warebench.tracks.multitable.sampling import WINDOWS, sample;"
        "from warebench.tracks.multitable.serialise import serialise;"
        "text = serialise(sample(shop, WINDOWS['8K'], seed=5, instance=2).database, 'json');"
        "print(hashlib.sha256(text.encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("0", "1")
    }
    assert len(digests) == 1
    assert len(digests.pop().strip()) == 64


def test_another_tokenizer_counts_otherwise() -> None:
    each = sample(SHOP, WINDOWS["8K"], seed=1, instance=0, tokenizer="o200k_base")
    assert_good([each])
    assert each.tokenizer == "o200k_base"
    with pytest.raises(BuildError, match="no tokenizer `gpt`"):
        sample(SHOP, SMALL, seed=1, instance=0, tokenizer="gpt")


def test_only_rows_that_can_be_drawn_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return count_tokens(text)

    monkeypatch.setattr("warebench.tracks.multitable.sampling.source.find_tokenizer", lambda name: count)
    (each,) = sample_many(SHOP, [WINDOWS["8K"]], 1, seed=1)
    assert len(counted) < 2.5 * each.database.rows + 100


def test_order_puts_children_first_and_cycles_together() -> None:
    names = ("region", "place", "staff", "team", "order")
    keys = ["place(r) -> region(i)", "order(p) -> place(i)", "staff(t) -> team(i)", "team(s) -> staff(i)"]
    catalog = Catalog(
        name="c",
        tables=tuple(Table(name=name) for name in names),
        foreign_keys=tuple(key(each) for each in [*keys, "staff(boss) -> staff(i)"]),
    )
    groups = order_tables(catalog)
    assert sorted(groups) == [("order",), ("place",), ("region",), ("staff", "team")]
    assert groups.index(("order",)) < groups.index(("place",)) < groups.index(("region",))
    assert find_roots(catalog) == ("staff", "team", "order")
