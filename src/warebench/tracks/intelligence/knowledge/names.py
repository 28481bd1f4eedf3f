"""Names that stand for two things: ids, pages, and what questions call metrics and dimensions."""

from collections.abc import Iterable, Iterator

from warebench.errors import KnowledgeError
from warebench.tracks.intelligence.knowledge.model import Knowledge


def find_name_faults(knowledge: Knowledge) -> Iterator[KnowledgeError]:
    """Yield an error for every id that stands twice, and for names that a question could not tell apart."""
    metrics = [metric.id for metric in knowledge.metrics]
    for kind, ids in (
        ("metric", metrics),
        ("dimension", [dimension.id for dimension in knowledge.dimensions]),
        ("rule", [rule.id for rule in knowledge.rules]),
    ):
        for name, same in _twice((name, name) for name in ids):
            yield KnowledgeError(f"{len(same)} {kind}s are called {name}", fix="give each its own id")
    for _, same in _twice((name.lower(), name) for name in dict.fromkeys(metrics)):
        yield KnowledgeError(
            f"metrics {' and '.join(same)} differ by case alone: their pages would be one file",
            fix="give each its own id",
        )
    spoken = [(metric.name, f"metric {metric.id}") for metric in knowledge.metrics]
    spoken += [(item.label, f"dimension {item.id}") for item in knowledge.dimensions]
    for name, same in _twice((" ".join(name.split()).casefold(), who) for name, who in spoken):
        if len(set(same)) > 1:
            yield KnowledgeError(
                f"{' and '.join(same)} are both called `{name}`: a question could not tell them apart",
                fix="give one another name",
            )


def _twice(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, list[str]]]:
    """Yield keys that stand several times, with what they stand for."""
    found: dict[str, list[str]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    yield from ((key, values) for key, values in found.items() if len(values) > 1)
