"""Random values from a seed, built up like Hypothesis strategies but spread evenly.

Hypothesis draws small and alike examples first: of knowledge bases, the first hundreds hold next to no rules.
Here a test draws one seed, and everything else follows from it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any


@dataclass(frozen=True)
class Chance:
    """A value still to be drawn."""

    draw: Callable[[Random], Any]

    def map(self, change: Callable[[Any], Any]) -> "Chance":
        """Return the changed value."""
        return Chance(lambda rng: change(self.draw(rng)))


def just(value: Any) -> Chance:
    return Chance(lambda rng: value)


def sampled_from(items: Sequence[Any]) -> Chance:
    return Chance(lambda rng: rng.choice(items))


def booleans() -> Chance:
    return sampled_from([True, False])


def integers(least: int, most: int) -> Chance:
    return Chance(lambda rng: rng.randint(least, most))


def one_of(*options: Chance) -> Chance:
    return Chance(lambda rng: rng.choice(options).draw(rng))


def tuples(*parts: Chance) -> Chance:
    return Chance(lambda rng: tuple(part.draw(rng) for part in parts))


def samples(items: Sequence[Any], most: int) -> Chance:
    """Return up to `most` distinct items."""
    return Chance(lambda rng: tuple(rng.sample(items, rng.randint(0, most))))


def builds(kind: Callable[..., Any], **fields: Chance) -> Chance:
    return Chance(lambda rng: kind(**{name: field.draw(rng) for name, field in fields.items()}))


def composite(function: Callable[..., Any]) -> Callable[..., Chance]:
    """Return what makes a value of a function whose first argument draws others."""
    return lambda *arguments: Chance(lambda rng: function(lambda part: part.draw(rng), *arguments))
