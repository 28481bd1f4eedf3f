"""Questions with gold SQL: the lists of Spider and BIRD, and those of users."""

import csv
import json
from collections.abc import Collection as Names
from collections.abc import Mapping, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path

import yaml

from warebench.bounds import read_whole
from warebench.engine.collections.model import Collection, Example, Trouble, TroubleKind
from warebench.engine.collections.schema import load_json
from warebench.errors import SourceError

FORM = "give a CSV, JSON or YAML list of `question` and `sql`, as docs/audit.md shows"


def read_examples(
    path: Path, sql: str, databases: Names[str], known: Names[str]
) -> tuple[list[Example], list[Trouble]]:
    """Return the examples of a file in its order, and what is wrong with the others.

    An id is the file's name up to the first dot, and the entry's `question_id` or, where it has none, its
    number in the file.

    Args:
        path: A JSON list of objects with `db_id`, `question`, SQL and, optional, `evidence` and `comparison`.
        sql: The field that holds the SQL.
        databases: Names of the databases with rows.
        known: Names of all databases, also of those that could not be read.

    Raises:
        SourceError: The file is missing, torn or not a list.
    """
    content = load_json(path)
    if not isinstance(content, list):
        raise SourceError("this file is not a list of examples", where=str(path), fix="fetch it again")
    return _sort(content, path, sql, databases, known)


def _sort(
    content: Sequence[object], path: Path, sql: str, databases: Names[str], known: Names[str]
) -> tuple[list[Example], list[Trouble]]:
    examples: dict[str, Example] = {}
    troubles: list[Trouble] = []
    for position, entry in enumerate(content):
        fields = entry if isinstance(entry, dict) else {}
        name = f"{path.name.partition('.')[0]}-{fields.get('question_id', position)}"
        example = _example(name, fields, sql)
        if fault := _fault(example, entry, databases, known, name in examples):
            troubles.append(Trouble(where=name, kind=fault[0], reason=fault[1]))
        else:
            examples[name] = example
    return list(examples.values()), troubles


def _example(name: str, fields: Mapping[str, object], sql: str) -> Example:
    read = {key: value.strip() for key, value in fields.items() if isinstance(value, str)}
    return Example(
        id=name,
        database=read.get("db_id", ""),
        question=read.get("question", ""),
        sql=read.get(sql, ""),
        evidence=read.get("evidence", ""),
        comparison=declared if isinstance(declared := fields.get("comparison"), dict) else {},
    )


def _fault(
    example: Example, entry: object, databases: Names[str], known: Names[str], is_taken: bool
) -> tuple[TroubleKind, str] | None:
    """Return why an example is left out."""
    if not isinstance(entry, dict) or not example.database:
        return "malformed", "it is not an object with `db_id`"
    if is_taken:
        return "duplicate", "an example before it has the same id"
    if not example.question:
        return "no question", "it has no question"
    if not example.sql:
        return "no sql", "it has no SQL"
    if not isinstance(entry.get("comparison"), dict | None):
        return "malformed", "its `comparison` is not an object"
    if example.database in databases:
        return None
    if example.database in known:
        return "no rows", f"the rows of its database `{example.database}` could not be read"
    return "unknown database", f"there is no database `{example.database}`"


def add_examples(collection: Collection, path: Path) -> Collection:
    """Return a collection with the examples of a file instead of its own.

    Args:
        collection: Databases with rows.
        path: A list in CSV, JSON or YAML of `question` and `sql` (or Spider's `query`, BIRD's `SQL`), and,
            optional, `database` (or `db_id`; needed where there are several), `evidence` and `comparison`
            (in CSV as JSON).

    Raises:
        SourceError: The file is missing, torn, of another kind, or no list.
    """
    content = _load(path)
    if not isinstance(content, list):
        raise SourceError("this file is not a list of examples", where=str(path), fix=FORM)
    databases = [item.catalog.name for item in collection.databases]
    only = databases[0] if len(collection.catalogs) == 1 and databases else ""
    entries = [_named(entry, only) for entry in content]
    known = [catalog.name for catalog in collection.catalogs]
    examples, troubles = _sort(entries, path, "sql", databases, known)
    return replace(collection, examples=tuple(examples), troubles=(*collection.troubles, *troubles))


def _named(entry: object, only: str) -> object:
    """Return an entry under the names that Spider and BIRD share."""
    if not isinstance(entry, dict):
        return entry
    fields = {key: value for key, value in entry.items() if value not in (None, "")}
    found = {"db_id": fields.get("database", fields.get("db_id", only))}
    sql = next((fields[name] for name in ("sql", "query", "SQL") if name in fields), "")
    return {**fields, **found, "sql": sql}


def _load(path: Path) -> object:
    """Return the content of a file by its suffix."""
    suffix = path.suffix.lower()
    if suffix == ".json":
        return load_json(path)
    try:
        text = read_whole(path, SourceError).decode("utf-8-sig")
        if suffix in (".yaml", ".yml"):
            return yaml.safe_load(text)
        if suffix == ".csv":
            return [_cells(row) for row in csv.DictReader(StringIO(text, newline=""), strict=True)]
    except (OSError, ValueError, RecursionError, csv.Error, yaml.YAMLError) as error:
        words = " ".join(str(error).split())
        raise SourceError(f"this file cannot be read: {words}", where=str(path), fix=FORM) from error
    raise SourceError("this is no list of examples", where=str(path), fix=FORM)


def _cells(row: dict[str, str]) -> dict[str, object]:
    return {
        key: json.loads(cell) if key == "comparison" and cell else cell for key, cell in row.items() if key
    }
