"""Read a knowledge base from its folder.

The folder holds `knowledge.yaml` (name, company, dimensions), `metrics.yaml` (metrics), `truth.yaml` (rules
with their operations and facts; may be missing) and `rules/*.md` (prose, the only part that a
model may search).
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from warebench.errors import KnowledgeError, did_you_mean
from warebench.tracks.intelligence.knowledge.model import (
    Dimension,
    Entity,
    Exclude,
    Fact,
    Filter,
    Join,
    Knowledge,
    Measure,
    Metric,
    Override,
    Relation,
    Rule,
    Threshold,
    Weight,
)
from warebench.tracks.intelligence.knowledge.yaml import parse_yaml

HEAD, METRICS, TRUTH = "knowledge.yaml", "metrics.yaml", "truth.yaml"
ENTRIES: dict[str, tuple[str, type[Any]]] = {
    "dimensions": (HEAD, Dimension),
    "metrics": (METRICS, Metric),
    "rules": (TRUTH, Rule),
}
"""List of the knowledge base to the file it stands in and the type of its entries."""

KEYS = sorted(
    {
        field.encode_name
        for kind in (
            Dimension, Entity, Exclude, Fact, Filter, Join, Measure, Metric, Override, Relation, Rule,
            Threshold, Weight,
        )
        for field in msgspec.structs.fields(kind)
    }
)  # fmt: skip
UNKNOWN = re.compile(r"unknown field `([^`]+)`")
Entry = TypeVar("Entry", Dimension, Metric, Rule)


def read_knowledge(folder: str | Path) -> Knowledge:
    """Return the knowledge base of a folder. Nothing is compared with a database: `check_knowledge` does.

    Args:
        folder: Where `knowledge.yaml`, `metrics.yaml`, `truth.yaml` and `rules/` are.

    Raises:
        KnowledgeError: A file is missing or not YAML, or an entry lacks a key, has one too many, or one of
            another type.
    """
    folder = Path(folder)
    return parse_knowledge(dict(_files(folder)), str(folder))


def parse_knowledge(files: Mapping[str, str], place: str = "") -> Knowledge:
    """Return the knowledge base of texts.

    Args:
        files: Path below the folder (`metrics.yaml`, `rules/grace.md`) to text.
        place: The folder, for errors.

    Raises:
        KnowledgeError: As `read_knowledge`.
    """
    head = _mapping(files, HEAD, place)
    lists = {name: _list(head if file == HEAD else files, name, place) for name, (file, _) in ENTRIES.items()}
    rest = {key: value for key, value in head.items() if key != "dimensions"}
    if odd := sorted(set(rest) - {"name", "company"}):
        raise KnowledgeError(
            f"unknown key `{odd[0]}`", where=_where(place, HEAD), fix="known: company, dimensions, name"
        )
    for key in ("name", "company"):
        if not isinstance(rest.get(key), str):
            raise KnowledgeError(f"`{key}` is missing or not text", where=_where(place, HEAD), fix="write it")
    return Knowledge(
        name=rest["name"],
        company=rest["company"],
        dimensions=tuple(_convert(lists["dimensions"], Dimension, _where(place, HEAD))),
        metrics=tuple(_convert(lists["metrics"], Metric, _where(place, METRICS))),
        rules=tuple(_convert(lists["rules"], Rule, _where(place, TRUTH))),
        documents={name: files[name] for name in sorted(files) if name.endswith(".md")},
    )


def _files(folder: Path) -> Iterator[tuple[str, str]]:
    if not folder.is_dir():
        raise KnowledgeError(
            "there is no such folder", where=str(folder), fix="give the folder of a knowledge base"
        )
    paths = [folder / HEAD, folder / METRICS, folder / TRUTH, *sorted((folder / "rules").glob("*.md"))]
    for path in paths:
        name = path.relative_to(folder).as_posix()
        if name == TRUTH and not path.exists():
            continue
        try:
            yield name, path.read_text(encoding="utf-8")
        except FileNotFoundError as error:
            raise KnowledgeError("this file is missing", where=str(path), fix="write it") from error
        except (OSError, UnicodeDecodeError) as error:
            raise KnowledgeError(
                "this file cannot be read as UTF-8 text", where=str(path), fix="save it again"
            ) from error


def _mapping(files: Mapping[str, str], name: str, place: str) -> dict[str, Any]:
    found = parse_yaml(files.get(name, ""), _where(place, name))
    if not isinstance(found, dict):
        raise KnowledgeError("this is no mapping", where=_where(place, name), fix="write `key: value` lines")
    return found


def _list(source: Mapping[str, Any], name: str, place: str) -> list[Any]:
    """Return the entries called `name`: of a mapping that is read already, or of their own file."""
    file = ENTRIES[name][0]
    found: Any = source.get(name, []) if file == HEAD else None
    if file in source:
        found = parse_yaml(source[file], _where(place, file))
        if isinstance(found, dict) and list(found) == [name]:
            found = found[name]
    if found is None:
        return []
    if not isinstance(found, list):
        raise KnowledgeError(
            f"there is no list of {name}", where=_where(place, file), fix=f"write `{name}:`, then `- id: ...`"
        )
    return found


def _convert(entries: list[Any], kind: type[Entry], file: str) -> Iterator[Entry]:
    for number, entry in enumerate(entries, 1):
        name = entry.get("id") if isinstance(entry, dict) else None
        try:
            yield msgspec.convert(entry, kind)
        except msgspec.ValidationError as error:
            what, _, key = str(error).partition(" - at `$")
            where = f"{file}, {kind.__name__.lower()} {name or number}"
            raise KnowledgeError(
                what, where=where + (f", key {key.strip('.`')}" if key.strip(".`") else ""), fix=_fix(what)
            ) from error


def _fix(what: str) -> str:
    if found := UNKNOWN.search(what):
        return did_you_mean(found[1], KEYS) or "remove it"
    return "correct the entry"


def _where(place: str, name: str) -> str:
    return f"{place}/{name}" if place else name
