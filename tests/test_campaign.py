"""A slice of the campaign of planted faults (`make campaign`): where faults once passed both methods."""

import pytest
from tests.campaign.mutants import find_mutants, planted
from tests.campaign.proofs import PROOFS
from tests.campaign.run import CAUGHT, ESCAPED, SURVIVED, examine, mutants_of, try_mutant

from warebench.queries import solve


@pytest.fixture(scope="module")
def metrics():
    return examine(PROOFS["intelligence"](seeds=3, size=0))


@pytest.fixture(scope="module")
def queries():
    return examine(PROOFS["multitable"](count=1))


@pytest.mark.parametrize(
    "place",
    [
        "knowledge.relation._by_key",  # a join column, planted where both methods once resolved joins
        "compute.joins._by",
        "knowledge.grammar._Reader.then",  # how a formula is read, by either reader
        "compute.calendars.within",
        "compute.rules.in_days",
        "compute.aggregate._sum",
    ],
)
def test_faults_of_either_method_of_metrics_are_refused(metrics, place):
    found = [
        try_mutant(metrics, mutant)
        for _, mutant in mutants_of(metrics.proof)
        if f"{mutant.module}.{mutant.function}".endswith(f"intelligence.{place}")
    ]
    assert found
    assert ESCAPED not in found


def test_faults_of_how_comparisons_are_read_are_refused(metrics):
    faults = [
        mutant
        for _, mutant in mutants_of(metrics.proof)
        if mutant.module.endswith("compute.evaluate") and mutant.function == "OPERATORS"
    ]
    assert CAUGHT in {try_mutant(metrics, mutant) for mutant in faults}


def test_faults_of_both_interpreters_of_queries_are_refused(queries):
    places = ("keep", "join_rows", "aggregate", "_top", "_total", "_aggregate", "_body", "_ties_with_best")
    faults = [mutant for _, mutant in mutants_of(queries.proof) if mutant.function in places]
    found = [try_mutant(queries, mutant) for mutant in faults]
    assert found.count(CAUGHT) >= 10
    assert ESCAPED not in found


def test_a_fault_is_taken_out_again(queries):
    """What the campaign leaves behind is the program as it was."""
    (mutant, *_) = [mutant for mutant in find_mutants(solve) if mutant.function == "join_rows"]
    code = solve.join_rows.__code__
    with planted(mutant):
        assert solve.join_rows.__code__ is not code
    assert solve.join_rows.__code__ is code
    assert try_mutant(queries, mutant) != SURVIVED
