"""A question as the second method sees it, and the database it is answered in."""

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb

from warebench.catalog.model import Catalog
from warebench.engine.connect import connect_memory, load_columns
from warebench.tracks.topology.semantics import Semantics


@dataclass(frozen=True, slots=True)
class Asked:
    """Subtype, variant, subjects and the variant's parameter `k` (0 when it has none)."""

    subtype: str
    variant: str
    subjects: tuple[str, ...]
    k: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Board:
    """A database with tables `tab(name)`, `fk(child, parent)`, `lin(down, up)` and `asked(q, a, b, k)`."""

    connection: duckdb.DuckDBPyConnection
    semantics: Semantics

    def ask(self, questions: Sequence[tuple[int, Asked]]) -> None:
        """Put questions, with their numbers, in place of the ones asked before."""
        self.connection.execute("DROP TABLE IF EXISTS asked")
        columns: dict[str, Sequence[str | int]] = {
            "q": [number for number, _ in questions],
            "a": [(*item.subjects, "", "")[0] for _, item in questions],
            "b": [(*item.subjects, "", "")[1] for _, item in questions],
            "k": [item.k for _, item in questions],
        }
        load_columns(self.connection, "asked", columns)

    def names(self, sql: str) -> dict[int, tuple[str, ...]]:
        """Return the sorted distinct names per question of a query that yields (q, name) rows."""
        rows = self.connection.execute(
            f"SELECT q, list_sort(list(DISTINCT name)) FROM ({sql}) AS found(q, name) GROUP BY q"  # noqa: S608
        ).fetchall()
        return {q: tuple(names) for q, names in rows}

    def values(self, sql: str) -> dict[int, int]:
        """Return the value per question of a query that yields (q, value) rows, one a question."""
        return dict(self.connection.execute(sql).fetchall())


def open_board(catalog: Catalog, semantics: Semantics) -> Board:
    """Return a fresh database holding the catalog's edges.

    Args:
        catalog: The catalog; its edges are read here once more, independently of any graph.
        semantics: The meaning of words.
    """
    connection = connect_memory()
    load_columns(connection, "tab", {"name": [table.name for table in catalog.tables]})
    keys = sorted({(key.child, key.parent) for key in catalog.foreign_keys})
    load_columns(connection, "fk", {"child": [c for c, _ in keys], "parent": [p for _, p in keys]})
    edges = sorted({(edge.downstream, edge.upstream) for edge in catalog.lineage})
    load_columns(connection, "lin", {"down": [d for d, _ in edges], "up": [u for _, u in edges]})
    return Board(connection=connection, semantics=semantics)
