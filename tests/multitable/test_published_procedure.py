"""What our sampling is timed against works, and finds what the description says it finds."""

import random

from benchmarks.published_procedure import COMPONENTS, KIB, WINDOWS, directly, two_stages
from benchmarks.sqlite_file import write_sqlite

from warebench.worlds import make_world


def test_both_ways_reach_every_window(tmp_path):
    path = tmp_path / "airline.sqlite"
    write_sqlite(make_world("airline", scale=0.004, seed=1), path)
    chance = random.Random(2)  # noqa: S311
    found = list(two_stages(str(path), 2, COMPONENTS["PLAIN"], chance))
    found.append(directly(str(path), "64K", COMPONENTS["PLAIN"], chance))
    bounds = [*(each for each in WINDOWS.values() for _ in range(2)), WINDOWS["64K"]]
    assert len(found) == len(bounds)
    assert all(low * KIB <= length <= high * KIB for length, (low, high) in zip(found, bounds, strict=True))
