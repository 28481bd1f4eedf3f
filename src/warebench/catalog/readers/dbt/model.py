"""The nodes of a dbt manifest, and the table of each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from warebench.catalog.assemble import TableName

Node = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Project:
    """The nodes of a manifest by id, and the table of each."""

    nodes: Mapping[str, Node]
    tests: Sequence[Node]
    table_of: Mapping[str, TableName]
    """Table of every node that has one; a source and the seed that fills it share theirs."""
    ids: Mapping[TableName, str]
    """The node that describes each table, in the manifest's order."""


def enabled(node: Node) -> bool:
    """Return whether a node is switched on, as nodes are unless they say otherwise."""
    return setting(node, "enabled") is not False


def setting(node: Node, name: str) -> Any:
    """Return a value of a node's config; None where it says nothing."""
    config = node.get("config")
    return config.get(name) if isinstance(config, dict) else None


def dicts(value: object) -> list[dict[str, Any]]:
    """Return the objects in a list or in the values of an object; a manifest has either, by its version."""
    items = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return [item for item in items if isinstance(item, dict)]


def constraints(node: Node, kind: str) -> Iterator[tuple[tuple[str, ...], Node]]:
    """Yield (column, constraint): the column it stands at, or none where it stands at the table."""
    for column in dicts(node.get("columns")):
        for constraint in dicts(column.get("constraints")):
            if constraint.get("type") == kind:
                yield (column["name"],), constraint
    for constraint in dicts(node.get("constraints")):
        if constraint.get("type") == kind:
            yield (), constraint
