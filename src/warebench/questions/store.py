"""Question sets on disk: questions.jsonl, manifest.json, catalogs/ and, where rows matter, databases/."""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeVar

import msgspec

from warebench.catalog.model import Catalog
from warebench.engine.database import Database, decode_table, encode_table
from warebench.errors import SetError
from warebench.questions.model import Manifest, Question, QuestionSet

Decoded = TypeVar("Decoded")

FORMAT = 1
QUESTIONS, MANIFEST, CATALOGS, DATABASES = "questions.jsonl", "manifest.json", "catalogs", "databases"


def write_questions(question_set: QuestionSet, folder: Path | str) -> None:
    """Write a question set; equal sets give equal bytes.

    Args:
        question_set: The set.
        folder: Made when missing; an older set in it is replaced.

    Raises:
        SetError: The folder cannot be written, or holds something else.
    """
    folder = Path(folder)
    for name in (*question_set.catalogs, *question_set.databases):
        if not is_file_name(name):
            raise SetError(f"`{name}` cannot be the name of a file", fix="Give the catalog another name.")
    older = _older(folder)
    try:
        (folder / CATALOGS).mkdir(parents=True, exist_ok=True)
        for name in older.catalogs if older else ():
            (folder / CATALOGS / f"{name}.json").unlink(missing_ok=True)
        for name, catalog in question_set.catalogs.items():
            (folder / CATALOGS / f"{name}.json").write_bytes(_pretty(catalog))
        _write_databases(question_set.databases, folder / DATABASES)
        (folder / QUESTIONS).write_bytes(encode_questions(question_set.questions))
        # Last: while an older set is being replaced, its manifest does not fit the new files.
        (folder / MANIFEST).write_bytes(_pretty(question_set.manifest))
    except OSError as error:
        raise SetError("the question set cannot be written", where=f"{folder}: {error.strerror}") from error


def read_questions(folder: Path | str) -> QuestionSet:
    """Read a question set and verify its hashes.

    Raises:
        SetError: A file is missing, torn, edited, or of another format.
    """
    folder = Path(folder)
    manifest = _decode(folder / MANIFEST, _read(folder / MANIFEST), Manifest)
    for name in (*manifest.catalogs, *manifest.databases):
        if not is_file_name(name):
            raise SetError(f"`{name}` cannot be the name of a file", where=str(folder / MANIFEST))
    if manifest.format != FORMAT:
        raise SetError(
            f"question set format {manifest.format} is not known",
            where=str(folder / MANIFEST),
            fix=f"Build the set again: this version of warebench reads format {FORMAT}.",
        )
    raw = _read(folder / QUESTIONS)
    if sha256(raw) != manifest.questions_sha256:
        raise SetError(
            "the questions are not the ones the manifest was written for",
            where=str(folder / QUESTIONS),
            fix="Build the set again; a set is never edited by hand.",
        )
    questions = tuple(_decode(folder / QUESTIONS, line, Question) for line in raw.splitlines())
    for question in questions:
        if question.catalog not in manifest.catalogs:
            what = f"question {question.id} is about catalog `{question.catalog}`, which the manifest lacks"
            raise SetError(what, where=str(folder / MANIFEST), fix="Build the set again.")
    catalogs = {name: _catalog(folder, name, mark) for name, mark in manifest.catalogs.items()}
    homes = {question.context: catalogs[question.catalog] for question in questions if question.context}
    databases = {
        name: _database(folder, name, homes[name], mark) for name, mark in manifest.databases.items()
    }
    return QuestionSet(manifest=manifest, questions=questions, catalogs=catalogs, databases=databases)


def _older(folder: Path) -> Manifest | None:
    """Return the manifest of the set that a folder holds, None when it is empty or missing.

    Raises:
        SetError: It holds something else, which is not ours to replace.
    """
    if not folder.is_dir() or not any(folder.iterdir()):
        return None
    try:
        manifest = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
    except (OSError, msgspec.DecodeError) as error:
        raise SetError(
            "the folder holds other files and no question set",
            where=str(folder),
            fix="Give --out a new or empty folder, or that of an older set.",
        ) from error
    safe = all(is_file_name(name) for name in manifest.catalogs)
    return manifest if safe else msgspec.structs.replace(manifest, catalogs={})


def is_file_name(name: str) -> bool:
    """Return whether a catalog's name is safe as the name of a file in a set, and in no other folder."""
    return (
        bool(name) and not name.startswith(".") and not set(name) & set("/\\:\0") and len(name.encode()) < 200
    )


def encode_questions(questions: Iterable[Question]) -> bytes:
    """Return the bytes of questions.jsonl."""
    lines = [msgspec.json.encode(question, order="deterministic") for question in questions]
    return b"".join(line + b"\n" for line in lines)


def sha256(raw: bytes) -> str:
    """Return the SHA-256 (hex) of bytes."""
    return hashlib.sha256(raw).hexdigest()


def _catalog(folder: Path, name: str, fingerprint: str) -> Catalog:
    path = folder / CATALOGS / f"{name}.json"
    catalog = _decode(path, _read(path), Catalog)
    if catalog.fingerprint != fingerprint:
        raise SetError(
            "the catalog is not the one the set was built from",
            where=str(path),
            fix="Build the set again; a set is never edited by hand.",
        )
    return catalog


def _write_databases(databases: Mapping[str, Database], folder: Path) -> None:
    for stale in folder.glob("*/*.arrows"):
        stale.unlink()
    for name, database in databases.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        for number, table in enumerate(database.catalog.table_names):
            (folder / name / f"{number}.arrows").write_bytes(encode_table(database.tables[table]))


def _database(folder: Path, name: str, catalog: Catalog, fingerprint: str) -> Database:
    home = folder / DATABASES / name
    try:
        tables = {
            table: decode_table(_read(home / f"{number}.arrows"))
            for number, table in enumerate(catalog.table_names)
        }
    except (ValueError, OSError) as error:
        raise SetError(f"the rows are torn: {error}", where=str(home), fix="Build the set again.") from error
    database = Database(catalog=catalog, tables=tables)
    if database.fingerprint != fingerprint:
        raise SetError(
            "the rows are not the ones the set was built from",
            where=str(home),
            fix="Build the set again; a set is never edited by hand.",
        )
    return database


def _pretty(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value, order="deterministic"), indent=1) + b"\n"


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SetError(
            f"no question set here: {error.strerror}",
            where=str(path),
            fix="Give the folder that `warebench build` wrote.",
        ) from error


def _decode(path: Path, raw: bytes, kind: type[Decoded]) -> Decoded:
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.DecodeError as error:
        what = f"the file is torn or edited: {error}"
        raise SetError(what, where=str(path), fix="Build the set again.") from error
