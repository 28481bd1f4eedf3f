"""Analysis types: windows, answers by two methods, refusals, tests."""

import dataclasses

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ttest_ind
from tests.intelligence import shop

from warebench.answers.model import Boolean, Quantity, Record, Table, Text
from warebench.tracks.intelligence.analyses.answers import answer
from warebench.tracks.intelligence.analyses.figures import figures as asked_figures
from warebench.tracks.intelligence.analyses.fit import check_fit
from warebench.tracks.intelligence.analyses.lab import Lab, certified, screen, second_answer
from warebench.tracks.intelligence.analyses.metrics import adds_up, is_redefined, suited_test
from warebench.tracks.intelligence.analyses.model import Ask, Unfit
from warebench.tracks.intelligence.analyses.observations import observations
from warebench.tracks.intelligence.analyses.second import Facts, answer_again
from warebench.tracks.intelligence.analyses.significance import find_p
from warebench.tracks.intelligence.analyses.types import TYPES, compatible
from warebench.tracks.intelligence.analyses.windows import inside, periods, starts, window
from warebench.tracks.intelligence.compute.run import open_database
from warebench.tracks.intelligence.knowledge.links import find_dimension, find_metric, governing_rules
from warebench.tracks.intelligence.knowledge.model import Measure, Override, Rule
from warebench.tracks.intelligence.slice import Slice, Window

KNOWLEDGE = shop.make_knowledge()
YEAR = Window(first="2018-01-01", last="2018-12-31")


@pytest.fixture(scope="module")
def lab():
    with open_database(shop.make_database(42, 1500)) as opened:
        yield Lab(KNOWLEDGE, opened)


MONTHS = [f"{year}-{month:02}" for year in (2017, 2018) for month in range(1, 13)]


@pytest.mark.parametrize(
    ("span", "step", "first", "count"),
    [
        (1, 1, "2017-01", 24),
        (3, 3, "2017-01", 8),
        (6, 6, "2017-01", 4),
        (12, 12, "2017-01", 2),
        (18, 3, "2017-01", 3),
    ],
)
def test_windows_are_aligned(span: int, step: int, first: str, count: int) -> None:
    found = starts(MONTHS, span, step)
    assert (found[0], len(found)) == (first, count)
    assert all((int(month[5:]) - 1) % step == 0 for month in found)


def test_a_window_ends_with_a_month() -> None:
    assert window("2016-01", 2) == Window(first="2016-01-01", last="2016-02-29")
    assert window("2017-11", 3) == Window(first="2017-11-01", last="2018-01-31")
    assert [periods(YEAR, grain) for grain in ("month", "quarter", "year")] == [12, 4, 1]


@pytest.mark.parametrize(
    ("months", "kept"),
    [
        ([], []),
        (["2017-01", "2017-02"], []),
        (["2017-01", "2017-02", "2017-03"], ["2017-02"]),
        (["2016-09", "2016-12", "2017-01", "2017-02", "2017-03"], ["2017-01", "2017-02"]),
    ],
)
def test_the_edges_of_the_data_are_left_out(months: list[str], kept: list[str]) -> None:
    assert inside(months) == kept


def test_types_and_what_they_go_with() -> None:
    assert len(TYPES) == 9
    assert all(kind.operators[0] == "Retrieve" for kind in TYPES)
    fitting = {kind.name for kind in TYPES if compatible(kind, ["temporal"])}
    assert "trend" in fitting
    assert not fitting & {"comparison", "ranking", "significance", "decomposition"}
    assert not compatible(TYPES[2], ["spatial"]), "no trend without time"


@pytest.mark.parametrize(
    ("metric", "test", "total"),
    [
        ("MV-DEL-001", "welch", False),
        ("MV-DEL-002", "proportions", False),
        ("MV-REV-001", "", False),
        ("MV-CUS-001", "", False),
        ("MV-FUL-001", "", False),
    ],
)
def test_what_suits_a_metric(metric: str, test: str, total: bool) -> None:
    assert suited_test(find_metric(KNOWLEDGE, metric)) == test
    assert adds_up(find_metric(KNOWLEDGE, metric)) is total


