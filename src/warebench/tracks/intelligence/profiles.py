"""How many questions of which analysis type: the paper's counts, or any number of each.

Source: DI-Bench, Table 4.
"""

from collections.abc import Mapping

from warebench.errors import BuildError, did_you_mean
from warebench.tracks.intelligence.analyses.model import Analysis
from warebench.tracks.intelligence.analyses.types import TYPES

PAPER_COUNTS: Mapping[str, Mapping[Analysis, int]] = {
    "ecommerce": {
        "ranking": 92,
        "knowledge_retrieval": 69,
        "threshold_crossing": 81,
        "point_query": 54,
        "trend": 70,
        "comparison": 30,
        "significance": 32,
        "counterfactual": 11,
        "decomposition": 10,
    },
    "banking": {
        "ranking": 53,
        "knowledge_retrieval": 68,
        "threshold_crossing": 42,
        "point_query": 48,
        "trend": 8,
        "comparison": 33,
        "significance": 10,
        "counterfactual": 10,
        "decomposition": 10,
    },
}
"""449 and 282 questions, 731 in all."""

SHARES = {"default": 0.4, "paper": 175 / 594}
"""Profile to the share of questions over rows that are asked under rules; the paper has 175 and 419."""

SIZE = 20
"""Questions of each type about a database that is not one of the paper's two."""


def quotas(profile: str, domain: str, size: int | None, minimum: int) -> dict[Analysis, int]:
    """Return how many questions of each type to ask, in the order of the types.

    Args:
        profile: A name in SHARES; `paper` keeps the paper's count where it is below the minimum.
        domain: Name of the knowledge base.
        size: Questions of each type; None for the paper's counts where it has some, else SIZE.
        minimum: Fewest of each type.

    Raises:
        BuildError: The profile is unknown, or is the paper's and something else is asked for.
    """
    if profile not in SHARES:
        raise BuildError(f"unknown profile `{profile}`", fix=did_you_mean(profile, SHARES))
    if profile == "paper" and (size is not None or domain not in PAPER_COUNTS):
        raise BuildError(
            "profile paper asks the paper's own counts about its own two domains",
            fix="Leave out --profile paper, or else --size and --source.",
        )
    if size is not None:
        return {kind.name: size for kind in TYPES}
    counts = PAPER_COUNTS.get(domain, {})
    least = 0 if profile == "paper" else minimum
    return {kind.name: max(least, counts.get(kind.name, SIZE)) for kind in TYPES}
