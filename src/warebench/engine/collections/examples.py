"""Questions with gold SQL: the lists of Spider and BIRD."""

from collections.abc import Collection as Names
from collections.abc import Mapping
from pathlib import Path

from warebench.engine.collections.model import Example, Trouble, TroubleKind
from warebench.engine.collections.schema import load_json
from warebench.errors import SourceError


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