def test_sums_and_counts_of_rows_add_up() -> None:
    metric = find_metric(KNOWLEDGE, "MV-DEL-001")
    for measure, total in (
        (Measure(aggregate="count"), True),
        (Measure(aggregate="sum", value="o.x"), True),
        (Measure(aggregate="count_distinct", value="o.x"), False),
    ):
        assert adds_up(msgspec.structs.replace(metric, measures={"days": measure})) is total


# Both methods' last steps on the same figures.

groups = st.sampled_from(["SP", "RJ", "MG", "BA"])
values = st.integers(-500_000, 500_000).map(lambda n: n / 997)
figures = st.dictionaries(groups.map(lambda name: (name,)), values, min_size=2)
FACTS = Facts(find_metric(KNOWLEDGE, "MV-DEL-001"), find_dimension(KNOWLEDGE, "customer_state"), {})
TOTAL = msgspec.structs.replace(FACTS.metric, measures={"days": Measure(aggregate="sum", value="o.x")})


def _both(ask: Ask, found: dict[str, dict[tuple[str, ...], float]], facts: Facts = FACTS) -> None:
    metrics = [facts.metric if one.id == facts.metric.id else one for one in KNOWLEDGE.metrics]
    knowledge = msgspec.structs.replace(KNOWLEDGE, metrics=tuple(metrics))

    def first() -> object:
        return answer(knowledge, ask, found)

    def second() -> object:
        return answer_again(ask, found, facts)

    outcomes = []
    for method in (first, second):
        try:
            outcomes.append(method())
        except Unfit:
            outcomes.append(None)
    assert outcomes[0] == outcomes[1]


def _ask(analysis: str, **fields: object) -> Ask:
    return msgspec.convert({"analysis": analysis, "metric": "MV-DEL-001", **fields}, Ask)


@given(figures, st.lists(groups, min_size=2, max_size=2, unique=True))
def test_methods_agree_on_comparisons_and_rows(found: dict[tuple[str], float], members: list[str]) -> None:
    if len(set(found.values())) == len(found):  # ties are refused before
        _both(_ask("comparison", dimension="customer_state", members=members), {"value": found})
    _both(_ask("point_query", variant="rows", dimension="customer_state", members=members), {"value": found})


@given(figures, st.integers(1, 4), st.booleans())
def test_methods_agree_on_rankings(found: dict[tuple[str], float], top: int, ascending: bool) -> None:
    if len(set(found.values())) < len(found):
        return
    _both(_ask("ranking", dimension="customer_state", top=top, ascending=ascending), {"value": found})


@given(
    st.dictionaries(st.sampled_from([(month,) for month in MONTHS]), values.map(abs).filter(bool), min_size=2)
)
def test_methods_agree_on_trends(found: dict[tuple[str], float]) -> None:
    if len(set(found.values())) == len(found):
        _both(_ask("trend", grain="month"), {"value": found})


@given(figures)
def test_methods_agree_on_breakdowns(found: dict[tuple[str], float]) -> None:
    ask = _ask("decomposition", dimension="customer_state")
    _both(ask, {"value": found})
    if abs(sum(found.values())) > 1:
        _both(ask, {"value": found}, dataclasses.replace(FACTS, metric=TOTAL))


@given(values, values)
def test_methods_agree_on_single_values(one: float, other: float) -> None:
    _both(_ask("point_query"), {"value": {(): one}})
    _both(_ask("threshold_crossing", threshold=other), {"value": {(): one}})
    _both(_ask("counterfactual", variant="no_rules"), {"actual": {(): one}, "supposed": {(): other}})


def _shares(hits: tuple[int, int], sizes: tuple[int, int]) -> dict[str, dict[tuple[str, ...], float]]:
    return {
        name: dict(zip([("SP",), ("RJ",)], map(float, pair), strict=True))
        for name, pair in (("numerator", hits), ("denominator", sizes))
    }


