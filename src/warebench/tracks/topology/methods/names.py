"""Table names as people and models write them, resolved against a catalog."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from warebench.answers.canonical import canonical

QUOTED = re.compile(r"`((?:[^`]|``)+)`")
"""A name in backticks, inner ones doubled, as `phrase.quote` writes it."""

CLOSE_MATCHES = 5
"""Suggestions for an unknown name."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Names:
    """The table names of a catalog and every other spelling that means exactly one of them."""

    exact: frozenset[str]
    spellings: Mapping[str, str]
    """Canonical full name or unique dotted ending -> table name."""

    def find(self, said: str) -> str | None:
        """Return the table that `said` names, or None.

        A name counts as the catalog spells it, in any case and quoting, and without its leading
        parts where only one table ends so.
        """
        return said if said in self.exact else self.spellings.get(canonical(said))

    def close(self, said: str) -> list[str]:
        """Return up to CLOSE_MATCHES tables whose names look like `said`: by last part, then as a whole."""
        whole: dict[str, list[str]] = {}
        last: dict[str, list[str]] = {}
        for name in sorted(self.exact):
            whole.setdefault(canonical(name), []).append(name)
            last.setdefault(_last(name), []).append(name)
        found = [name for near in get_close_matches(_last(said), last, CLOSE_MATCHES) for name in last[near]]
        found += [
            name for near in get_close_matches(canonical(said), whole, CLOSE_MATCHES) for name in whole[near]
        ]
        return list(dict.fromkeys(found))[:CLOSE_MATCHES]


def index_names(names: Iterable[str]) -> Names:
    """Return the index of a catalog's table names."""
    exact = sorted(set(names))
    endings = [(ending, name) for name in exact for ending in _endings(canonical(name))]
    holders = Counter(ending for ending, _ in endings)
    spellings = {ending: name for ending, name in endings if holders[ending] == 1}
    # A whole name means itself even where a longer one ends so.
    whole = Counter(canonical(name) for name in exact)
    spellings |= {canonical(name): name for name in exact if whole[canonical(name)] == 1}
    return Names(exact=frozenset(exact), spellings=spellings)


def mentioned(text: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return the tables a question mentions: those in backticks that are names of the catalog, exactly.

    Never substrings: `store` in prose is no mention of a table called store.
    """
    known = set(names)
    found = [quoted.replace("``", "`") for quoted in QUOTED.findall(text)]
    return tuple(dict.fromkeys(name for name in found if name in known))


def _last(name: str) -> str:
    return canonical(name).rpartition(".")[2]


def _endings(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[start:]) for start in range(len(parts))]
