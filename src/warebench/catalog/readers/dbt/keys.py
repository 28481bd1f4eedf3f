"""Foreign keys of a dbt project: what tests and constraints state."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from warebench.catalog.model import Evidence
from warebench.catalog.readers.dbt.model import Node, Project, constraints, setting

KEY_TESTS = {
    "relationships": ("to", "field"),
    "relationships_where": ("to", "field"),
    "foreign_key": ("pk_table_name", "pk_column_name"),
}
"""Test (of dbt, dbt_utils, dbt_constraints) -> its arguments that name parent table and parent column."""

CONDITIONS = ("where", "from_condition", "to_condition")
"""Settings under which a test looks at some rows only."""

_REFERENCE = re.compile(r"""\b(?:ref|source)\(\s*['"]([^'"]+)['"](?:\s*,\s*['"]([^'"]+)['"])?""")
_EXPRESSION = re.compile(r"""\s*(?:references\s+)?([\w.$"`\[\]-]+)\s*\(([^()]+)\)\s*""", re.IGNORECASE)


class Key(NamedTuple):
    """A foreign key between nodes, or None for a parent that the project does not have."""

    child: str
    parent: str | None
    child_columns: tuple[str, ...]
    parent_columns: tuple[str, ...]
    evidence: Evidence
    said: str
    """What says so, in words."""


def read_keys(project: Project) -> Iterator[Key]:
    """Yield the keys that tests and constraints state, tested ones first."""
    for test in project.tests:
        metadata = test.get("test_metadata")
        if isinstance(metadata, dict) and metadata.get("name") in KEY_TESTS:
            yield from _tested_key(project, test, metadata)
    for node_id in project.table_of:
        node = project.nodes[node_id]
        for own, constraint in constraints(node, "foreign_key"):
            yield _declared_key(project, node, own, constraint)


def _tested_key(project: Project, test: Node, metadata: Node) -> Iterator[Key]:
    """Yield the key that a test is about; none where its child has no table."""
    words: Node = metadata.get("kwargs") or {}
    to, column = (words.get(argument) for argument in KEY_TESTS[metadata["name"]])
    below = [node for node in (test.get("depends_on") or {}).get("nodes", ()) if node in project.nodes]
    parent = _referenced(project, str(to or ""), below)
    others = [node for node in below if node != parent]
    child = test.get("attached_node") or _referenced(project, str(words.get("model") or ""), below)
    if child not in project.nodes:
        child = others[0] if len(others) == 1 else parent if len(below) == 1 else None
    if child is None or child not in project.table_of:
        return
    if parent is None and to is None and len(below) == 2:  # arguments stripped: the other table is the parent
        parent = next((node for node in below if node != child), None)
    own = words.get("column_name") or words.get("fk_column_name") or test.get("column_name")
    partly = any(setting(test, name) or words.get(name) for name in CONDITIONS)
    warns = str(setting(test, "severity") or "error").lower() == "warn"
    yield Key(
        child=child,
        parent=parent if parent in project.table_of else None,
        child_columns=(str(own),) if own else (),
        parent_columns=(str(column),) if column else (),
        evidence="documented" if partly or warns else "tested",
        said=f"test {metadata['name']} of {own or 'an unnamed column'}",
    )


def _referenced(project: Project, said: str, among: Sequence[str]) -> str | None:
    """Return the node among some that a `ref` or `source` in a text names."""
    found = _REFERENCE.search(said)
    if found is None:
        return None
    name = found[2] or found[1]
    named = [node for node in among if project.nodes[node]["name"] == name]
    if found[2] and len(named) > 1:  # source(source, table) or ref(package, model)
        named = [
            node
            for node in named
            if found[1] in (project.nodes[node].get("source_name"), project.nodes[node].get("package_name"))
        ]
    return named[0] if len(named) == 1 else None


def _declared_key(project: Project, node: Node, own: tuple[str, ...], constraint: Node) -> Key:
    enforced = isinstance(node.get("contract"), dict) and bool(node["contract"].get("enforced"))
    columns = own or tuple(map(str, constraint.get("columns") or ()))
    to, parent_columns = constraint.get("to"), tuple(map(str, constraint.get("to_columns") or ()))
    written = _EXPRESSION.fullmatch(str(constraint.get("expression") or ""))
    if not to and written:
        to, parent_columns = written[1], tuple(part.strip() for part in written[2].split(","))
    return Key(
        child=node["unique_id"],
        parent=_named_table(project, str(to or "")),
        child_columns=columns,
        parent_columns=parent_columns,
        evidence="declared" if enforced else "documented",
        said=f"constraint on {', '.join(columns) or 'unnamed columns'}",
    )


def _named_table(project: Project, said: str) -> str | None:
    """Return the node that a constraint's target names: by ref, or as [[database.]schema.]table."""
    if found := _referenced(project, said, list(project.table_of)):
        return found
    parts = [part.strip('"`[]').casefold() for part in said.split(".")]
    named = [
        node
        for table, node in project.ids.items()
        if [part.casefold() for part in table][-len(parts) :] == parts
    ]
    return named[0] if len(named) == 1 else None