SHARE = _ask("significance", metric="MV-DEL-002", members=["SP", "RJ"], dimension="customer_state",
             test="proportions")  # fmt: skip
OF_SHARES = dataclasses.replace(FACTS, metric=find_metric(KNOWLEDGE, "MV-DEL-002"))


@settings(deadline=None)  # the first call imports statsmodels
@given(st.integers(1, 500), st.integers(1, 40), st.integers(1, 500), st.integers(1, 500))
def test_methods_agree_on_proportions(hits: int, other: int, missed: int, missed_too: int) -> None:
    found = _shares((hits, other), (hits + missed, other + missed_too))
    try:
        answer(KNOWLEDGE, SHARE, found)
    except Unfit:
        return  # a tie, on which the methods may differ: it is never asked
    _both(SHARE, found, OF_SHARES)


@pytest.mark.parametrize(
    ("hits", "sizes", "right"),
    [
        # 25 against 12 of 100 each: pooled 0.185, error sqrt(0.185 * 0.815 * 0.02) = 0.054913, z = 2.3674.
        ((25, 12), (100, 100), (True, 0.0179, "proportions")),
        # 90 against 75 of 100 each: pooled 0.825, error 0.053735, z = 2.7915; ten misses are enough.
        ((90, 75), (100, 100), (True, 0.0052, "proportions")),
        # Of 2 rows among 30 and 3 that count, both among the 3: 3 of C(33, 2) = 528 tables.
        ((0, 2), (30, 3), (True, 0.0057, "fisher")),
        # One hit of 10 against three of 4. Of C(14, 4) = 1001 tables 10 * 4 are alike, one is less likely.
        ((1, 3), (10, 4), (True, 0.041, "fisher")),
    ],
)
def test_tests_of_shares_by_hand(
    hits: tuple[int, int], sizes: tuple[int, int], right: tuple[bool, float, str]
) -> None:
    gold = answer(KNOWLEDGE, SHARE, _shares(hits, sizes))
    assert isinstance(gold, Record)
    assert [field.name for field in gold.fields] == ["significant", "p_value", "test_name"]
    significant, p, name = right
    assert [field.value for field in gold.fields] == [
        Boolean(significant),
        Quantity(p, 1e-6, 0.0005),
        Text(name),
    ]
    assert gold == answer_again(SHARE, _shares(hits, sizes), OF_SHARES)


@pytest.mark.parametrize(("fewest", "name"), [(9, "fisher"), (10, "proportions")])
@pytest.mark.parametrize("second_group", [False, True])
@pytest.mark.parametrize("misses", [False, True])
def test_nine_rows_of_a_kind_are_too_few_for_a_z_test(
    fewest: int, name: str, second_group: bool, misses: bool
) -> None:
    hits, sizes = (100 - fewest if misses else fewest, 45), (100, 90)
    if second_group:
        hits, sizes = hits[::-1], sizes[::-1]
    gold = answer(KNOWLEDGE, SHARE, _shares(hits, sizes))
    assert isinstance(gold, Record)
    assert gold.fields[-1].value == Text(name)
    assert gold == answer_again(SHARE, _shares(hits, sizes), OF_SHARES)


def test_a_tie_between_tables_is_refused() -> None:
    with pytest.raises(Unfit, match="as likely as the one found"):
        answer(KNOWLEDGE, SHARE, _shares((5, 8), (100, 100)))


def test_the_second_method_finds_the_kind_of_test_by_itself(lab: Lab) -> None:
    means = _ask("significance", test="welch", window=YEAR, members=["SP", "RJ"], dimension="customer_state")
    told_otherwise = msgspec.structs.replace(means, test="proportions")
    found = {figure.name: lab.table(figure).values for figure in asked_figures(means)}
    wanted = Slice(metric=means.metric, group=("customer_state",), window=YEAR)
    facts = dataclasses.replace(FACTS, rows=observations(KNOWLEDGE, lab.opened.store, wanted))
    assert answer_again(told_otherwise, found, facts) == answer(KNOWLEDGE, means, found)
    shares = _shares((15, 10), (100, 100))
    told_otherwise = msgspec.structs.replace(SHARE, test="welch")
    assert answer_again(told_otherwise, shares, OF_SHARES) == answer(KNOWLEDGE, SHARE, shares)


