"""A silo before its columns: tables with roles, and edges by name."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

Role = Literal["raw", "staging", "dimension", "fact", "mart", "record"]
"""What a table is for; decides its columns."""

Word = TypeVar("Word")

UNITS = ("emea", "apac", "amer", "latam", "nordics", "benelux", "iberia", "anz")


@dataclass(frozen=True, kw_only=True, slots=True)
class DraftTable:
    """A table without columns. `noun` is what its key is called after."""

    name: str
    role: Role
    noun: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Silo:
    """Tables of one connected component with their edges.

    `foreign_keys` are (child, parent) and may repeat a pair (role-playing keys); `lineage` are distinct
    (downstream, upstream).
    """

    tables: tuple[DraftTable, ...]
    foreign_keys: tuple[tuple[str, str], ...] = ()
    lineage: tuple[tuple[str, str], ...] = ()


@dataclass(kw_only=True, slots=True)
class Names:
    """Hands out table names, none twice. All are lower case, so they also differ case-insensitively."""

    _taken: set[str] = field(default_factory=set)
    _uses: dict[str, int] = field(default_factory=dict)

    def take(self, stem: str) -> str:
        """Return `stem`, or `stem_<unit>` or `stem_<unit>_<n>` where it is taken."""
        while True:
            use = self._uses.get(stem, 0)
            self._uses[stem] = use + 1
            name = _spell(stem, use)
            if name not in self._taken:
                self._taken.add(name)
                return name

    def table(self, prefix: str, noun: str, role: Role) -> DraftTable:
        """Return a draft called `<prefix>_<noun>`, or `<noun>` without prefix."""
        return DraftTable(name=self.take(f"{prefix}_{noun}" if prefix else noun), role=role, noun=noun)


def _spell(stem: str, use: int) -> str:
    if use == 0:
        return stem
    lap, unit = divmod(use - 1, len(UNITS))
    return f"{stem}_{UNITS[unit]}" if lap == 0 else f"{stem}_{UNITS[unit]}_{lap + 1}"


def spans(takers: int, givers: int) -> Iterator[range]:
    """Yield for each taker a run of giver indices so that the runs cover all givers and overlap by one.

    The bipartite graph of takers and givers is then connected, with as few edges as that takes.

    Example:
        >>> [list(run) for run in spans(2, 5)], [list(run) for run in spans(3, 2)]
        ([[0, 1, 2], [2, 3, 4]], [[0], [0], [0, 1]])
    """
    last = givers - 1
    for taker in range(takers):
        yield range(taker * last // takers, (taker + 1) * last // takers + 1)


def lap(words: Sequence[Word], index: int) -> Word:
    """Return the word at `index`, starting over at the end."""
    return words[index % len(words)]
