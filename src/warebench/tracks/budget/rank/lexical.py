"""BM25 over the words of tables."""

from collections.abc import Callable, Iterable

import numpy as np
from bm25s import BM25

from warebench.tracks.budget.pack import Numbers
from warebench.tracks.budget.rank.order import by_score
from warebench.tracks.budget.rank.words import words


def lexical(texts: Iterable[str]) -> Callable[[str], Numbers]:
    """Return the BM25 ranker of some texts: k1 1.5, b 0.75, Lucene's idf.

    Args:
        texts: One a table, in the order of the pool.

    Complexity:
        Index: O(words). A question: O(its words' tables), and O(n log n) to sort n tables.

    Source: BudgetSchemaBench (arXiv 2610.00092), section 3; Robertson and Zaragoza, The Probabilistic
    Relevance Framework (2009); bm25s (Lu, arXiv 2407.03618).
    """
    index = BM25()
    documents = [words(text) for text in texts]
    index.index(documents, show_progress=False)
    known, tables = index.vocab_dict, len(documents)

    def rank(question: str) -> Numbers:
        # Each word once, as a long question may repeat one.
        asked = [word for word in dict.fromkeys(words(question)) if word in known]
        return by_score(index.get_scores(asked)) if asked else np.arange(tables)

    return rank