@pytest.mark.parametrize(
    ("change", "redefined"),
    [
        (Override(metrics=("MV-DEL-002",), target="formula", expression="late"), True),
        (Override(metrics=("MV-DEL-002",), target="where", measure="delivered", expression="TRUE"), True),
        (Override(metrics=("MV-DEL-002",), target="where", measure="late", expression="TRUE"), False),
        (Override(metrics=("MV-DEL-001",), target="formula", expression="days"), False),
    ],
)
def test_no_test_suits_a_metric_that_a_rule_makes_another_one(change: Override, redefined: bool) -> None:
    rule = Rule(id="BR-99", title="Other", kind="override", document="x.md", operations=(change,))
    knowledge = msgspec.structs.replace(KNOWLEDGE, rules=(*KNOWLEDGE.rules, rule))
    metric = find_metric(knowledge, "MV-DEL-002")
    assert is_redefined(knowledge, metric, ("BR-99",)) is redefined
    assert not is_redefined(knowledge, metric, governing_rules(KNOWLEDGE, metric.id))


def test_welch_on_rows_is_welch_on_sums(lab: Lab) -> None:
    for rules in ((), governing_rules(KNOWLEDGE, "MV-DEL-001")):
        sides = {"dimension": "customer_state", "members": ["SP", "RJ"]}
        ask = _ask("significance", rules=rules, test="welch", window=YEAR, **sides)
        gold, sql = certified(lab, ask)
        assert sql.count("SELECT") == 3
        assert gold == second_answer(lab, ask) == screen(lab, ask)[0]


@pytest.mark.parametrize(
    "rows", [([-3.0, 1.0, 2.0], [4.0, 5.5, 9.0]), ([-1.0, 1.0 + 1e-12], [0.5, 2.0, -2.5])]
)
def test_welch_of_values_that_cancel(rows: tuple[list[float], list[float]]) -> None:
    sides = [{"count": len(side), "avg": np.mean(side), "stddev": np.std(side, ddof=1)} for side in rows]
    assert find_p("welch", sides) == pytest.approx(ttest_ind(*rows, equal_var=False).pvalue)


def test_observations_are_the_rows_behind_an_average(lab: Lab) -> None:
    rules = governing_rules(KNOWLEDGE, "MV-DEL-001")
    wanted = Slice(metric="MV-DEL-001", group=("customer_state",), rules=rules)
    rows = observations(KNOWLEDGE, lab.opened.store, wanted)
    ask = _ask("decomposition", dimension="customer_state", rules=rules)
    gold, _ = screen(lab, ask)
    assert isinstance(gold, Table)
    assert {name: round(float(rows[str(name)].mean()), 2) for name, _ in gold.rows} == dict(gold.rows)
    assert max(part.max() for part in rows.values()) <= 30, "the outlier rule took its rows away"


def _states(*values: float) -> dict[str, dict[tuple[str, ...], float]]:
    return {
        "value": {(name,): value for name, value in zip(("SP", "RJ", "MG", "BA", "RS"), values, strict=False)}
    }


def _months(*values: float) -> dict[str, dict[tuple[str, ...], float]]:
    return {"value": {(month,): value for month, value in zip(MONTHS, values, strict=False)}}


STATE = {"dimension": "customer_state"}
HALF = Window(first="2017-01-01", last="2017-06-30")
SERIES = {"grain": "month", "window": HALF}


