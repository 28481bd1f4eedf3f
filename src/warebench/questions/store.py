"""Question sets on disk: questions.jsonl, manifest.json, catalogs/ and, where needed, databases/, files/.

Beside what it was made from, manifest.json holds the hash of every catalog's and table's bytes, and the
checksum of its own (see `_seal`): a flipped byte anywhere in a set is found when it is read.
"""

import hashlib
import re
import shutil
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

import msgspec

from warebench.bounds import read_whole, refuse_large
from warebench.catalog.model import Catalog
from warebench.engine.database import Database, decode_table, encode_table
from warebench.engine.packed import unpacked_size
from warebench.errors import SetError, UserError
from warebench.questions.model import FileContent, Manifest, Question, QuestionSet

Decoded = TypeVar("Decoded")


class Seal(msgspec.Struct, frozen=True, kw_only=True):
    """What a manifest on disk holds beside the manifest."""

    bytes: dict[str, str] = {}
    """Path of each catalog and table in the set to the SHA-256 of its bytes."""
    checksum: str = ""
    """SHA-256 of the manifest's own bytes, with zeros in place of it."""


FORMAT = 2
QUESTIONS, MANIFEST, CATALOGS, DATABASES = "questions.jsonl", "manifest.json", "catalogs", "databases"
FILES = "files"
UNSEALED = "0" * 64
"""What stands in a manifest in place of its checksum when that is computed."""
DRAFT = ".draft"
"""Folder in which a set is written before it takes the place of an older one."""


def write_questions(question_set: QuestionSet, folder: Path | str) -> None:
    """Write a question set; equal sets give equal bytes.

    All of it is written beside an older set first, so that a full disk leaves that one as it was.

    Args:
        question_set: The set.
        folder: Made when missing; an older set in it is replaced.

    Raises:
        SetError: The folder cannot be written, or holds something else.
    """
    folder = Path(folder)
    _check_names(question_set)
    _refuse_foreign(folder)
    draft = folder / DRAFT
    try:
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        _write_all(question_set, draft)
        _replace(folder, draft)
    except OSError as error:
        shutil.rmtree(draft, ignore_errors=True)
        raise SetError(
            "the question set cannot be written",
            where=f"{folder}: {error.strerror}",
            fix="Give a folder you may write to.",
        ) from error


def _check_names(question_set: QuestionSet) -> None:
    for name in (*question_set.catalogs, *question_set.databases):
        if not _may_be_file(name):
            raise SetError(f"`{name}` cannot be the name of a file", fix="Give the catalog another name.")
    for path in question_set.files:
        if not all(map(_may_be_file, path.split("/"))):
            raise SetError(f"`{path}` cannot be the path of a file", fix="Give the file another name.")


