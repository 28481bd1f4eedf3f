"""Words of metrics and dimensions that come from files: names, units and decimals."""

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from warebench.tracks.intelligence.knowledge.model import Dimension, Metric, Tier

UNIT = "units"
"""Of a metric whose owner does not say."""

DESCRIBED = ("name", "tier", "description", "unit", "decimals", "synonyms")


def describe(made: Metric, *, name: str, tier: Tier, description: str, meta: Mapping[str, object]) -> Metric:
    """Return a metric with its words: unit, decimals and synonyms as its owner notes them, or the default."""
    counts = [measure.aggregate in ("count", "count_distinct") for measure in made.measures.values()]
    decimals, synonyms = meta.get("decimals"), meta.get("synonyms")
    # msgspec's `replace` does not check types: these three come from free text of the file.
    return Metric(
        **{key: getattr(made, key) for key in made.__struct_fields__ if key not in DESCRIBED},
        name=name,
        tier=tier,
        description=" ".join(description.split()) or f"{name}, as defined in the company's metric file.",
        unit=str(meta.get("unit") or UNIT),
        decimals=decimals
        if isinstance(decimals, int) and 0 <= decimals <= 9
        else 0
        if counts == [True]
        else 2,
        synonyms=tuple(map(str, synonyms)) if isinstance(synonyms, list) else (),
    )


def tell_apart(dimensions: Sequence[Dimension]) -> tuple[Dimension, ...]:
    """Return dimensions of which those that are called alike have the name of their table's entity before it.

    Files have them often, such as a `created_at` in each of several models; a question has to say which one.

    Args:
        dimensions: With ids of the form `entity__name`.
    """
    called = Counter(item.label.casefold() for item in dimensions)
    return tuple(
        msgspec.structs.replace(item, label=f"{item.id.partition('__')[0].replace('_', ' ')} {item.label}")
        if called[item.label.casefold()] > 1
        else item
        for item in dimensions
    )
