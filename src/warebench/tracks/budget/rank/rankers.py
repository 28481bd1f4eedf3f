"""The rankers by name, and what each is made of."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from warebench.errors import RunError, did_you_mean
from warebench.tracks.budget.pack import Numbers
from warebench.tracks.budget.rank.dense import dense
from warebench.tracks.budget.rank.lexical import lexical
from warebench.tracks.budget.rank.order import expand, fuse
from warebench.tracks.budget.schema import PoolSchema, SchemaTable

Rank = Callable[[str], Numbers]
"""From a question's text to all tables, best first."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Ranked:
    """What rankers may look at."""

    schema: PoolSchema
    texts: Sequence[str] = ()
    """The tables as the prompt shows them; only `serialised` reads them."""


NAME_ONLY = ("lexical", "dense", "fused", "expanded")
"""Rankers that give one order whatever the representation: the paper's isolation."""

DENSE = ("dense", "fused")
"""Rankers that need the extra `dense`."""


def names_text(table: SchemaTable) -> str:
    """Return the names of a table and its columns; its database stays out."""
    return " ".join([table.table.name, *(column.name for column in table.table.columns)])


def sentence(table: SchemaTable) -> str:
    """Return the same names as a reader would say them, for a model of sentences."""
    spoken = [_spoken(name) for name in (table.table.name, *(column.name for column in table.table.columns))]
    return f"{spoken[0]}: {', '.join(spoken[1:])}"


def _spoken(name: str) -> str:
    return " ".join(re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+", name)).lower() or name


def _lexical(ranked: Ranked) -> Rank:
    return lexical(map(names_text, ranked.schema.tables))


def _dense(ranked: Ranked) -> Rank:
    return dense([sentence(table) for table in ranked.schema.tables])


def _serialised(ranked: Ranked) -> Rank:
    return lexical(ranked.texts)


def _fused(ranked: Ranked) -> Rank:
    parts = (_lexical(ranked), _dense(ranked))
    return lambda question: fuse([part(question) for part in parts])


def _expanded(ranked: Ranked) -> Rank:
    base, neighbours = _lexical(ranked), ranked.schema.neighbours
    return lambda question: expand(base(question), neighbours)


RANKERS: Mapping[str, Callable[[Ranked], Rank]] = {
    "lexical": _lexical,
    "dense": _dense,
    "serialised": _serialised,
    "expanded": _expanded,
    "fused": _fused,
}
"""`lexical` and `dense` are the paper's (section 3), on names only. Beyond it: BM25 over the texts of the
prompt, lexical with each table's neighbours lifted behind it, and both of the paper's by reciprocal rank."""


def find_ranker(name: str) -> Callable[[Ranked], Rank]:
    """Return what makes a ranker.

    Raises:
        RunError: There is no such ranker.
    """
    if name not in RANKERS:
        raise RunError(f"unknown ranker `{name}`", fix=did_you_mean(name, RANKERS))
    return RANKERS[name]