def _write_all(question_set: QuestionSet, folder: Path) -> None:
    (folder / CATALOGS).mkdir()
    for name, catalog in question_set.catalogs.items():
        (folder / CATALOGS / _on_disk(f"{name}.json")).write_bytes(_pretty(catalog))
    for name, database in question_set.databases.items():
        home = folder / DATABASES / _on_disk(name)
        home.mkdir(parents=True)
        for number, table in enumerate(database.catalog.table_names):
            (home / f"{number}.arrows").write_bytes(encode_table(database.tables[table], compress=True))
    for path, content in question_set.files.items():
        target = folder / FILES / _on_disk(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            target.write_bytes(content)
        else:
            shutil.copyfile(content, target)
    (folder / QUESTIONS).write_bytes(encode_questions(question_set.questions))
    (folder / MANIFEST).write_bytes(_seal(question_set.manifest, folder))


def _seal(manifest: Manifest, folder: Path) -> bytes:
    """Return the bytes of a manifest with the hashes of the files beside it, and its own checksum."""
    parts = sorted(path for part in (CATALOGS, DATABASES) for path in (folder / part).rglob("*.*"))
    marks = {path.relative_to(folder).as_posix(): hash_file(path) for path in parts if path.is_file()}
    fields = msgspec.structs.asdict(manifest).items()
    said = {name: value for name, value in fields if value is not msgspec.UNSET}
    whole = {**said, **msgspec.to_builtins(Seal(bytes=marks, checksum=UNSEALED))}
    raw = _pretty(whole)
    return raw.replace(UNSEALED.encode(), sha256(raw).encode(), 1)


def _open_seal(raw: bytes, path: Path) -> Seal:
    """Return the hashes of a manifest, whose own checksum fits.

    Raises:
        SetError: It does not fit.
    """
    seal = _decode(path, raw, Seal)
    if (
        not seal.checksum
        or sha256(raw.replace(seal.checksum.encode(), UNSEALED.encode(), 1)) != seal.checksum
    ):
        raise SetError(
            "the manifest is not what was written: its checksum does not fit",
            where=str(path),
            fix="Build the set again; a set is never edited by hand.",
        )
    return seal


def _verified(folder: Path, part: str, seal: Seal) -> bytes:
    """Return the bytes of a catalog or table that are what was written.

    Raises:
        SetError: They are not, or cannot be read.
    """
    raw = _read(folder / part)
    if seal.bytes.get(part) != sha256(raw):
        raise SetError(
            "the file is not the one that the set was written with",
            where=str(folder / part),
            fix="Build the set again; a set is never edited by hand.",
        )
    return raw


def _replace(folder: Path, draft: Path) -> None:
    """Put the files of a draft in the place of an older set's."""
    (folder / MANIFEST).unlink(missing_ok=True)  # first: until the new one is there, there is no set
    for part in (CATALOGS, DATABASES, FILES):
        shutil.rmtree(folder / part, ignore_errors=True)
    for part in (CATALOGS, DATABASES, FILES, QUESTIONS, MANIFEST):
        if (draft / part).exists():
            (draft / part).replace(folder / part)
    draft.rmdir()


def read_questions(folder: Path | str) -> QuestionSet:
    """Read a question set and verify its hashes.

    Raises:
        SetError: A file is missing, torn, edited, or of another format.
    """
    folder = Path(folder)
    written = _read(folder / MANIFEST)
    manifest = _decode(folder / MANIFEST, written, Manifest)
    for name in (*manifest.catalogs, *manifest.databases):
        if not _may_be_file(name):
            raise SetError(
                f"`{name}` cannot be the name of a file",
                where=str(folder / MANIFEST),
                fix="Build the set again: this manifest was edited.",
            )
    if manifest.format != FORMAT:
        raise SetError(
            f"question set format {manifest.format} is not known",
            where=str(folder / MANIFEST),
            fix=f"Build the set again: this version of warebench reads format {FORMAT}.",
        )
    seal = _open_seal(written, folder / MANIFEST)
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
    catalogs = {name: _catalog(folder, name, mark, seal) for name, mark in manifest.catalogs.items()}
    homes = {question.context: catalogs[question.catalog] for question in questions if question.context}
    databases = {
        name: _database(folder, name, homes.get(name) or catalogs[name], mark, seal)
        for name, mark in manifest.databases.items()
    }
    files: dict[str, FileContent] = {path: _file(folder, path, mark) for path, mark in manifest.files.items()}
    return QuestionSet(
        manifest=manifest, questions=questions, catalogs=catalogs, databases=databases, files=files
    )


def _refuse_foreign(folder: Path) -> None:
    """Refuse a folder with anything but a set, or a draft of one, in it.

    Raises:
        SetError: It holds something else, which is not ours to replace.
    """
    if not folder.is_dir() or all(path.name == DRAFT for path in folder.iterdir()):
        return
    try:
        msgspec.json.decode(read_whole(folder / MANIFEST), type=Manifest)
    except (OSError, UserError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SetError(
            "the folder holds other files and no question set",
            where=str(folder),
            fix="Give --out a new or empty folder, or that of an older set.",
        ) from error


RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
"""Names that Windows keeps for devices, whatever their ending."""


def is_file_name(name: str) -> bool:
    """Return whether a name is safe as that of a file on every system, and in no other folder."""
    return _may_be_file(name) and not RESERVED.fullmatch(name)


def _may_be_file(name: str) -> bool:
    """Return whether a file of a set can be called so, as `_on_disk` spells it."""
    return (
        bool(name)
        and name[0] != "."
        and not set(name) & set("/\\:\0")
        and len(name.encode("utf-8", "replace")) < 200
    )


def _on_disk(path: str) -> str:
    """Return a path in a set as it is spelled on disk: `aux`, a device to Windows, is `~aux` there."""
    return "/".join(f"~{part}" if RESERVED.fullmatch(part.lstrip("~")) else part for part in path.split("/"))


def encode_questions(questions: Iterable[Question]) -> bytes:
    """Return the bytes of questions.jsonl."""
    lines = [msgspec.json.encode(question, order="deterministic") for question in questions]
    return b"".join(line + b"\n" for line in lines)


def sha256(raw: bytes) -> str:
    """Return the SHA-256 (hex) of bytes."""
    return hashlib.sha256(raw).hexdigest()


def hash_file(content: FileContent) -> str:
    """Return the SHA-256 (hex) of a file of a set."""
    if isinstance(content, bytes):
        return sha256(content)
    with content.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def _catalog(folder: Path, name: str, fingerprint: str, seal: Seal) -> Catalog:
    part = f"{CATALOGS}/{_on_disk(f'{name}.json')}"
    path = folder / part
    catalog = _decode(path, _verified(folder, part, seal), Catalog)
    if catalog.fingerprint != fingerprint:
        raise SetError(
            "the catalog is not the one the set was built from",
            where=str(path),
            fix="Build the set again; a set is never edited by hand.",
        )
    return catalog


def _database(folder: Path, name: str, catalog: Catalog, fingerprint: str, seal: Seal) -> Database:
    part = f"{DATABASES}/{_on_disk(name)}"
    home = folder / part
    tables = {}
    try:
        for number, table in enumerate(catalog.table_names):
            raw = _verified(folder, f"{part}/{number}.arrows", seal)
            refuse_large(unpacked_size(raw), home / f"{number}.arrows", SetError)
            tables[table] = decode_table(raw)
    except (ValueError, OSError, struct.error, IndexError) as error:
        raise SetError(f"the rows are torn: {error}", where=str(home), fix="Build the set again.") from error
    database = Database(catalog=catalog, tables=tables)
    if database.fingerprint != fingerprint:
        raise SetError(
            "the rows are not the ones the set was built from",
            where=str(home),
            fix="Build the set again; a set is never edited by hand.",
        )
    return database


def _file(folder: Path, path: str, mark: str) -> Path:
    full = folder / FILES / _on_disk(path)
    inside = all(map(_may_be_file, path.split("/")))
    if not inside or not full.is_file() or hash_file(full) != mark:
        raise SetError(
            "the file is missing, or not the one the set was built with",
            where=str(full),
            fix="Build the set again; a set is never edited by hand.",
        )
    return full


def _pretty(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value, order="deterministic"), indent=1) + b"\n"


def _read(path: Path) -> bytes:
    try:
        return read_whole(path, SetError)
    except OSError as error:
        raise SetError(
            f"no question set here: {error.strerror}",
            where=str(path),
            fix="Give the folder that `warebench build` wrote.",
        ) from error


def _decode(path: Path, raw: bytes, kind: type[Decoded]) -> Decoded:
    try:
        return msgspec.json.decode(raw, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        what = f"the file is torn or edited: {error}"
        raise SetError(what, where=str(path), fix="Build the set again.") from error
