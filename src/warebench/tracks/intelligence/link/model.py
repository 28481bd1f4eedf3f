"""Proposed links between rule documents and metrics, and what became of them."""

import msgspec

from warebench.tracks.intelligence.knowledge.model import Rule
from warebench.tracks.intelligence.slice import Slice


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """A rule document may change a metric."""

    rule: Rule
    """The candidate: its operations are those the document states in a readable way, or a model proposes."""
    metric: str
    """Id of the metric."""
    evidence: tuple[str, ...] = ()
    """Sentences that name the metric, verbatim but for white space and marks."""
    details: tuple[str, ...] = ()
    """Other sentences of the document with a day, a number or a value of a dimension."""
    scope: tuple[tuple[str, str], ...] = ()
    """(dimension id, stored value) that these sentences speak of."""
    dates: tuple[str, ...] = ()
    """Days (ISO) in them."""
    numbers: tuple[str, ...] = ()
    """Numbers in them, as written: thresholds among them."""
    origin: str
    """`text`, `front matter`, or the name of a model."""


class Confirmed(msgspec.Struct, frozen=True, kw_only=True):
    """A link whose operations change an answer."""

    proposal: Proposal
    slice: Slice
    """Where it shows; its rule is the candidate's."""
    group: tuple[str | int | float | bool, ...]
    before: float | None
    """Value of the group without the rule, as answers are written; None where it has none."""
    after: float | None


class Refuted(msgspec.Struct, frozen=True, kw_only=True):
    """A link whose operations do not fit the metric, or change nothing."""

    proposal: Proposal
    reason: str


class Confirmation(msgspec.Struct, frozen=True, kw_only=True):
    """What became of proposals. Only confirmed ones may make gold."""

    confirmed: tuple[Confirmed, ...] = ()
    refuted: tuple[Refuted, ...] = ()
    unconfirmed: tuple[Proposal, ...] = ()
    """Without an operation nothing can be tried: such a link is a hint for a person, and no more."""
