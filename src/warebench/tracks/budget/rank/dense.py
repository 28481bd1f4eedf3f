"""Nearness of embeddings: all-MiniLM-L6-v2, exact inner products. Needs the extra `dense`."""

from collections.abc import Callable, Sequence

from warebench.harness.embedding import embed
from warebench.tracks.budget.pack import Numbers
from warebench.tracks.budget.rank.order import by_score


def dense(texts: Sequence[str]) -> Callable[[str], Numbers]:
    """Return the ranker of some texts by the cosine of their vectors and the question's.

    Args:
        texts: One a table, in the order of the pool.

    Raises:
        MissingExtra: The extra `dense` is not installed.

    Source: BudgetSchemaBench (arXiv 2610.00092), section 3.
    """
    vectors = embed(list(texts))

    def rank(question: str) -> Numbers:
        return by_score(vectors @ embed([question])[0])

    return rank
