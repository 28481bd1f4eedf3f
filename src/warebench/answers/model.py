"""The closed set of answers; adding one makes the type checker list every place to extend."""

import msgspec


class Boolean(msgspec.Struct, frozen=True, tag="boolean"):
    """Yes or no."""

    value: bool


class Number(msgspec.Struct, frozen=True, tag="number"):
    """A whole number."""

    value: int


class NameSet(msgspec.Struct, frozen=True, tag="names", omit_defaults=True):
    """A set of names, sorted and without duplicates; order does not matter in comparison."""

    names: tuple[str, ...]
    optional: tuple[str, ...] = ()
    """Names neither required nor forbidden: target-node normalisation (DW-Bench, section 5.1)."""


class Path(msgspec.Struct, frozen=True, tag="path", omit_defaults=True):
    """An ordered path. Gold also carries every edge that lies on some shortest path."""

    nodes: tuple[str, ...]
    steps: tuple[tuple[str, str], ...] = ()
    """Directed steps of all shortest paths, sorted; any chain of them from first to last is right."""


class Abstain(msgspec.Struct, frozen=True, tag="abstain"):
    """The model declined to answer: a verdict (wrong), not an error."""

    reason: str = ""


Answer = Boolean | Number | NameSet | Path
"""What gold can be."""

Reply = Answer | Abstain
"""What a model can say."""
