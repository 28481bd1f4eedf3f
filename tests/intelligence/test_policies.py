"""Agents that apply, ignore and misread rules, on every question of the default set, and why they fail."""

from collections import Counter

import pytest
from inspect_ai import eval as evaluate

from warebench.tracks.intelligence.analyses.types import TYPES
from warebench.tracks.intelligence.tasks import default_set, warebench_intelligence

TIERS = {"knowledge", "analytics", "rule"}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return the log of a policy; each is run once."""
    done = {}

    def log_of(policy, **arguments):
        key = (policy, *sorted(arguments.items()))
        if key not in done:
            logs = str(tmp_path_factory.mktemp("logs"))
            task = warebench_intelligence(**arguments)
            model = f"policy/{policy}"
            done[key] = evaluate(task, model=model, display="none", log_dir=logs, score_display=False)[0]
            assert done[key].status == "success", done[key].error
        return done[key]

    return log_of


def rates(log):
    """Share of right answers by tier."""
    right, asked = Counter(), Counter()
    for sample in log.samples:
        tier = sample.metadata["facets"]["tier"]
        asked[tier] += 1
        right[tier] += sample.scores["verdict"].value["em"]
    return {tier: right[tier] / asked[tier] for tier in asked}


def reasons(log):
    return Counter(
        sample.scores["verdict"].reason for sample in log.samples if sample.scores["verdict"].value["em"] == 0
    )


def measures(log, name):
    found = [sample.scores["verdict"].metadata["measures"].get(name) for sample in log.samples]
    return [value for value in found if value is not None]


def test_the_default_set_has_every_type_and_tier():
    main = [question for question in default_set().questions if "matched" not in question.facets]
    assert {question.subtype for question in main} == {kind.name for kind in TYPES}
    assert {question.facets["tier"] for question in main} == TIERS
    ruled = Counter(question.subtype for question in main if question.facets["tier"] == "rule")
    # a small set of small data may have a type without a rule question
    assert len(ruled) >= len(TYPES) - 3


def test_who_applies_rules_is_always_right(run):
    log = run("applies_rules")
    assert rates(log) == dict.fromkeys(TIERS, 1.0)
    assert set(measures(log, "rules_read")) == set(measures(log, "credit_rows")) == {1.0}


def test_who_ignores_rules_fails_exactly_the_rule_tier(run):
    log = run("ignores_rules")
    assert rates(log) == {"knowledge": 1.0, "analytics": 1.0, "rule": 0.0}
    assert set(reasons(log)) == {"rule never retrieved"}
    assert set(measures(log, "rules_found")) == {0.0}


def test_who_reads_rules_and_ignores_them_leaves_the_sql_unchanged(run):
    log = run("retrieves_not_applies", tiers="rule")
    assert rates(log) == {"rule": 0.0}
    assert set(reasons(log)) == {"retrieved but SQL unchanged"}
    assert set(measures(log, "rules_read")) == {1.0}
    # three turns to search, read and query, and one to answer
    assert set(measures(log, "turns")) == {4.0}


def test_who_misreads_rules_applies_them_wrongly(run):
    log = run("misapplies", tiers="rule")
    found = reasons(log)
    assert rates(log)["rule"] < 0.2
    assert found["applied wrongly"] > sum(found.values()) / 2
    # a misread rule may leave no row, or change nothing
    assert set(found) <= {"applied wrongly", "no answer", "retrieved but SQL unchanged", "no query succeeded"}


def test_rules_in_the_prompt_count_as_read(run):
    log = run("ignores_rules", condition="oracle_rule", limit_per_subtype=1)
    assert rates(log) == {"rule": 0.0}
    assert set(reasons(log)) == {"retrieved but SQL unchanged"}
    assert set(measures(log, "rules_read")) == {1.0}


def test_without_rules_who_ignores_them_is_right(run):
    log = run("ignores_rules", condition="no_rule", limit_per_subtype=1)
    assert set(rates(log).values()) == {1.0}
    assert measures(log, "rules_read") == []
