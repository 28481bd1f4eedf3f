"""Read a dbt project: the manifest of its target folder, with the columns of catalog.json beside it.

Models, seeds and snapshots are tables; so are sources, and one that a seed or model of the project fills is
the same table. An ephemeral model has no table: what selects from it derives from what it selects from.
Formats: manifest v4 (dbt 1.0) to v12, and Fusion's v20, which says the same; catalog v1.
"""

import re
from collections.abc import Mapping
from pathlib import Path

import msgspec

from warebench.catalog.assemble import TableDraft, TableName, assemble
from warebench.catalog.model import Catalog, Column, ForeignKey, LeftOut, LineageEdge
from warebench.catalog.readers.dbt.keys import read_keys
from warebench.catalog.readers.dbt.model import Node, Project, constraints, dicts, enabled, setting
from warebench.catalog.readers.json import read_tree
from warebench.catalog.validate import validate
from warebench.errors import CatalogError, SourceError

MANIFEST = "manifest.json"
COLUMNS = "catalog.json"
MARK = b"schemas.getdbt.com/dbt/manifest/"
"""What a manifest begins with."""
VERSIONS = frozenset(range(4, 13)) | {20}
"""Manifest versions that are understood; 20 is Fusion's."""

RELATIONS = ("model", "seed", "snapshot", "source")
"""Kinds of node that are a table, or part of one query where they are ephemeral."""

_VERSION = re.compile(r"/manifest/v(\d+)\.json$")


def is_manifest(tree: object) -> bool:
    """Return whether a JSON value is a dbt manifest of any version."""
    return isinstance(tree, dict) and "/manifest/" in _schema_version(tree)


def find_manifest(place: Path) -> Path | None:
    """Return the manifest of a project's folder or its target folder, or the file itself; None if none."""
    candidates = (place, place / MANIFEST, place / "target" / MANIFEST)
    return next((candidate for candidate in candidates if candidate.is_file()), None)


def read(source: Path, *, name: str = "") -> Catalog:
    """Return the catalog of a dbt project: tables, columns, lineage, and keys that are tested or declared.

    A `relationships` test is a key with evidence "tested"; one that looks at some rows only or merely warns
    is "documented". A foreign_key constraint is "declared" where its contract is enforced, else "documented".

    Args:
        source: The project's folder, its target folder, or the manifest.
        name: Name of the catalog; the project's when empty.

    Raises:
        SourceError: There is no manifest, it is torn, or of a version that is not understood.
        CatalogError: It contradicts itself.
    """
    path = find_manifest(source)
    if path is None:
        raise SourceError(
            f"there is no {MANIFEST} here or in target/",
            where=str(source),
            fix="run `dbt compile` (or `dbt docs generate`, for columns) in the project first",
        )
    tree = _manifest(path)
    project = _project(tree)
    if not project.ids:
        raise SourceError("this dbt manifest holds no table", where=str(path), fix="give another project's")
    typed = _columns_beside(path)
    drafts = [
        TableDraft(name=table, columns=_columns(project.nodes[node], typed), where=path.name)
        for table, node in project.ids.items()
    ]
    title = name or str(tree["metadata"].get("project_name") or path.absolute().parent.name)
    catalog = assemble(drafts, name=title, source=f"dbt manifest {path.name}")
    if len(catalog.tables) < len(drafts):  # its edges could not be told apart either
        raise CatalogError(
            str(next(item for item in catalog.left_out if item.kind == "table")),
            where=path.name,
            fix="rename one of the models, or give it an alias",
        )
    return validate(_with_edges(catalog, project), where=path.name)


def _schema_version(tree: Node) -> str:
    metadata = tree.get("metadata")
    return str(metadata.get("dbt_schema_version", "")) if isinstance(metadata, dict) else ""


def _manifest(path: Path) -> Node:
    tree = read_tree(path)
    if not isinstance(tree, dict) or not is_manifest(tree):
        raise SourceError(
            "this JSON is no dbt manifest", where=str(path), fix=f"give target/{MANIFEST} of a dbt project"
        )
    found = _VERSION.search(_schema_version(tree))
    if found is None or int(found[1]) not in VERSIONS:
        version = _schema_version(tree).rpartition("/")[2].removesuffix(".json")
        raise SourceError(
            f"dbt manifests of version {version or 'unknown'} are not read",
            where=str(path),
            fix="run `dbt parse` with dbt 1.0 to 1.12, or Fusion, and give its manifest",
        )
    parts = (tree.get("nodes"), tree.get("sources"))
    whole = all(isinstance(part, dict) and all(map(_is_node, part.values())) for part in parts)
    if not whole:
        raise SourceError(
            "this dbt manifest is damaged: `nodes` and `sources` do not map ids to nodes",
            where=str(path),
            fix="write it again with `dbt parse`",
        )
    return tree


def _is_node(node: object) -> bool:
    texts = ("unique_id", "resource_type", "name", "schema")
    return isinstance(node, dict) and all(isinstance(node.get(field), str) for field in texts)


