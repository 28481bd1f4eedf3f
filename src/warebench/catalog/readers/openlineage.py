"""Read OpenLineage events: datasets are tables, and what a finished run read, its outputs derive from.

One JSON event, a list of them, or one a line; a folder of such files. Facets read: schema, symlinks (names of
one dataset), columnLineage, lifecycleStateChange. Source: the OpenLineage specification, 2-0-2.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from warebench.bounds import read_whole
from warebench.catalog.model import Catalog, Column, Evidence, LeftOut, LineageEdge, Table
from warebench.catalog.validate import validate
from warebench.errors import SourceError

SUFFIXES = (".json", ".jsonl", ".ndjson")
MARKS = (b'"eventTime"', b'"schemaURL"')
"""What one of the first events of a file holds."""
DONE = "COMPLETE"

Dataset = tuple[str, str]
"""Namespace and name."""


@dataclass(slots=True)
class Run:
    """What the events of one run say together."""

    done: bool = False
    inputs: dict[Dataset, None] = field(default_factory=dict)
    outputs: dict[Dataset, None] = field(default_factory=dict)


@dataclass(slots=True)
class Found:
    """What all events say."""

    runs: dict[str, Run] = field(default_factory=dict)
    columns: dict[Dataset, dict[str, Column]] = field(default_factory=dict)
    sources: dict[Dataset, dict[Dataset, None]] = field(default_factory=dict)
    """Dataset -> what its columnLineage facets name."""
    same: dict[Dataset, Dataset] = field(default_factory=dict)
    """Dataset -> another name of it, nearer to the one shown."""
    dropped: set[Dataset] = field(default_factory=set)
    unread: list[tuple[str, str]] = field(default_factory=list)
    """Where, and why."""


def looks_like(head: bytes) -> bool:
    """Return whether the beginning of a file is that of OpenLineage events."""
    return all(mark in head for mark in MARKS)


def read(source: Path, *, name: str = "") -> Catalog:
    """Return the catalog of OpenLineage events.

    The outputs of a run derive from its inputs once the run is COMPLETE. Where a run has several outputs and
    an output has no columnLineage facet of its own, the edge is only "inferred". What a job is designed to
    read (an event without a run) counts like a finished run. Runs that did not finish are left out and touch
    what they name; an event that cannot be read touches every table.

    Args:
        source: A file of events, or a folder of them.
        name: Name of the catalog; the file's or folder's when empty.

    Raises:
        SourceError: There is no event, or none that names a dataset.
        CatalogError: The events contradict themselves.
    """
    found = Found()
    for where, event in _events(source, found):
        _take(event, where, found)
    datasets = [dataset for dataset in found.columns if _root(found, dataset) not in found.dropped]
    roots = list(dict.fromkeys(_root(found, dataset) for dataset in datasets))
    if not roots:
        why = f": {found.unread[0][1]}" if found.unread else ""
        raise SourceError(
            f"no OpenLineage event here names a dataset{why}", where=str(source), fix="give RunEvents as JSON"
        )
    label = _labels(roots)
    catalog = Catalog(
        name=name or source.stem or "lineage",
        tables=tuple(
            Table(name=label[root], database=root[0], columns=_columns(found, root)) for root in roots
        ),
        lineage=_edges(found, label),
        left_out=tuple(_left_out(found, label)),
        source=f"OpenLineage events of {source.name}",
    )
    return validate(catalog, where=source.name)


def _events(source: Path, found: Found) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield (where, event); what is no event is noted as unread."""
    files = [source]
    if source.is_dir():
        files = sorted(path for path in source.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    for path in files:
        try:
            values = list(_values(read_whole(path, SourceError)))
        except (SourceError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError, OSError) as error:
            why = error.what if isinstance(error, SourceError) else f"it is not whole JSON: {error}"
            found.unread.append((path.name, why))
            continue
        for number, value in enumerate(values, start=1):
            where = f"{path.name}, event {number}"
            if isinstance(value, dict):
                yield where, value
            else:
                found.unread.append((where, "it is no event"))


def _values(raw: bytes) -> Iterator[Any]:
    """Yield the values of a file: one, those of a list, or one a line."""
    try:
        whole = msgspec.json.decode(raw)
    except msgspec.MsgspecError:
        lines = [line for line in raw.splitlines() if line.strip()]
        if len(lines) < 2:  # a torn value, not lines of them
            raise
        for line in lines:
            try:
                yield msgspec.json.decode(line)
            except msgspec.MsgspecError:
                yield None
        return
    yield from whole if isinstance(whole, list) else [whole]


def _take(event: Mapping[str, Any], where: str, found: Found) -> None:
    """Add what one event says."""
    try:
        inputs = [_dataset(item, found) for item in event.get("inputs") or ()]
        outputs = [_dataset(item, found) for item in event.get("outputs") or ()]
        if "dataset" in event:
            _dataset(event["dataset"], found)
            return
        job = event["job"]
        key, done = f"job {job['namespace']} {job['name']}", True
        if "run" in event or "eventType" in event:
            key, done = f"run {event['run']['runId']}", event.get("eventType") == DONE
    except (KeyError, TypeError, AttributeError) as error:
        found.unread.append((where, f"it does not have the form of an event: {error}"))
        return
    run = found.runs.setdefault(key, Run())
    run.done |= done
    run.inputs |= dict.fromkeys(inputs)
    run.outputs |= dict.fromkeys(outputs)


def _dataset(item: Mapping[str, Any], found: Found) -> Dataset:
    """Note what an event says of a dataset, and return it."""
    dataset = _identity(item)
    facets = item.get("facets") or {}
    columns = found.columns.setdefault(dataset, {})
    for column in (facets.get("schema") or {}).get("fields") or ():
        kind, description = column.get("type") or "", column.get("description") or ""
        columns[column["name"]] = Column(name=column["name"], type=kind, description=description)
    for other in (facets.get("symlinks") or {}).get("identifiers") or ():
        _unite(found, dataset, _identity(other), shown=other.get("type") == "TABLE")
    lineage = facets.get("columnLineage") or {}
    named = [*(lineage.get("dataset") or ())]
    for column in (lineage.get("fields") or {}).values():
        named += column.get("inputFields") or ()
    if named:
        sources = found.sources.setdefault(dataset, {})
        for other in map(_identity, named):
            found.columns.setdefault(other, {})
            sources[other] = None
    change = facets.get("lifecycleStateChange") or {}
    if change.get("lifecycleStateChange") == "RENAME" and change.get("previousIdentifier"):
        _unite(found, _identity(change["previousIdentifier"]), dataset, shown=True)
    found.dropped.discard(_root(found, dataset))
    if change.get("lifecycleStateChange") == "DROP":
        found.dropped.add(_root(found, dataset))
    return dataset


def _identity(item: Mapping[str, Any]) -> Dataset:
    namespace, name = item["namespace"], item["name"]
    if not isinstance(namespace, str) or not isinstance(name, str) or not name:
        raise TypeError("a dataset needs a namespace and a name")
    return namespace, name.removeprefix("None.")  # dbt's integration writes it for no database


def _unite(found: Found, one: Dataset, other: Dataset, *, shown: bool) -> None:
    """Make two names mean one dataset; the other is the one to show where `shown`."""
    first, second = _root(found, one), _root(found, other)
    if first != second:
        found.columns.setdefault(second, {})
        found.same[first if shown else second] = second if shown else first


def _root(found: Found, dataset: Dataset) -> Dataset:
    while dataset in found.same:
        dataset = found.same[dataset]
    return dataset


def _labels(roots: Iterable[Dataset]) -> dict[Dataset, str]:
    """Return how each dataset is called: by its name, with its namespace where the name is not enough."""
    roots = list(roots)
    counts: dict[str, int] = {}
    for _, name in roots:
        counts[name.casefold()] = counts.get(name.casefold(), 0) + 1
    return {
        (namespace, name): name if counts[name.casefold()] == 1 else f"{namespace}/{name}"
        for namespace, name in roots
    }


def _columns(found: Found, root: Dataset) -> tuple[Column, ...]:
    merged: dict[str, Column] = {}
    for dataset, columns in found.columns.items():
        if _root(found, dataset) == root:
            merged |= columns
    return tuple(merged.values())


def _edges(found: Found, label: Mapping[Dataset, str]) -> tuple[LineageEdge, ...]:
    known: dict[tuple[str, str], Evidence] = {}
    for run in found.runs.values():
        for output in run.outputs if run.done else ():
            guessed = len(run.outputs) > 1 and output not in found.sources
            for upstream in run.inputs:
                told = found.sources.get(output)
                if told is None or len(run.outputs) == 1 or upstream in told:
                    _add(known, found, label, output, upstream, "inferred" if guessed else "documented")
    for output, sources in found.sources.items():
        for upstream in sources:
            _add(known, found, label, output, upstream, "documented")
    return tuple(
        LineageEdge(downstream=down, upstream=up, evidence=evidence)
        for (down, up), evidence in sorted(known.items())
    )


def _add(
    known: dict[tuple[str, str], Evidence],
    found: Found,
    label: Mapping[Dataset, str],
    output: Dataset,
    upstream: Dataset,
    evidence: Evidence,
) -> None:
    down, up = label.get(_root(found, output)), label.get(_root(found, upstream))
    if down and up and down != up and known.get((down, up)) != "documented":
        known[down, up] = evidence


def _left_out(found: Found, label: Mapping[Dataset, str]) -> Iterator[LeftOut]:
    every = tuple(label.values())
    for where, why in found.unread:
        yield LeftOut(kind="edge", what="event", where=where, why=why, touches=every)
    for key, run in found.runs.items():
        if not run.done and (run.inputs or run.outputs):
            named = (label.get(_root(found, dataset)) for dataset in [*run.outputs, *run.inputs])
            touches = tuple(dict.fromkeys(name for name in named if name))
            yield LeftOut(
                kind="edge", what="lineage", where=key, why="the run did not complete", touches=touches
            )
