"""The figures that an answer is made of: the first method's slices of a question."""

import msgspec

from warebench.tracks.intelligence.analyses.model import Ask, Figure, Test
from warebench.tracks.intelligence.slice import Slice


def figures(ask: Ask) -> tuple[Figure, ...]:
    """Return the figures that the answer is made of."""
    main = Slice(
        metric=ask.metric,
        group=(ask.dimension,) if ask.dimension else (),
        filters=ask.filters,
        window=ask.window,
        grain=ask.grain,
        rules=ask.rules,
    )
    if ask.test:
        return tuple(Figure(name=part, slice=main, part=part) for part in TEST_PARTS[ask.test])
    if ask.analysis != "counterfactual":
        return (Figure(name="value", slice=main),)
    changed: dict[str, object] = {"parameters": ((ask.parameter, ask.supposed),)}
    if ask.variant == "no_rules":
        changed = {"rules": ()}
    other = msgspec.structs.replace(main, **changed)
    return (Figure(name="actual", slice=main), Figure(name="supposed", slice=other))


TEST_PARTS: dict[Test, tuple[str, ...]] = {
    "welch": ("count", "avg", "stddev"),
    "proportions": ("numerator", "denominator"),
}