def _project(tree: Node) -> Project:
    nodes = {**tree["nodes"], **tree["sources"]}
    table_of: dict[str, TableName] = {}
    spelled: dict[tuple[str, ...], TableName] = {}
    ids: dict[TableName, str] = {}
    for node_id, node in nodes.items():  # nodes come before sources: the node that fills a table describes it
        if node["resource_type"] not in RELATIONS or not _has_table(node):
            continue
        said = TableName(node.get("database") or "", node["schema"], _own_name(node))
        table = spelled.setdefault(tuple(part.casefold() for part in said), said)
        table_of[node_id] = table
        ids.setdefault(table, node_id)
    tests = [node for node in nodes.values() if node["resource_type"] == "test" and enabled(node)]
    return Project(nodes=nodes, tests=tests, table_of=table_of, ids=ids)


def _own_name(node: Node) -> str:
    return str(node.get("identifier") or node.get("alias") or node["name"])


def _has_table(node: Node) -> bool:
    return enabled(node) and setting(node, "materialized") != "ephemeral"


def _columns_beside(manifest: Path) -> Mapping[str, Node]:
    """Return what catalog.json beside a manifest says of each node; nothing without one."""
    path = manifest.with_name(COLUMNS)
    tree = read_tree(path) if path.is_file() else {}
    if not isinstance(tree, dict):
        return {}
    parts = [part for part in (tree.get("nodes"), tree.get("sources")) if isinstance(part, dict)]
    return {node_id: node for part in parts for node_id, node in part.items() if isinstance(node, dict)}


def _columns(node: Node, typed: Mapping[str, Node]) -> tuple[Column, ...]:
    """Return a node's columns: those that the database showed, in its order, then those merely documented."""
    said = {item["name"].casefold(): item for item in dicts(node.get("columns")) if item.get("name")}
    shown = [item for item in dicts(typed.get(node["unique_id"], {}).get("columns")) if item.get("name")]
    columns: dict[str, Column] = {}
    for item in [*sorted(shown, key=lambda item: item.get("index") or 0), *said.values()]:
        form = item["name"].casefold()
        documented = said.get(form, {})
        kind = item.get("type") or documented.get("data_type") or ""
        description = documented.get("description") or item.get("comment") or ""
        columns.setdefault(form, Column(name=item["name"], type=kind, description=description))
    return tuple(columns.values())


def _with_edges(catalog: Catalog, project: Project) -> Catalog:
    """Return the catalog with keys and lineage; its tables lie in the order of `project.ids`."""
    label = dict(zip(project.ids, catalog.table_names, strict=True))
    columns = {table.name: list(table.columns) for table in catalog.tables}
    keys, left = [], []
    for key in read_keys(project):
        child = label[project.table_of[key.child]]
        if key.parent is None or not key.child_columns or len(key.child_columns) != len(key.parent_columns):
            why = (
                "its parent has no table in this project"
                if key.parent is None
                else "its columns are not said"
            )
            left.append(
                LeftOut(kind="key", what=f"foreign key ({key.said})", where=child, why=why, touches=(child,))
            )
            continue
        parent = label[project.table_of[key.parent]]
        keys.append(
            ForeignKey(
                child=child,
                parent=parent,
                child_columns=tuple(_spelled(columns[child], name) for name in key.child_columns),
                parent_columns=tuple(_spelled(columns[parent], name) for name in key.parent_columns),
                evidence=key.evidence,
            )
        )
    edges = {
        (label[table], label[upstream])
        for node_id, table in project.table_of.items()
        for upstream in _upstream(project, node_id)
        if upstream != table
    }
    once = {(key.child, key.parent, key.child_columns, key.parent_columns): key for key in reversed(keys)}
    return msgspec.structs.replace(
        catalog,
        tables=tuple(
            msgspec.structs.replace(
                table,
                columns=tuple(columns[table.name]),
                primary_key=_primary_key(project.nodes[node], columns[table.name]),
            )
            for table, node in zip(catalog.tables, project.ids.values(), strict=True)
        ),
        foreign_keys=tuple(reversed(once.values())),
        lineage=tuple(LineageEdge(downstream=down, upstream=up) for down, up in sorted(edges)),
        left_out=(*catalog.left_out, *dict.fromkeys(left)),
    )


def _spelled(columns: list[Column], name: str) -> str:
    """Return a column as the table spells it; one that only a key names joins the table's columns."""
    plain = name.strip().strip('"`[]')
    for column in columns:
        if column.name.casefold() == plain.casefold():
            return column.name
    columns.append(Column(name=plain))
    return plain


def _primary_key(node: Node, columns: list[Column]) -> tuple[str, ...]:
    """Return the primary key: a constraint's, else the one that dbt itself reads off its tests (1.8)."""
    for own, constraint in constraints(node, "primary_key"):
        return tuple(_spelled(columns, name) for name in own or constraint.get("columns") or ())
    found = node.get("primary_key")
    return tuple(_spelled(columns, name) for name in found) if isinstance(found, list) else ()


def _upstream(project: Project, node_id: str) -> set[TableName]:
    """Return the tables that a node selects from, through nodes that have no table of their own."""
    found: set[TableName] = set()
    seen, stack = {node_id}, [node_id]
    while stack:
        below = project.nodes[stack.pop()].get("depends_on")
        for other in below.get("nodes", ()) if isinstance(below, dict) else ():
            if other in project.table_of:
                found.add(project.table_of[other])
            elif other in project.nodes and other not in seen:
                seen.add(other)
                stack.append(other)
    return found
