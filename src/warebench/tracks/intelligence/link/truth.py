"""Confirmed links as `truth.yaml`, and all of them in words."""

from collections.abc import Iterator

import msgspec
import yaml

from warebench.tracks.intelligence.knowledge.model import Operation, Rule
from warebench.tracks.intelligence.link.confirm import on_metrics
from warebench.tracks.intelligence.link.model import Confirmation


def confirmed_rules(found: Confirmation) -> tuple[Rule, ...]:
    """Return one rule for each document with confirmed links, its operations on those metrics only."""
    links: dict[str, list[str]] = {}
    rules: dict[str, Rule] = {}
    for item in found.confirmed:
        links.setdefault(item.proposal.rule.id, []).append(item.proposal.metric)
        rules.setdefault(item.proposal.rule.id, item.proposal.rule)
    return tuple(
        msgspec.structs.replace(
            rule,
            operations=tuple(_kept(rule, links[name])),
            supersedes=tuple(other for other in rule.supersedes if other in rules),
            refers_to=tuple(other for other in rule.refers_to if other in rules),
        )
        for name, rule in rules.items()
    )


def _kept(rule: Rule, metrics: list[str]) -> Iterator[Operation]:
    for operation in rule.operations:
        if shared := tuple(name for name in operation.metrics if name in metrics):
            yield on_metrics(operation, shared)


def write_truth(found: Confirmation) -> str:
    """Return the text of `truth.yaml`: confirmed links only. Facts to ask about are for a person to add."""
    rules = [_plain(rule) for rule in confirmed_rules(found)]
    return yaml.safe_dump({"rules": rules}, sort_keys=False, allow_unicode=True, width=110)


def _plain(rule: Rule) -> dict[str, object]:
    said = msgspec.to_builtins(rule)
    operations = [{key: value for key, value in one.items() if value != ""} for one in said.pop("operations")]
    return {key: value for key, value in said.items() if value} | {"operations": operations}


def describe_links(found: Confirmation) -> str:
    """Return what became of every proposal, one line each; those that make no gold are said to."""
    lines = []
    for item in found.confirmed:
        one = item.proposal
        where = ", ".join(map(str, item.group)) or "all rows"
        change = f"{_value(item.before)} becomes {_value(item.after)} ({where})"
        lines.append(f"confirmed    {one.rule.id} -> {one.metric}: {change}")
    lines += [f"refuted      {r.proposal.rule.id} -> {r.proposal.metric}: {r.reason}" for r in found.refuted]
    for one in found.unconfirmed:
        lines.append(f"UNCONFIRMED  {one.rule.id} -> {one.metric}: {_hint(one.evidence)}")
    if found.unconfirmed:
        lines.append(
            f"{len(found.unconfirmed)} links have no operation: nothing was tried on the data, and no gold "
            "is made of them. Write operations in truth.yaml or in the front matter of the document."
        )
    return "\n".join(lines)


def _value(value: float | None) -> str:
    return "no value" if value is None else f"{value:g}"


def _hint(evidence: tuple[str, ...]) -> str:
    return f"no operation; the document says: {evidence[0]}" if evidence else "no operation"
