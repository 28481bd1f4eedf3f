"""What reading a metric file gives: metrics and dimensions, and what was refused."""

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from warebench.errors import KnowledgeError, did_you_mean
from warebench.tracks.intelligence.knowledge.model import Dimension, Metric


class Refusal(msgspec.Struct, frozen=True, kw_only=True):
    """A metric or dimension that cannot be read without losing a part of its meaning."""

    kind: Literal["metric", "dimension"]
    name: str
    """As the file calls it; of a dimension with its entity or dataset, as in `order__status`."""
    construct: str
    """What the file uses: `offset_window`, `cumulative`, ..."""
    reason: str


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """What a metric file gave."""

    metrics: tuple[Metric, ...]
    dimensions: tuple[Dimension, ...]
    refusals: tuple[Refusal, ...] = ()


class Lost(KnowledgeError):
    """A construct whose meaning the knowledge model cannot hold.

    Args:
        construct: What the file calls it.
        reason: Why it cannot be read.
    """

    def __init__(self, construct: str, reason: str) -> None:
        self.construct, self.reason = construct, reason
        super().__init__(f"{construct}: {reason}", fix="model it otherwise, or leave it out")


def refuse(kind: Literal["metric", "dimension"], name: str, error: KnowledgeError) -> Refusal:
    """Return the refusal that an error stands for."""
    if isinstance(error, Lost):
        return Refusal(kind=kind, name=name, construct=error.construct, reason=error.reason)
    reason = error.what + (f" ({error.where})" if error.where else "")
    return Refusal(kind=kind, name=name, construct="unsupported SQL or names", reason=reason)


def settle(reading: Reading, leave_out: Sequence[str], place: str) -> Reading:
    """Return a reading whose refusals were all agreed to.

    Args:
        reading: What a reader returned.
        leave_out: Names of metrics and dimensions to do without, refused or not.
        place: The file, for errors.

    Raises:
        KnowledgeError: Something else was refused: each with its construct and reason. Or a name is unknown,
            or a kept metric is made of it.
    """
    made = [metric.id for metric in reading.metrics] + [item.id for item in reading.dimensions]
    known = made + [item.name for item in reading.refusals]
    for name in leave_out:
        if name not in known:
            raise KnowledgeError(
                f"`{name}` is to be left out, and is not there", where=place, fix=did_you_mean(name, known)
            )
    open_ones = [item for item in reading.refusals if item.name not in leave_out]
    if open_ones:
        raise KnowledgeError(_refused(open_ones), where=place, fix=_ways_out(open_ones))
    metrics = tuple(metric for metric in reading.metrics if metric.id not in leave_out)
    for metric in metrics:
        for part in metric.components.values():
            if part in leave_out:
                raise KnowledgeError(
                    f"{metric.id} is made of {part}, which is to be left out",
                    where=place,
                    fix="leave out both",
                )
    dimensions = tuple(item for item in reading.dimensions if item.id not in leave_out)
    return Reading(metrics=metrics, dimensions=dimensions, refusals=reading.refusals)


def _refused(items: Sequence[Refusal]) -> str:
    lines = [f"- {item.kind} {item.name}: {item.construct}: {item.reason}" for item in items]
    return "\n".join([f"{len(items)} entries would lose a part of their meaning:", *lines])


def _ways_out(items: Iterable[Refusal]) -> str:
    names = ", ".join(dict.fromkeys(item.name for item in items))
    return f"model them otherwise, or write `leave_out: [{names}]` in knowledge.yaml"