@pytest.mark.parametrize(
    ("ask", "found", "reason"),
    [
        (_ask("point_query"), {"value": {(): 12.345}}, "edge of rounding"),
        (_ask("point_query"), {"value": {(): 100.0}}, "plain 0 or 100"),
        (_ask("point_query"), {"value": {(): 12.3412}}, ""),
        (_ask("comparison", members=["SP", "RJ"], **STATE), _states(10.0, 10.02), "too near"),
        (_ask("comparison", members=["SP", "RJ"], **STATE), _states(10.0, 11.02), ""),
        (_ask("comparison", members=["SP", "RJ"], **STATE), _states(10.0, 11.02, 3.005), ""),
        (_ask("ranking", top=3, **STATE), _states(9, 8, 7, 6), "too few groups"),
        (_ask("ranking", top=3, **STATE), _states(9, 8, 7, 7, 1), "tie"),
        (_ask("ranking", top=3, **STATE), _states(9, 8, 7, 6, 6), ""),
        (_ask("ranking", top=3, ascending=True, **STATE), _states(9, 8, 7, 6, 6), "tie"),
        (_ask("trend", **SERIES), _months(1, 2, 3, 4, 5), "no value"),
        (_ask("trend", **SERIES), _months(1, 2, 3, 4, 5, 6), ""),
        (_ask("trend", **SERIES), _months(-1, 2, 3, 4, 5, 6), "nothing to relate"),
        (_ask("trend", **SERIES), _months(5, 2, 3, 4, 9, 5.001), "too near"),
        (_ask("trend", **SERIES), _months(1, 2, 9, 4, 9, 6), "tie for the peak"),
        (_ask("threshold_crossing", threshold=20), {"value": {(): 20.1}}, "too near to the threshold"),
        (_ask("threshold_crossing", threshold=20), {"value": {(): 21.1}}, ""),
        (_ask("counterfactual"), {"actual": {(): 5.0}, "supposed": {(): 5.0}}, "nothing would change"),
        (_ask("counterfactual"), {"actual": {(): 5.0}, "supposed": {(): 6.0}}, ""),
        (_ask("decomposition", **STATE), _states(1, 2), "groups"),
        (_ask("decomposition", **STATE), _states(1, 1, 1, 2), "alike"),
        (_ask("point_query", variant="rows", members=["SP", "RJ"], **STATE), _states(1, 1, 2), "alike"),
        (_ask("point_query", variant="rows", members=["SP", "RJ"], **STATE), _states(1, 2, 2), ""),
        (_ask("counterfactual"), {"actual": {(): 100.0}, "supposed": {(): 40.0}}, "plain 0 or 100"),
        (_ask("decomposition", **STATE), _states(1, 2, 3), ""),
    ],
)  # fmt: skip
def test_refusals(ask: Ask, found: dict[str, dict[tuple[str, ...], float]], reason: str) -> None:
    gold = answer(KNOWLEDGE, ask, found)
    if not reason:
        check_fit(ask, gold, found, 2)
        return
    with pytest.raises(Unfit, match=reason):
        check_fit(ask, gold, found, 2)


@pytest.mark.parametrize(
    ("hits", "reason"),
    [
        ((15, 8), "too near to the level"),
        ((50, 5), "plain without"),
        ((15, 18), "plain without"),
        ((15, 0), "too few rows"),
        ((100, 60), "too few rows"),
        ((15, 13), ""),
        ((8, 4), ""),
    ],
)
def test_refusals_of_tests(hits: tuple[int, int], reason: str) -> None:
    ask, found = SHARE, _shares(hits, (100, 120))
    gold = answer(KNOWLEDGE, ask, found)
    if not reason:
        check_fit(ask, gold, found, 2)
        return
    with pytest.raises(Unfit, match=reason):
        check_fit(ask, gold, found, 2)


def test_groups_that_are_spelled_alike_are_refused() -> None:
    found = {"value": {("Brno",): 1.0, ("brno ",): 2.0, ("Praha",): 3.0}}
    ask = _ask("decomposition", **STATE)
    with pytest.raises(Unfit, match="alike"):
        check_fit(ask, answer(KNOWLEDGE, ask, found), found, 2)


def test_a_group_is_right_by_either_name() -> None:
    ask = _ask("comparison", members=["SP", "RJ"], **STATE)
    gold = answer(KNOWLEDGE, ask, _states(2.0, 1.0))
    assert isinstance(gold, Record)
    assert gold.fields[2].value == Text("São Paulo", ("SP",))
