"""The counterfactual check: a link counts only if its operations change an answer on the data.

Source: DI-Bench, section 3.1 (imperfect graph extraction).
"""

from collections.abc import Iterator, Sequence

import msgspec

from warebench.engine.database import Database
from warebench.errors import StraddleError, UserError
from warebench.tracks.intelligence.compute.counterfactual import as_written
from warebench.tracks.intelligence.compute.run import Opened, find_values, open_database
from warebench.tracks.intelligence.knowledge.check_rules import check_operation, check_rule
from warebench.tracks.intelligence.knowledge.links import find_metric, metric_tree
from warebench.tracks.intelligence.knowledge.model import Knowledge, Operation, Rule
from warebench.tracks.intelligence.link.model import Confirmation, Confirmed, Proposal, Refuted
from warebench.tracks.intelligence.slice import Key, Slice, Window
from warebench.tracks.intelligence.slicing import sliceable

FIRST_DAY, LAST_DAY = "1000-01-01", "9000-12-31"


def confirm_links(knowledge: Knowledge, database: Database, proposals: Sequence[Proposal]) -> Confirmation:
    """Return which proposals change an answer on the data, which do not, and which cannot be tried.

    Args:
        knowledge: Metrics and dimensions, checked; its rules are not applied.
        database: The data.
        proposals: From `propose_links` or `extract_links`.

    Raises:
        GoldDisagreement: The two methods differ: a bug of warebench.
    """
    confirmed: list[Confirmed] = []
    refuted: list[Refuted] = []
    unconfirmed: list[Proposal] = []
    with open_database(database) as opened:
        for proposal in proposals:
            try:
                trial = trial_rule(knowledge, proposal)
                if not trial.operations:
                    unconfirmed.append(proposal)
                    continue
                found = _try(knowledge, opened, proposal, trial)
            except UserError as error:
                refuted.append(Refuted(proposal=proposal, reason=error.what))
                continue
            if isinstance(found, Refuted):
                refuted.append(found)
            else:
                confirmed.append(found)
    return Confirmation(confirmed=tuple(confirmed), refuted=tuple(refuted), unconfirmed=tuple(unconfirmed))


def trial_rule(knowledge: Knowledge, proposal: Proposal) -> Rule:
    """Return the candidate alone, with its operations on the metric and on what that is made of.

    Raises:
        BuildError: There is no such metric.
    """
    tree = [metric.id for metric in metric_tree(knowledge, proposal.metric)]
    operations = tuple(
        on_metrics(operation, shared)
        for operation in proposal.rule.operations
        if (shared := tuple(name for name in operation.metrics if name in tree))
    )
    return msgspec.structs.replace(
        proposal.rule, operations=operations, supersedes=(), refers_to=(), facts=()
    )


def on_metrics(operation: Operation, metrics: tuple[str, ...]) -> Operation:
    """Return an operation on other metrics."""
    return msgspec.structs.replace(operation, metrics=metrics)


def _try(knowledge: Knowledge, opened: Opened, proposal: Proposal, trial: Rule) -> Confirmed | Refuted:
    tested = msgspec.structs.replace(knowledge, rules=(trial,))
    catalog = opened.database.catalog
    check_rule(tested, trial)
    for operation in trial.operations:
        check_operation(tested, catalog, trial, operation)
    decimals = find_metric(knowledge, proposal.metric).decimals
    tried = 0
    for wanted in _slices(tested, opened, proposal.metric, trial):
        try:
            after = as_written(find_values(tested, opened, wanted), decimals)
        except StraddleError:
            continue
        plain = msgspec.structs.replace(wanted, rules=())
        before = as_written(find_values(tested, opened, plain), decimals)
        tried += 1
        if before != after:
            group = _first(before, after)
            return Confirmed(
                proposal=proposal,
                slice=wanted,
                group=group,
                before=before.get(group),
                after=after.get(group),
            )
    return Refuted(proposal=proposal, reason=f"it changes the answer of none of {tried} slices")


def _slices(knowledge: Knowledge, opened: Opened, metric: str, rule: Rule) -> Iterator[Slice]:
    """Yield the whole, groups by each dimension, months, then both; for a rule with dates its days first."""
    dated = all(part.time for part in metric_tree(knowledge, metric) if part.relation)
    dimensions = sliceable(knowledge, opened.database.catalog, metric)
    windows: list[Window | None] = [None]
    if dated and (rule.effective_from or rule.effective_to):
        days = Window(first=rule.effective_from or FIRST_DAY, last=rule.effective_to or LAST_DAY)
        windows = [days, None]
    for window in windows:
        yield Slice(metric=metric, window=window, rules=(rule.id,))
        for dimension in dimensions:
            yield Slice(metric=metric, window=window, group=(dimension.id,), rules=(rule.id,))
    if dated:
        for group in ((), *((dimension.id,) for dimension in dimensions)):
            yield Slice(metric=metric, window=windows[0], group=group, grain="month", rules=(rule.id,))


def _first(before: dict[Key, float], after: dict[Key, float]) -> Key:
    """Return the first group whose value changes."""
    return next(key for key in sorted({*before, *after}, key=repr) if before.get(key) != after.get(key))
