"""Read a knowledge base from its folder.

The folder holds `knowledge.yaml` (name, company, dimensions), `metrics.yaml` (metrics), `truth.yaml` (rules
with their operations and facts; may be missing) and `rules/*.md` (prose, the only part that a
model may search). In place of `metrics.yaml` there may be dbt's `semantic_manifest.json` or an Apache Ossie
file `*.ossie.yaml`; what of it would lose meaning must be named under `leave_out` in `knowledge.yaml`.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin

import msgspec

from warebench.bounds import check_file
from warebench.catalog.model import Catalog
from warebench.errors import KnowledgeError, did_you_mean
from warebench.questions.store import is_file_name
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

NAME = re.compile(r"\w(?:[\w .-]{0,98}\w)?")
"""Of a knowledge base. It is a word of `-T domains=`, too: it has no comma."""

LARGEST = {".md": 1, ".json": 100, ".yaml": 5, ".yml": 5}
"""Most megabytes of a file by its ending. A model is given whole documents, and YAML is slow to read."""

KINDS: tuple[type[Any], ...] = (
    Dimension, Entity, Exclude, Fact, Filter, Join, Measure, Metric, Override, Relation, Rule, Threshold,
    Weight,
)  # fmt: skip
"""Everything that an entry is made of."""

KEYS = sorted({field.encode_name for kind in KINDS for field in msgspec.structs.fields(kind)})
UNKNOWN = re.compile(r"unknown field `([^`]+)`")
CHOICE = re.compile(r"Invalid enum value '([^']*)'")
Entry = TypeVar("Entry", Dimension, Metric, Rule)


def read_knowledge(folder: str | Path, catalog: Catalog | None = None) -> Knowledge:
    """Return the knowledge base of a folder. Nothing is compared with a database: `check_knowledge` does.

    Args:
        folder: Where `knowledge.yaml`, `metrics.yaml`, `truth.yaml` and `rules/` are.
        catalog: The database; needed for metrics in a format of others only.

    Raises:
        KnowledgeError: A file is missing, too large, no text or not YAML, an entry lacks a key, has one too
            many, or one of another type, the name is unfit for files, or there is no metric.
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
        if not isinstance(rest.get(key), str) or not rest[key].strip():
            raise KnowledgeError(f"`{key}` is missing or not text", where=_where(place, HEAD), fix="write it")
    if not NAME.fullmatch(rest["name"]) or not is_file_name(rest["name"]):
        raise KnowledgeError(
            f"`{_shown(rest['name'])}` cannot be the name of a knowledge base: files are called by it",
            where=_where(place, HEAD),
            fix="use letters, digits, blanks, hyphens and dots, 100 at most; letters or digits at both ends",
        )
    own = tuple(_convert(_list(head, "dimensions", place), Dimension, _where(place, HEAD)))
    known = [item.id for item in own]
    reading = _reading(files, head, place, catalog)
    if not reading.metrics:
        raise KnowledgeError(
            "there is no metric",
            where=_where(place, metric_file(files, place)),
            fix="write `metrics:`, then `- id: ...`; docs/examples/chinook has five to copy",
        )
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
        yield name, _text(path)


def _text(path: Path) -> str:
    """Return the text of a file, without the mark that some editors put before it."""
    try:
        check_file(path, KnowledgeError)
        size, most = path.stat().st_size / 1e6, LARGEST[path.suffix]
        if size > most:
            raise KnowledgeError(
                f"this file has {size:.1f} MB, and may have {most}",
                where=str(path),
                fix="split or shorten it",
            )
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise KnowledgeError("this file is missing", where=str(path), fix="write it") from error
    except (OSError, UnicodeDecodeError) as error:
        raise KnowledgeError(
            "this file cannot be read as UTF-8 text", where=str(path), fix="save it as UTF-8"
        ) from error
    if "\0" in text:
        raise KnowledgeError("this file holds NUL, as no text does", where=str(path), fix="save it as UTF-8")
    return text


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
            key = key.strip(".`")
            raise KnowledgeError(
                what, where=where + (f", key {key}" if key else ""), fix=_fix(what, key, kind)
            ) from error


def _fix(what: str, key: str, kind: type[Any]) -> str:
    if found := UNKNOWN.search(what):
        return did_you_mean(found[1], KEYS) or "remove it"
    if found := CHOICE.search(what):
        words = _choices(key.rpartition(".")[2], (kind, *KINDS))
        return did_you_mean(found[1], words) or "correct the entry"
    return "correct the entry"


def _choices(key: str, kinds: tuple[type[Any], ...]) -> tuple[str, ...]:
    """Return the words that a key may have, by the first type that has such a key."""
    fields = [field for kind in kinds for field in msgspec.structs.fields(kind) if field.encode_name == key]
    return next((get_args(field.type) for field in fields if get_origin(field.type) is Literal), ())


def _shown(name: str) -> str:
    """Return a name as it may stand in a message, whatever it holds."""
    return ascii(name)[1:-1] if len(name) < 100 else f"{ascii(name[:60])[1:-1]}..."


def _where(place: str, name: str) -> str:
    return f"{place}/{name}" if place else name
