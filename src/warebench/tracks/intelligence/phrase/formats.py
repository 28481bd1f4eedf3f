"""Last sentences: what exactly is computed, and how the answer is written."""

from collections.abc import Callable, Mapping

from warebench.tracks.intelligence.analyses.metrics import adds_up
from warebench.tracks.intelligence.analyses.model import (
    ALPHA,
    FEWEST_OF_A_KIND,
    P_DECIMALS,
    P_TOLERANCE,
    Analysis,
    Ask,
)
from warebench.tracks.intelligence.knowledge.links import find_dimension, find_metric
from warebench.tracks.intelligence.knowledge.model import Knowledge
from warebench.tracks.intelligence.phrase.words import number, places, unit

PERIODS = {"month": "2018-04", "quarter": "2018-Q2", "year": "2018"}


def answer_format(knowledge: Knowledge, ask: Ask) -> str:
    """Return the sentences that settle what is computed and how it is written."""
    return FORMATS[ask.analysis](knowledge, ask)


def _figure(knowledge: Knowledge, ask: Ask) -> str:
    metric = find_metric(knowledge, ask.metric)
    return f"{unit(metric.unit)}, {places(metric.decimals)}"


def _group_key(knowledge: Knowledge, ask: Ask) -> str:
    label = find_dimension(knowledge, ask.dimension).label
    return f'"group" (the {label} exactly as it is stored in the database)'


def _point(knowledge: Knowledge, ask: Ask) -> str:
    if ask.variant != "rows":
        return f"Answer with one number: {_figure(knowledge, ask)}."
    return (
        f"Answer with one row for each of the {len(ask.members)} groups, in any order, with the keys "
        f'{_group_key(knowledge, ask)} and "value" ({_figure(knowledge, ask)}).'
    )


def _trend(_: Knowledge, ask: Ask) -> str:
    return (
        f"Compare the last {ask.grain} with the first: the direction is increasing if the "
        "last value is higher "
        "than the first, and decreasing if it is lower; the total change is the last value "
        "minus the first, in "
        f"percent of the first, from unrounded values. The peak is the {ask.grain} with the highest value. "
        'Answer with the keys "direction" ("increasing" or "decreasing"), "total_change_pct" (rounded to 2 '
        f'decimals) and "peak_period" (written like {PERIODS[ask.grain]}).'
    )


def _comparison(knowledge: Knowledge, ask: Ask) -> str:
    figure = _figure(knowledge, ask)
    return (
        f'Answer with the keys "value_a" and "value_b" (each in {figure}) and "higher" (the name of the '
        "group with the higher value, not its letter)."
    )


def _ranking(knowledge: Knowledge, ask: Ask) -> str:
    first = "lowest" if ask.ascending else "highest"
    return (
        "Groups without a value, and rows that belong to no group, are left out. "
        f"Answer with {ask.top} rows, the {first} value first, with the keys "
        f'{_group_key(knowledge, ask)} and "value" ({_figure(knowledge, ask)}).'
    )


def _significance(_: Knowledge, __: Ask) -> str:
    return (
        "Choose the test by the metric, over the single rows that it counts, taken as independent "
        "observations. If it is a mean of values: welch (Welch's t-test, with sample standard deviations). "
        "If it is a share of the rows: proportions (two-proportion z-test, pooled standard error, no "
        f"continuity correction) where each of the two groups has at least {FEWEST_OF_A_KIND} rows that "
        f"count towards the share and at least {FEWEST_OF_A_KIND} that do not, otherwise fisher (Fisher's "
        "exact test, which adds up the probabilities of all tables with the same margins that are no "
        f"likelier than the one found). Each is two-sided, at a significance level of {ALPHA}. "
        'Answer with the keys "significant" (true or false), "p_value" '
        f"(rounded to {P_DECIMALS} decimals; anything within {P_TOLERANCE} is right) and "
        '"test_name" ("welch", "proportions" or "fisher").'
    )


def _threshold(knowledge: Knowledge, ask: Ask) -> str:
    return (
        f'Answer with the keys "value" ({_figure(knowledge, ask)}), "threshold" '
        f'({number(ask.threshold).replace(",", "")}) and "result" ("above" or "below").'
    )


def _counterfactual(knowledge: Knowledge, ask: Ask) -> str:
    return (
        'Answer with the keys "actual" (the value as it is), "counterfactual" (the value '
        "under the supposition) and "
        f'"change" (counterfactual minus actual, from unrounded values), each in {_figure(knowledge, ask)}.'
    )


def _decomposition(knowledge: Knowledge, ask: Ask) -> str:
    shares = adds_up(find_metric(knowledge, ask.metric))
    extra = (
        ', "share_pct" (percent of the sum over all groups listed, rounded to 2 decimals)' if shares else ""
    )
    return (
        "Leave out groups without a value, and rows that belong to no group. Answer with one "
        "row for each group, in "
        f'any order, with the keys {_group_key(knowledge, ask)}, "value" ({_figure(knowledge, ask)}){extra}.'
    )


FORMATS: Mapping[Analysis, Callable[[Knowledge, Ask], str]] = {
    "point_query": _point,
    "trend": _trend,
    "comparison": _comparison,
    "ranking": _ranking,
    "significance": _significance,
    "threshold_crossing": _threshold,
    "counterfactual": _counterfactual,
    "decomposition": _decomposition,
}
