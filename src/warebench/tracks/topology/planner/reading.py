"""The inverse of `phrase`: a question's text to what it asks, from the words alone."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from warebench.errors import InternalError

Asked = dict[str, Any]
"""kind, tables, and what the text states: direction, edges, depth, from_table, k."""

_NAME = r"`((?:[^`]|``)+)`"

_STEPS = {
    "each step is one foreign key, followed in either direction": "undirected",
    "each step goes from a table to a table that holds a foreign key to it": "parent_to_child",
    "each step goes from a table to a table that its foreign key references": "child_to_parent",
}
_SILO_EDGES = {
    "foreign-key and lineage edges taken without direction": "fk+lineage",
    "foreign keys taken without direction; lineage does not count": "fk",
    "lineage edges taken without direction; foreign keys do not count": "lineage",
}
_REACHES: tuple[tuple[str, str, int | None], ...] = (
    (r"holds a foreign key that references ", "children", 1),
    (r"references .* over one or more foreign keys in a row", "children", None),
    (r"references .* over at most (\d+) foreign keys in a row", "children", 0),
    (r"can be reached from .* over any number of foreign keys followed in either", "undirected", None),
    (r"can be reached from .* over one foreign key followed in either", "undirected", 1),
    (r"can be reached from .* over at most (\d+) foreign keys followed in either", "undirected", 0),
)
"""How the clause on foreign keys begins, direction, depth (which a group of the pattern replaces)."""
_FROM_TABLE = "or the modified table itself"


def read_question(text: str) -> Asked:
    """Return what a question asks.

    Args:
        text: The text that `phrase` made.

    Raises:
        InternalError: No template reads so.

    Example:
        >>> read_question("Which tables derive directly from `a`? Only direct derivations count.")
        {'kind': 'targets', 'tables': ['a']}
    """
    for pattern, kind, details in _TEMPLATES:
        found = re.match(pattern.replace("<t>", _NAME), text)
        if found:
            tables = [name.replace("``", "`") for name in found.groups()]
            return {"kind": kind, "tables": tables, **details(text[found.end() :])}
    raise InternalError(f"no template reads so: {text}")


def _nothing(_: str) -> Asked:
    return {}


def _steps(rest: str) -> Asked:
    return {"direction": _find(_STEPS, rest)}


def _silo(rest: str) -> Asked:
    return {"edges": _find(_SILO_EDGES, rest)}


def _silo_count(rest: str) -> Asked:
    least = re.match(r"have (\d+) or more tables\?", rest)
    return {"k": int(least[1]) if least else 1, **_silo(rest)}


def _impact(rest: str) -> Asked:
    clause = rest.partition("(2) every table that ")[2]
    for pattern, direction, depth in _REACHES:
        found = re.match(pattern, clause)
        if found:
            return {
                "direction": direction,
                "depth": int(found[1]) if found.groups() else depth,
                "from_table": _FROM_TABLE in clause,
            }
    raise InternalError(f"no clause of combined_impact reads so: {clause}")


def _find(words: Mapping[str, str], text: str) -> str:
    # The longest first: one clause is the beginning of another.
    return next(words[clause] for clause in sorted(words, key=len, reverse=True) if clause in text)


_TEMPLATES: tuple[tuple[str, str, Callable[[str], Asked]], ...] = (
    (r"Which tables derive directly from <t>\?", "targets", _nothing),
    (r"Which tables does <t> derive from directly\?", "sources", _nothing),
    (r"<t> combines several sources: list all tables it derives from directly\.", "sources", _nothing),
    (r"Which tables derive from <t> over one or more lineage edges\?", "closure", _nothing),
    (r"Which tables are affected when <t> is modified\?", "impact", _impact),
    (r"Is <t> referenced directly by <t>, that is,", "direct_key", _nothing),
    (r"What is a shortest foreign-key path from <t> to <t>\?", "key_path", _steps),
    (r"How many foreign keys long is the shortest foreign-key path from <t> to <t>\?", "key_hops", _steps),
    (r"How many lineage edges long is the shortest lineage path from <t> to <t>\?", "lineage_hops", _nothing),
    (r"How many tables does the silo that contains <t> have, ", "silo_size", _silo),
    (r"How many silos (?:does the schema )?", "silo_count", _silo_count),
    (r"Is <t> isolated, that is, alone in its silo\?", "isolated", _silo),
    (r"Are <t> and <t> connected, that is, in the same silo\?", "together", _silo),
    (r"Which other tables belong to the same silo as <t>\?", "members", _silo),
    (r"List all tables of the silo that contains <t>, ", "members", _silo),
)
"""Beginning of the text (`<t>` is a table), kind, and how to read the rest."""
