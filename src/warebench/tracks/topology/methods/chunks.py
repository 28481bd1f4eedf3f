"""A catalog cut into chunks for retrieval: one a table, with its columns and every edge it has."""

from collections.abc import Iterable

import msgspec

from warebench.catalog.model import Catalog, ForeignKey, LineageEdge
from warebench.catalog.render import to_text

_HEADINGS = frozenset(("# Tables", "# Foreign keys", "# Lineage", "(none)"))


def cut(catalog: Catalog) -> tuple[str, ...]:
    """Return one chunk a table, in catalog order.

    A chunk holds the lines of `to_text` about its table: name and columns, the foreign keys and the
    lineage edges it has an end in. So an edge stands in the chunks of both its tables.
    """
    keys: dict[str, list[ForeignKey]] = {}
    edges: dict[str, list[LineageEdge]] = {}
    for key in catalog.foreign_keys:
        for table in _ends(key.child, key.parent):
            keys.setdefault(table, []).append(key)
    for edge in catalog.lineage:
        for table in _ends(edge.downstream, edge.upstream):
            edges.setdefault(table, []).append(edge)
    parts = (
        msgspec.structs.replace(
            catalog,
            tables=(table,),
            foreign_keys=tuple(keys.get(table.name, ())),
            lineage=tuple(edges.get(table.name, ())),
        )
        for table in catalog.tables
    )
    return tuple("\n".join(_without_headings(to_text(part).splitlines())) for part in parts)


def _ends(one: str, other: str) -> list[str]:
    return list(dict.fromkeys((one, other)))


def _without_headings(lines: Iterable[str]) -> list[str]:
    return [line for line in lines if line not in _HEADINGS]
