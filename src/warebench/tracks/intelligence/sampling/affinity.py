"""Whether a metric by a dimension makes sense: how near the dimension is, and whether it is spoken of.

The paper scores this by a judgement it does not specify; this one is deterministic. It is
`0.7 * nearness + 0.3 * overlap`. Nearness is 1 for a dimension of the metric's first table, 0.8 for one of a
table joined in its definition, 0.5 for one beyond, and 0.2 for a part of a key, which is a position and no
property of anything. Overlap is the share of the words of the dimension's label that the metric's name,
synonyms, unit or description use. A composite has the mean nearness of its parts.
"""

import re
from collections.abc import Iterable

from warebench.catalog.model import Catalog
from warebench.tracks.intelligence.knowledge.links import metric_tree
from warebench.tracks.intelligence.knowledge.model import Dimension, Knowledge, Metric
from warebench.tracks.intelligence.knowledge.relation import find_table, resolve_relation

NEARNESS, OVERLAP = 0.7, 0.3
FIRST, JOINED, BEYOND, POSITION = 1.0, 0.8, 0.5, 0.2
LITTLE = frozenset(["a", "an", "and", "by", "date", "for", "in", "its", "of", "on", "the", "to", "number"])
"""Words that say nothing."""


def affinity(knowledge: Knowledge, catalog: Catalog, metric: str, dimension: Dimension) -> float:
    """Return how well a dimension suits a metric, in [0, 1].

    Args:
        knowledge: The knowledge base.
        catalog: Its tables and keys.
        metric: Id of the metric.
        dimension: A dimension it can be sliced by, or that of its time.

    Source: DI-Bench, Appendix D.1, semantic affinity; the measure is ours.
    """
    parts = [part for part in metric_tree(knowledge, metric) if part.relation]
    nearness = sum(_nearness(part, catalog, dimension) for part in parts) / len(parts)
    said = _words([text for part in metric_tree(knowledge, metric) for text in _texts(part)])
    own = _words([dimension.label])
    overlap = len(own & said) / len(own) if own else 0.0
    return NEARNESS * nearness + OVERLAP * overlap


def _nearness(metric: Metric, catalog: Catalog, dimension: Dimension) -> float:
    if dimension.column in find_table(catalog, dimension.table).primary_key:
        return POSITION
    tables = [place.table for place in resolve_relation(metric.relation, catalog)] if metric.relation else []
    if dimension.table not in tables:
        return BEYOND
    return FIRST if tables[0] == dimension.table else JOINED


def _texts(metric: Metric) -> tuple[str, ...]:
    return (metric.name, metric.description, metric.unit, *metric.synonyms)


def _words(texts: Iterable[str]) -> set[str]:
    """Return the words of texts, without little ones and plural endings."""
    found = {word for text in texts for word in re.findall(r"[^\W\d_]+", text.casefold())}
    return {word.removesuffix("s") for word in found if word not in LITTLE}
