"""Whether a number is near enough, decided exactly."""

from fractions import Fraction

from warebench.answers.model import Quantity


def is_within(gold: Quantity, said: float) -> bool:
    """Tell whether |said - value| <= max(absolute, relative * |value|).

    The floats are taken for the shortest decimals that stand for them, so a reply that is off by
    exactly the tolerance is right: 0.4 is within 0.1 of 0.3, which float subtraction denies.

    Args:
        gold: The value and its tolerance.
        said: A finite number.
    """
    return abs(_exact(said) - _exact(gold.value)) <= tolerance(gold)


def tolerance(gold: Quantity) -> Fraction:
    """Return the largest distance from gold that is right, in the unit of the value."""
    return max(_exact(gold.absolute), _exact(gold.relative) * abs(_exact(gold.value)))


def _exact(number: float) -> Fraction:
    return Fraction(repr(float(number)))
