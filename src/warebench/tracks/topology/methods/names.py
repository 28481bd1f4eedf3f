"""Table names as people and models write them, resolved against a catalog."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from warebench.answers.canonical import canonical

QUOTED = re.compile(r"`((?:[^`]|``)+)`")
"""A name in backticks, inner ones doubled, as `phrase.quote` writes it."""

CLOSE_MATCHES = 5
"""Suggestions for an unknown name."""

LEAST_LIKENESS = 60
"""Percent of letters that two names must share, in order, to look alike."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Names:
    """The table names of a catalog and every other spelling that means exactly one of them."""

    exact: frozenset[str]
    spellings: Mapping[str, str]
    """Canonical full name or unique dotted ending -> table name."""
    ordered: tuple[str, ...]
    """The names, sorted."""
    whole: tuple[str, ...]
    """Their canonical forms, in the same order."""
    last: tuple[str, ...]
    """The last dotted parts of those."""

    def find(self, said: str) -> str | None:
        """Return the table that `said` names, or None.

        A name counts as the catalog spells it, in any case and quoting, and without its leading
        parts where only one table ends so.
        """
        return said if said in self.exact else self.spellings.get(canonical(said))

    def close(self, said: str) -> list[str]:
        """Return up to CLOSE_MATCHES tables whose names look like `said`: by last part, then as a whole."""
        found = [*self._like(said.rpartition(".")[2], self.last), *self._like(said, self.whole)]
        return [self.ordered[place] for place in dict.fromkeys(found)][:CLOSE_MATCHES]

    def _like(self, said: str, forms: Sequence[str]) -> list[int]:
        alike = process.extract(
            canonical(said), forms, scorer=fuzz.ratio, limit=CLOSE_MATCHES, score_cutoff=LEAST_LIKENESS
        )
        return [place for _, _, place in alike]


def index_names(names: Iterable[str]) -> Names:
    """Return the index of a catalog's table names."""
    exact = sorted(set(names))
    endings = [(ending, name) for name in exact for ending in _endings(canonical(name))]
    holders = Counter(ending for ending, _ in endings)
    spellings = {ending: name for ending, name in endings if holders[ending] == 1}
    # A whole name means itself even where a longer one ends so.
    whole = Counter(canonical(name) for name in exact)
    spellings |= {canonical(name): name for name in exact if whole[canonical(name)] == 1}
    forms = tuple(canonical(name) for name in exact)
    return Names(
        exact=frozenset(exact),
        spellings=spellings,
        ordered=tuple(exact),
        whole=forms,
        last=tuple(form.rpartition(".")[2] for form in forms),
    )


def mentioned(text: str, names: Collection[str]) -> tuple[str, ...]:
    """Return the tables a question mentions: those in backticks that are names of the catalog, exactly.

    Never substrings: `store` in prose is no mention of a table called store.
    """
    found = [quoted.replace("``", "`") for quoted in QUOTED.findall(text)]
    return tuple(dict.fromkeys(name for name in found if name in names))


def _endings(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[start:]) for start in range(len(parts))]
