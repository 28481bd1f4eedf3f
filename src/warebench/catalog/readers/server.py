"""What a database server says about itself: schemas, rights, partitions, views and keys, by its own tables.

Read from the server's tables, not from what SQLAlchemy reflects: a reflected key leaves out the schema that
the search path finds, and one table that may not be read stops the reflection of all.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import sqlalchemy as sa
import sqlglot
from sqlalchemy.engine import Connection, RowMapping

Owner = tuple[str, str]
"""Schema and table."""

SYSTEM = frozenset(
    {"information_schema", "performance_schema", "mysql", "sys", "guest", "system", "ndbinfo", "innodb"}
)
SYSTEM_PREFIXES = ("pg_", "db_", "crdb_")


class ServerKey(NamedTuple):
    """A foreign key of a server."""

    child: Owner
    columns: tuple[str, ...]
    parent: Owner
    parent_columns: tuple[str, ...]
    name: str


class Server(NamedTuple):
    """What a server says besides the columns of its tables."""

    keys: tuple[ServerKey, ...] | None = None
    """None where only reflection can tell."""
    part_of: Mapping[Owner, Owner] = MappingProxyType({})
    """Partition, or table that inherits -> the table that shows its rows."""
    own_columns: Mapping[Owner, tuple[str, ...]] = MappingProxyType({})
    """Table that inherits -> columns that only it has."""
    closed: frozenset[Owner] = frozenset()
    """Tables that this role may not read."""
    views: Mapping[Owner, tuple[Owner, ...] | None] = MappingProxyType({})
    """View, materialised or not -> the tables and views it reads; None where the server does not say."""


POSTGRES_KEYS = """
SELECT cn.nspname AS child_schema, c.relname AS child, con.conname AS name,
       pn.nspname AS parent_schema, p.relname AS parent,
       ARRAY(SELECT a.attname::text FROM unnest(con.conkey) WITH ORDINALITY AS k (number, place)
             JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number ORDER BY k.place) AS columns,
       ARRAY(SELECT a.attname::text FROM unnest(con.confkey) WITH ORDINALITY AS k (number, place)
             JOIN pg_attribute a ON a.attrelid = p.oid AND a.attnum = k.number ORDER BY k.place)
       AS parent_columns
FROM pg_constraint con
JOIN pg_class c ON c.oid = con.conrelid JOIN pg_namespace cn ON cn.oid = c.relnamespace
JOIN pg_class p ON p.oid = con.confrelid JOIN pg_namespace pn ON pn.oid = p.relnamespace
WHERE con.contype = 'f' AND con.conparentid = 0
ORDER BY 1, 2, 3, 4, 5
"""
"""Keys that a table declares itself: partitions inherit theirs, which are no further keys."""

POSTGRES_PARTS = """
SELECT cn.nspname AS child_schema, c.relname AS child, pn.nspname AS parent_schema, p.relname AS parent,
       ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0
             AND NOT a.attisdropped AND a.attinhcount = 0 ORDER BY a.attnum) AS own_columns
