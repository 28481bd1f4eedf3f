"""SQL on DuckDB and the second method agree on random tables, metrics, rules and slices."""

from collections import Counter
from contextlib import suppress
from random import Random

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.intelligence.random_knowledge import databases, knowledge_bases, slices

from warebench.errors import StraddleError
from warebench.tracks.intelligence.compute.run import find_values, open_database
from warebench.tracks.intelligence.knowledge.check import find_faults

EXAMPLES = settings(max_examples=30, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def compare(seed):
    """Return what happened to six slices of one random knowledge base."""
    rng = Random(seed)  # noqa: S311
    database, knowledge = databases().draw(rng), knowledge_bases().draw(rng)
    # Random rules may contradict each other, and random expressions mix kinds.
    if list(find_faults(knowledge, database.catalog)):
        return Counter(refused=1)
    seen = Counter()
    with open_database(database) as opened:
        for metric in ("M1", "M1", "M2", "M2", "M3", "M3"):
            wanted = slices(metric).draw(rng)
            base = find_values(knowledge, opened, msgspec.structs.replace(wanted, rules=()))
            with suppress(StraddleError):
                ruled = find_values(knowledge, opened, wanted)
                seen.update(compared=1, differs=base != ruled, several=len(ruled) > 1)
    return seen


@EXAMPLES
@given(seed=st.integers(0, 2**32))
def test_both_methods_agree(seed):
    compare(seed)


def test_random_cases_are_worth_comparing():
    seen = sum((compare(seed) for seed in range(30)), Counter())
    assert seen["differs"] >= 10
    assert seen["several"] >= 8
