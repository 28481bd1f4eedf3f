"""The layouts of collections: Spider, BIRD, and a folder of database files."""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from warebench.catalog.read import detect_reader
from warebench.engine.collections.descriptions import describe
from warebench.engine.collections.examples import read_examples
from warebench.engine.collections.file import read_file, what_ails, without_file
from warebench.engine.collections.model import Collection, Found, Trouble, unite
from warebench.engine.collections.schema import Schema, read_schemas
from warebench.engine.load import read_database
from warebench.errors import SourceError, UserError

SPLITS = ("dev", "train")

SUFFIXES = (".sqlite", ".sqlite3", ".db", ".duckdb")
"""Of files that may be databases; what they are, their content says."""


Names = tuple[str, ...]
"""What a part of a layout may be called, the first that is there counts."""

SPIDER: Mapping[str, Names] = {
    "tables": ("tables.json", "*_tables.json"),
    "databases": ("database", "databases"),
    "dev": ("dev.json", "examples/*_test.json", "examples/*.json"),
    "train": ("train*.json", "examples/*_fewshot.json"),
}
"""Spider's own names, then KaggleDBQA's."""

BIRD: Mapping[str, Names] = {
    "dev": ("dev.json", "mini_dev_sqlite.json", "mini_dev*sqlite*.json"),
    "train": ("train.json",),
}
"""BIRD's own names, then those of its mini-dev; databases and schemas are called alike in both."""


def read_spider(folder: Path, split: str) -> Collection:
    """Return Spider: every database of the folder, and the examples of one split.

    Foreign keys are those of the files and those of `tables.json`.

    Args:
        folder: With `tables.json`, `database/NAME/NAME.sqlite` and `dev.json` or `train*.json`; or as
            KaggleDBQA calls them (`SPIDER`).
        split: dev, or train.

    Raises:
        SourceError: A list is missing or torn.
    """
    places = _find_parts(folder, "Spider", {"tables": SPIDER["tables"], "questions": SPIDER[split]})
    schemas, odd = read_schemas(places["tables"][0])
    home = next(
        (folder / name for name in SPIDER["databases"] if (folder / name).is_dir()), folder / "database"
    )
    found = dict(_read_members(home, schemas))
    return _with_examples("spider", found, places["questions"], "query", odd)


def _find_parts(folder: Path, layout: str, wanted: Mapping[str, Names]) -> dict[str, list[Path]]:
    """Return the files of each part.

    Raises:
        SourceError: Some part has none; all that are missing are named at once.
    """
    found = {part: _first_there(folder, names) for part, names in wanted.items()}
    missing = [f"{part} ({' or '.join(wanted[part])})" for part, paths in found.items() if not paths]
    if missing:
        raise SourceError(
            f"this is no {layout} folder as it is published: it lacks {' and '.join(missing)}",
            where=str(folder),
            fix="fetch what is missing, or give another ?split=; docs/budget.md lists the names",
        )
    return found


def _first_there(folder: Path, names: Names) -> list[Path]:
    return next((paths for name in names if (paths := sorted(folder.glob(name)))), [])


def read_bird(folder: Path, split: str) -> Collection:
    """Return BIRD: the databases of every split that is there, and the examples of one.

    Args:
        folder: With `SPLIT_tables.json`, `SPLIT_databases/NAME/NAME.sqlite` and `SPLIT.json`, or what
            mini-dev calls it (`BIRD`). Where the databases are missing, their schemas are read and every
            example is said to lack its rows.
        split: dev, or train.

    Raises:
        SourceError: A list is missing or torn.
    """
    schemas_of = f"{split}_tables.json"
    places = _find_parts(folder, "BIRD", {"tables": (schemas_of,), "questions": BIRD[split]})
    found: dict[str, Found] = {}
    odd: list[Trouble] = []
    for part in SPLITS:
        tables = folder / f"{part}_tables.json"
        if part != split and not tables.exists():
            continue
        schemas, wrong = read_schemas(tables)
        odd += wrong
        home = folder / f"{part}_databases"
        found.update((name, describe(item, home / name)) for name, item in _read_members(home, schemas))
    return _with_examples("bird", found, places["questions"][:1], "SQL", odd)


def _read_members(home: Path, schemas: Mapping[str, Schema]) -> Iterator[tuple[str, Found]]:
    """Yield each database that has a folder or a schema, by name."""
    folders = {path.name for path in home.iterdir() if path.is_dir()} if home.is_dir() else set()
    for name in sorted({name for name in folders if not name.startswith(".")} | set(schemas)):
        path = home / name / f"{name}.sqlite"
        if path.is_file() or path.is_dir():  # to open a pipe waits for ever
            yield name, read_file(path, name, schemas.get(name))
        else:
            reason = f"there is no {'/'.join(path.parts[-3:])}"
            trouble = Trouble(where=name, kind="missing file", reason=reason)
            yield name, without_file(name, schemas.get(name), trouble)


def _with_examples(
    name: str, found: Mapping[str, Found], lists: Iterable[Path], sql: str, odd: Iterable[Trouble]
) -> Collection:
    examples, troubles = [], list(odd)
    databases = [name for name, item in found.items() if item.database]
    for path in lists:
        read, wrong = read_examples(path, sql, databases, found)
        examples += read
        troubles += wrong
    return unite(name, found.values(), examples, troubles)


def find_files(folder: Path) -> list[Path]:
    """Return the database files of a folder and of the folders in it, by their suffix, sorted.

    Raises:
        SourceError: The folder cannot be read.
    """
    try:
        inside = [path for path in folder.iterdir() if not path.name.startswith(".")]
        below = [path for part in inside if part.is_dir() for path in part.iterdir()]
    except OSError as error:
        raise SourceError(
            f"cannot read the folder: {error.strerror}",
            where=str(error.filename),
            fix="get the right to read it, or move it away",
        ) from error
    return sorted(
        path for path in (*inside, *below) if path.suffix.lower() in SUFFIXES and os.path.isfile(path)
    )


def read_folder(folder: Path) -> Collection:
    """Return the databases of a folder, and of the folders in it, each named like its file.

    Args:
        folder: With SQLite and DuckDB files. Where any is a DuckDB file, the rows of all are read.

    Raises:
        SourceError: The folder cannot be read.
    """
    found: dict[str, Found] = {}
    for path in find_files(folder):
        name = path.stem
        if name.casefold() in found:
            reason = f"{path.name} has the name of a database before it"
            trouble = Trouble(where=str(path.relative_to(folder)), kind="same name", reason=reason)
            found[str(path)] = Found(troubles=(trouble,))
        else:
            found[name.casefold()] = read_any(path, name)
    return unite(folder.resolve().name, found.values())


def read_any(path: Path, name: str) -> Found:
    """Return a SQLite or DuckDB file as a database of a collection. Never raises for what is in it.

    Args:
        path: The file.
        name: Name of the catalog.
    """
    try:
        if detect_reader(path) == "sqlite":
            return read_file(path, name)
        return Found(database=read_database(path, name=name))
    except UserError as error:
        return Found(troubles=(Trouble(where=name, kind=what_ails(path), reason=error.what),))
