"""A catalog as prompts show it: what many questions need of it is made once, when the first asks."""

from collections.abc import Iterable
from functools import cached_property

import msgspec

from warebench.catalog.model import Catalog
from warebench.catalog.render import to_text
from warebench.graph.build import SchemaGraph, build_graph


class SchemaView:
    """A catalog with its text, its graph, and an index of its edges; nothing in it changes."""

    def __init__(self, catalog: Catalog) -> None:
        """Take the catalog; the rest is made on demand."""
        self.catalog = catalog

    @cached_property
    def text(self) -> str:
        """The whole schema as text."""
        return to_text(self.catalog)

    @cached_property
    def graph(self) -> SchemaGraph:
        """The schema graph."""
        return build_graph(self.catalog)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all tables."""
        return frozenset(self.catalog.table_names)

    def part(self, tables: Iterable[str]) -> str:
        """Return some tables and the edges among them as text, exactly as `to_text` writes a part.

        Complexity: O(tables asked for + their edges), however large the catalog.
        """
        kept = set(tables)
        places = sorted(self.graph.index[name] for name in kept)
        keys = sorted({place for name in kept for place in self._keys.get(name, ())})
        edges = sorted({place for name in kept for place in self._edges.get(name, ())})
        part = msgspec.structs.replace(
            self.catalog,
            tables=tuple(self.catalog.tables[place] for place in places),
            foreign_keys=tuple(
                key for place in keys if (key := self.catalog.foreign_keys[place]).parent in kept
            ),
            lineage=tuple(edge for place in edges if (edge := self.catalog.lineage[place]).upstream in kept),
        )
        return to_text(part)

    @cached_property
    def _keys(self) -> dict[str, list[int]]:
        return _places(key.child for key in self.catalog.foreign_keys)

    @cached_property
    def _edges(self) -> dict[str, list[int]]:
        return _places(edge.downstream for edge in self.catalog.lineage)


def _places(tables: Iterable[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for place, table in enumerate(tables):
        found.setdefault(table, []).append(place)
    return found
