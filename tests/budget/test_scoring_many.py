"""Many bad predictions at once: each is judged, none holds up the others."""

import pytest
from benchmarks.budget_scoring import ENDLESS, KINDS, hash_files, make_predictions, score
from tests.budget.mini import mini_set

from warebench.engine.run import QueryLimits
from warebench.tracks.budget.subject import open_subject

PREDICTIONS, SECONDS = 64, 1.0
LIMITS = QueryLimits(seconds=SECONDS, rows=1_000, threads=1)
REASONS = {
    ENDLESS: {"timeout"},
    "huge result": {"too many rows", "timeout"},
    "huge value": {"memory", "timeout", "too large", "execution"},
    "drops a table": {"forbidden"},
    "second statement": {"forbidden"},
    "reads a host file": {"forbidden"},
    "attaches": {"forbidden"},
    "unparsable": {"unparsable"},
    "huge text": {"unparsable"},
    "deep text": {"unparsable"},
    "no such table": {"unknown table"},
    "no database named": {"unqualified"},
    "no such column": {"execution"},
    "other database": {"column count", "row count", "values", "wrong namespace"},
    "empty": {"unparsable"},
    "gold": {"equal"},
}
"""Kind of prediction to the reasons it may get."""


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_many_bad_predictions_are_all_judged(dialect):
    subject = open_subject(mini_set(dialect))
    before = hash_files(subject)
    predictions = make_predictions(subject, PREDICTIONS, share_endless=0.1)
    scored = score(subject, predictions, LIMITS, workers=2)
    assert [item.kind for item in scored] == [kind for _, kind, _ in predictions]
    assert {item.kind for item in scored} == set(KINDS) == set(REASONS)
    assert [item for item in scored if item.reason not in REASONS[item.kind]] == []
    assert hash_files(subject) == before
