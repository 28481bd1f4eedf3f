"""The texts of all tables of the pool, each made and counted once."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warebench.catalog.tokens import find_tokenizer
from warebench.tracks.budget.represent.naming import Naming
from warebench.tracks.budget.represent.render import NO_VALUES, Representation, render
from warebench.tracks.budget.represent.values import Values
from warebench.tracks.budget.schema import PoolSchema

TOKENIZER = "o200k_base"
"""In which budgets are counted: the public tokenizer nearest to the paper's main solver."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Texts:
    """Every table in one representation, by its number."""

    texts: tuple[str, ...]
    tokens: NDArray[np.int64]

    @property
    def total(self) -> int:
        """Tokens of all tables together."""
        return int(self.tokens.sum())


def make_texts(schema: PoolSchema, representation: Representation, naming: Naming, values: Values) -> Texts:
    """Return the texts of a pool with their tokens; O(tables + columns)."""
    texts = tuple(
        render(table, representation, naming, values.get(table.name, NO_VALUES)) for table in schema.tables
    )
    count = find_tokenizer(TOKENIZER)
    return Texts(texts=texts, tokens=np.array([count(text) for text in texts], dtype=np.int64))
