"""Read a knowledge base from its folder.

The folder holds `knowledge.yaml` (name, company, dimensions), `metrics.yaml` (metrics), `truth.yaml` (rules
with their operations and facts; may be missing) and `rules/*.md` (prose, the only part that a
model may search). In place of `metrics.yaml` there may be dbt's `semantic_manifest.json` or an Apache Ossie
file `*.ossie.yaml`; what of it would lose meaning must be named under `leave_out` in `knowledge.yaml`.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from warebench.catalog.model import Catalog
from warebench.errors import KnowledgeError, did_you_mean
from warebench.tracks.intelligence.knowledge.front_matter import split_front_matter
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
from warebench.tracks.intelligence.readers.detect import metric_file, parse_metrics
from warebench.tracks.intelligence.readers.model import Reading, settle

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


def read_knowledge(folder: str | Path, catalog: Catalog | None = None) -> Knowledge:
    """Return the knowledge base of a folder. Nothing is compared with a database: `check_knowledge` does.

    Args:
        folder: Where `knowledge.yaml`, `metrics.yaml`, `truth.yaml` and `rules/` are.
        catalog: The database; needed for metrics in a format of others only.

    Raises:
        KnowledgeError: A file is missing or not YAML, or an entry lacks a key, has one too many, or one of
            another type.
    """
    folder = Path(folder)
    return parse_knowledge(dict(_files(folder)), str(folder), catalog)


def parse_knowledge(files: Mapping[str, str], place: str = "", catalog: Catalog | None = None) -> Knowledge:
    """Return the knowledge base of texts.

    Args:
        files: Path below the folder (`metrics.yaml`, `rules/grace.md`) to text.
        place: The folder, for errors.
        catalog: As `read_knowledge`.

    Raises:
        KnowledgeError: As `read_knowledge`.
    """
    head = _mapping(files, HEAD, place)
    rest = {key: value for key, value in head.items() if key != "dimensions"}
    if odd := sorted(set(rest) - {"name", "company", "leave_out"}):
        raise KnowledgeError(
            f"unknown key `{odd[0]}`",
            where=_where(place, HEAD),
            fix="known: company, dimensions, leave_out, name",
        )
    for key in ("name", "company"):
        if not isinstance(rest.get(key), str):
            raise KnowledgeError(f"`{key}` is missing or not text", where=_where(place, HEAD), fix="write it")
    own = tuple(_convert(_list(head, "dimensions", place), Dimension, _where(place, HEAD)))
    known = [item.id for item in own]
    reading = _reading(files, head, place, catalog)
    return Knowledge(
        name=rest["name"],
        company=rest["company"],
        dimensions=(*own, *(item for item in reading.dimensions if item.id not in known)),
        metrics=reading.metrics,
        rules=tuple(_convert(_list(files, "rules", place), Rule, _where(place, TRUTH))),
        documents={
            name: split_front_matter(files[name], _where(place, name))[1]
            for name in sorted(files)
            if name.endswith(".md")
        },
    )


def _reading(
    files: Mapping[str, str], head: Mapping[str, Any], place: str, catalog: Catalog | None
) -> Reading:
    """Return the metrics of whichever file holds them, and the dimensions that it brings along."""
    name = metric_file(files, place)
    found = parse_metrics(files.get(name, ""), catalog, _where(place, name))
    if found is None:
        entries = _list({METRICS: files[name]} if name in files else {}, "metrics", place)
        own = tuple(_convert(entries, Metric, _where(place, METRICS)))
        found = Reading(metrics=own, dimensions=())
    leave_out = head.get("leave_out") or []
    if not isinstance(leave_out, list) or not all(isinstance(item, str) for item in leave_out):
        raise KnowledgeError(
            "`leave_out` is no list of names", where=_where(place, HEAD), fix="write `leave_out: [a, b]`"
        )
    return settle(found, leave_out, _where(place, name))


def _files(folder: Path) -> Iterator[tuple[str, str]]:
    if not folder.is_dir():
        raise KnowledgeError(
            "there is no such folder", where=str(folder), fix="give the folder of a knowledge base"
        )
    metrics = metric_file(sorted(path.name for path in folder.iterdir()), str(folder))
    paths = [folder / HEAD, folder / metrics, folder / TRUTH, *sorted((folder / "rules").glob("*.md"))]
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
