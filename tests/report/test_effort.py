import math

from tests.report.tables_at import checked, row_at

from warebench.report.effort import ESTIMATE, effort, failures, outcomes, sets, wrong_answers


def test_effort_is_a_mean_and_nan_where_not_measured():
    table = effort(checked())
    oracle = row_at(table, model="acme/large", method="oracle")
    assert (oracle["input_tokens"], oracle["output_tokens"], oracle["seconds"]) == (900, 100, 2.5)
    planner = row_at(table, model="policy/planner", obfuscation="none")
    assert math.isnan(planner["input_tokens"])
    assert math.isnan(planner["code_runs"])


def test_every_row_has_one_outcome():
    frame = outcomes(checked()).frame
    assert (frame[["right", "wrong", "errors", "unscored"]].sum(axis=1) == frame["rows"]).all()
    tiny = frame[frame["model"] == "local/tiny"].iloc[0]
    assert tiny[["right", "wrong", "errors", "unscored"]].tolist() == [1, 3, 1, 1]


def test_failures_are_grouped_by_reason_most_frequent_first():
    frame = failures(checked()).frame
    assert frame[["outcome", "model", "reason", "rows", "example"]].values.tolist() == [
        ["error", "acme/large", "sandbox died", 1, "q5"],
        ["error", "acme/large", "timeout after 120 s", 1, "q5t"],
        ["error", "local/tiny", "timeout after 120 s", 1, "q6"],
        ["unscored", "local/tiny", "empty completion", 1, "q5"],
    ]


def test_wrong_answers_hold_no_errors():
    frame = wrong_answers(checked()).frame
    assert set(frame["outcome"]) == {"verdict"}
    assert frame["rows"].tolist() == sorted(frame["rows"], reverse=True)


def test_sets_name_hash_and_catalogs():
    row = row_at(sets(checked()), obfuscation="tables")
    assert (row["set_hash"], row["catalogs"], row["questions"]) == ("bb22" * 16, "clinic, shop", 6)


def test_tokens_of_policies_are_said_to_be_estimates():
    assert ESTIMATE in effort(checked()).caption
    assert ESTIMATE not in effort(checked()[checked()["model"] == "acme/large"]).caption
