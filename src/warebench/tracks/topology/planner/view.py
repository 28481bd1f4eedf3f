"""The inverse of `catalog.render.to_text`: tables and edges out of the schema text in a prompt."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import networkx as nx

_NAME = r'("(?:[^"]|"")+"|[^\W\d]\w*(?:\.[^\W\d]\w*)*)'
_COLUMNS = r'(?:\((?:"(?:[^"]|"")+"|[^")])*\))?'
_KEY = re.compile(rf"{_NAME}{_COLUMNS} references {_NAME}{_COLUMNS}")
_LINEAGE = re.compile(rf"{_NAME} derives from {_NAME}")
_TABLE = re.compile(rf"{_NAME}(?:\(.*|$| primary key )")


@dataclass(frozen=True, slots=True)
class View:
    """What is in sight."""

    tables: list[str]
    keys: "nx.DiGraph[Any]"
    """Edges child -> parent."""
    lineage: "nx.DiGraph[Any]"
    """Edges downstream -> upstream."""


def read_schema(text: str) -> View:
    """Return the tables and edges that a schema text shows.

    Args:
        text: Lines of `to_text`, in any order, repeated or not; other lines are passed over.
    """
    lines = text.splitlines()
    keys, edges = _pairs(_KEY, lines), _pairs(_LINEAGE, lines)
    named = [found[1] for line in lines if not _is_edge(line) and (found := _TABLE.match(line))]
    ends = [name for pair in keys + edges for name in pair]
    tables = list(dict.fromkeys([*map(_plain, named), *ends]))
    return View(tables, nx.DiGraph(keys), nx.DiGraph(edges))


def _pairs(pattern: re.Pattern[str], lines: Iterable[str]) -> list[tuple[str, str]]:
    found = (pattern.fullmatch(line) for line in lines)
    return [(_plain(match[1]), _plain(match[2])) for match in found if match]


def _is_edge(line: str) -> bool:
    return bool(_KEY.fullmatch(line) or _LINEAGE.fullmatch(line))


def _plain(name: str) -> str:
    return name[1:-1].replace('""', '"') if name.startswith('"') else name
