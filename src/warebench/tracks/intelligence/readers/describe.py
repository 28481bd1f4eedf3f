"""Words of metrics that come from files: names, units and decimals."""

from collections.abc import Mapping

from warebench.tracks.intelligence.knowledge.model import Metric, Tier

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