FROM pg_inherits i
JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_namespace cn ON cn.oid = c.relnamespace
JOIN pg_class p ON p.oid = i.inhparent JOIN pg_namespace pn ON pn.oid = p.relnamespace
WHERE c.relkind IN ('r', 'p', 'f') ORDER BY i.inhseqno, 1, 2
"""

POSTGRES_CLOSED = """
SELECT n.nspname AS child_schema, c.relname AS child
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm')
AND NOT (has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT'))
"""

POSTGRES_VIEWS = """
SELECT DISTINCT vn.nspname AS child_schema, v.relname AS child,
       tn.nspname AS parent_schema, t.relname AS parent
FROM pg_class v JOIN pg_namespace vn ON vn.oid = v.relnamespace
LEFT JOIN pg_rewrite r ON r.ev_class = v.oid
LEFT JOIN pg_depend d ON d.objid = r.oid AND d.classid = 'pg_rewrite'::regclass
     AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> v.oid
LEFT JOIN pg_class t ON t.oid = d.refobjid AND t.relkind IN ('r', 'p', 'f', 'v', 'm')
LEFT JOIN pg_namespace tn ON tn.oid = t.relnamespace
WHERE v.relkind IN ('v', 'm')
ORDER BY 1, 2, 3, 4
"""

MARIADB_KEYS = """
SELECT table_schema AS child_schema, table_name AS child, constraint_name AS name, column_name AS part,
       referenced_table_schema AS parent_schema, referenced_table_name AS parent,
       referenced_column_name AS parent_part
FROM information_schema.key_column_usage WHERE referenced_table_name IS NOT NULL
ORDER BY table_schema, table_name, constraint_name, ordinal_position
"""

MARIADB_VIEWS = """
SELECT table_schema AS child_schema, table_name AS child, view_definition AS body
FROM information_schema.views ORDER BY 1, 2
"""
"""The body is empty where this role may not see it; every table in it stands with its database."""


def ask_server(connection: Connection) -> Server:
    """Return what a server says; nothing for one whose tables about itself are not known here.

    Args:
        connection: An open connection.
    """
    match connection.dialect.name:
        case "postgresql":
            return _ask_postgres(connection)
        case "mysql" | "mariadb":
            return _ask_mariadb(connection)
        case _:
            return Server()


def path_schemas(connection: Connection) -> list[str]:
    """Return the schemas of a PostgreSQL search path that the address itself sets, else none.

    Args:
        connection: An open connection.
    """
    if connection.dialect.name != "postgresql":
        return []
    asked = (
        "SELECT unnest(current_schemas(false)) AS name FROM pg_settings"
        " WHERE name = 'search_path' AND source = 'client'"
    )
    return [row["name"] for row in _ask(connection, asked)]


def list_schemas(connection: Connection, server: Server, database: str) -> list[str]:
    """Return the schemas to read where none is asked for: all but the system's.

    MariaDB's schemas are databases of their own: with one named in the address, those that keys tie to it.

    Args:
        connection: An open connection.
        server: What it says.
        database: Named in the address; may be empty.
    """
    found = [
        name
        for name in sa.inspect(connection).get_schema_names()
        if name.casefold() not in SYSTEM and not name.casefold().startswith(SYSTEM_PREFIXES)
    ]
    if database and connection.dialect.name in ("mysql", "mariadb"):
        tied = _tied(database, server.keys or ())
        return [name for name in found if name in tied]
    return found


def _tied(database: str, keys: Sequence[ServerKey]) -> set[str]:
    near: dict[str, set[str]] = defaultdict(set)
    for key in keys:
        near[key.child[0]].add(key.parent[0])
        near[key.parent[0]].add(key.child[0])
    tied, following = {database}, [database]
    while following:
        new = near[following.pop()] - tied
        tied |= new
        following += sorted(new)
    return tied


def _ask(connection: Connection, statement: str) -> list[RowMapping]:
    return list(connection.execute(sa.text(statement)).mappings())


def _child(row: RowMapping) -> Owner:
    return row["child_schema"], row["child"]


def _parent(row: RowMapping) -> Owner:
    return row["parent_schema"], row["parent"]


def _ask_postgres(connection: Connection) -> Server:
    keys = [
        ServerKey(_child(row), tuple(row["columns"]), _parent(row), tuple(row["parent_columns"]), row["name"])
        for row in _ask(connection, POSTGRES_KEYS)
    ]
    parts: dict[Owner, Owner] = {}
    own: dict[Owner, tuple[str, ...]] = {}
    for row in _ask(connection, POSTGRES_PARTS):
        parts.setdefault(_child(row), _parent(row))
        own |= {_child(row): tuple(row["own_columns"])} if row["own_columns"] else {}
    views: dict[Owner, list[Owner]] = defaultdict(list)
    for row in _ask(connection, POSTGRES_VIEWS):
        views[_child(row)] += [_parent(row)] if row["parent"] else []
    return Server(
        keys=tuple(keys),
        part_of={part: _root(part, parts) for part in parts},
        own_columns=own,
        closed=frozenset(_child(row) for row in _ask(connection, POSTGRES_CLOSED)),
        views={view: tuple(read) for view, read in views.items()},
    )


def _root(part: Owner, parts: dict[Owner, Owner]) -> Owner:
    while part in parts:  # PostgreSQL lets no table inherit from itself
        part = parts[part]
    return part


def _ask_mariadb(connection: Connection) -> Server:
    groups: dict[tuple[str, ...], list[RowMapping]] = defaultdict(list)
    for row in _ask(connection, MARIADB_KEYS):
        groups[row["child_schema"], row["child"], row["name"]].append(row)
    return Server(
        keys=tuple(_join_key(rows) for rows in groups.values()),
        views={_child(row): _tables_in(row["body"]) for row in _ask(connection, MARIADB_VIEWS)},
    )


def _tables_in(body: str) -> tuple[Owner, ...] | None:
    """Return the tables that the body of a view reads; None where it cannot be read."""
    try:
        query = sqlglot.parse_one(body, read="mysql")
    except sqlglot.errors.SqlglotError:
        return None
    named = [(table.db, table.name) for table in query.find_all(sqlglot.exp.Table)]
    common = {cte.alias for cte in query.find_all(sqlglot.exp.CTE)}
    return tuple(dict.fromkeys(owner for owner in named if owner[0] or owner[1] not in common))


def _join_key(rows: Sequence[RowMapping]) -> ServerKey:
    first = rows[0]
    columns = tuple(row["part"] for row in rows)
    parent_columns = tuple(row["parent_part"] for row in rows)
    return ServerKey(_child(first), columns, _parent(first), parent_columns, first["name"])


def reflect_keys(connection: Connection, schemas: Iterable[str]) -> tuple[ServerKey, ...]:
    """Return the keys of a server that only reflection can ask.

    Args:
        connection: An open connection.
        schemas: To read.
    """
    inspector = sa.inspect(connection)
    default = inspector.default_schema_name or ""
    found = []
    for schema in schemas:
        for (_, table), keys in inspector.get_multi_foreign_keys(schema=schema).items():
            for key in keys:
                parent = (key.get("referred_schema") or schema or default, key["referred_table"])
                columns = tuple(key["constrained_columns"]), tuple(key["referred_columns"])
                found.append(ServerKey((schema, table), columns[0], parent, columns[1], key["name"] or ""))
    return tuple(found)
