"""The closed set of answers; adding one makes the type checker list every place to extend."""

import math
import re

import msgspec

_LETTER = re.compile(r"[A-Z]")


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


class Quantity(msgspec.Struct, frozen=True, tag="quantity"):
    """A number with the tolerance it is judged with: the larger of `absolute` and `relative * |value|`.

    The file states both tolerances, so that a set means the same under every version's defaults.
    """

    value: float
    """Finite. What is undefined is no answer."""
    relative: float = 1e-4
    """Share of the value by which a reply may be off; the tolerance of a reply does not count."""
    absolute: float = 0.0
    """Amount by which a reply may be off, in the unit of the value."""

    def __post_init__(self) -> None:
        if not math.isfinite(self.value):
            raise ValueError(f"a quantity is finite, not {self.value}")
        if not (0 <= self.relative < 1 and 0 <= self.absolute < math.inf):
            raise ValueError(f"no tolerance: relative {self.relative}, absolute {self.absolute}")


class Text(msgspec.Struct, frozen=True, tag="text", omit_defaults=True):
    """An entity or the value of a cell, compared in its canonical form (`cell.canonical_cell`)."""

    value: str
    accept: tuple[str, ...] = ()
    """Further values that are right too, such as another spelling or a tied entity."""


class Choice(msgspec.Struct, frozen=True, tag="choice"):
    """The letter of one option of a multiple-choice question."""

    letter: str
    """One capital letter, A to Z."""

    def __post_init__(self) -> None:
        if not _LETTER.fullmatch(self.letter):
            raise ValueError(f"a choice is one capital letter, not {self.letter!r}")


class Abstain(msgspec.Struct, frozen=True, tag="abstain"):
    """The model declined to answer: a verdict (wrong), not an error."""

    reason: str = ""


Answer = Boolean | Number | NameSet | Path | Quantity | Text | Choice
"""What gold can be."""

Reply = Answer | Abstain
"""What a model can say."""
