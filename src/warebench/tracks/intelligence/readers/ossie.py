"""Apache Ossie (once OSI) semantic models, versions 0.1.x and 0.2: datasets, relationships, fields, metrics.

Read as the public draft of the core specification (0.2.0.dev0) describes them, in YAML or JSON: models in a
`semantic_model` list, or one model flat at the root; sources as text or as `{kind: table}`. Expressions in
ANSI SQL are preferred, then those of Snowflake, Databricks and BigQuery; MDX, Tableau, MAQL, DAX and others
are refused.

Refused by name: window functions, percentiles, DISTINCT but in COUNT, other statistics than the standard
deviation of a sample, query sources, keys the specification does not know, aggregates over different
datasets in one metric (the specification does not say over which rows each runs), and an aggregate set
against itself, which is what converters leave of an offset in time.

The format has neither units nor a metric's time. An extension of vendor `WAREBENCH` may give `unit`,
`decimals` and `time` (dataset.field); else the time is the one time field of the dataset, or of those it
refers to.

Source: apache/ossie, core-spec/spec.md and ossie-schema.json.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from warebench.bounds import read_whole
from warebench.catalog.model import Catalog
from warebench.errors import KnowledgeError
from warebench.tracks.intelligence.knowledge.check_metrics import check_metric
from warebench.tracks.intelligence.knowledge.model import Dimension, Knowledge, Metric
from warebench.tracks.intelligence.knowledge.yaml import parse_yaml
from warebench.tracks.intelligence.readers.datasets import (
    Dataset,
    Field,
    Link,
    make_dimension,
    match_column,
    match_table,
    safe_name,
)
from warebench.tracks.intelligence.readers.describe import describe, tell_apart
from warebench.tracks.intelligence.readers.model import Lost, Reading, Refusal, refuse
from warebench.tracks.intelligence.readers.ossie_fields import expression_of, read_field
from warebench.tracks.intelligence.readers.ossie_metrics import Models, compose

VERSION = re.compile(r"0\.[12](\.\w+)*")
MODEL_KEYS = (
    "name", "description", "ai_context", "datasets", "relationships", "metrics", "custom_extensions",
)  # fmt: skip
METRIC_KEYS = ("name", "expression", "description", "datatype", "ai_context", "custom_extensions")
OFFSETS = ("offset_window", "offset_to_grain", "window", "grain_to_date", "cumulative_type_params")
"""Keys of other vendors' extensions that say that a metric's expression is not all of it."""


@dataclass(slots=True)
class Found:
    """What was read so far."""

    metrics: dict[str, Metric] = field(default_factory=dict)
    dimensions: dict[str, Dimension] = field(default_factory=dict)
    refusals: list[Refusal] = field(default_factory=list)


def read_ossie(path: str | Path, catalog: Catalog) -> Reading:
    """Return the metrics and dimensions of an Ossie file, and what was refused.

    Args:
        path: A YAML or JSON file.
        catalog: The database that its datasets are in.

    Raises:
        KnowledgeError: The file cannot be read, is no Ossie document of a known version, or a name stands
            twice in it.
    """
    try:
        text = read_whole(Path(path), KnowledgeError).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise KnowledgeError("this file cannot be read", where=str(path), fix="save it as UTF-8") from error
    return parse_ossie(text, catalog, str(path))


def parse_ossie(text: str, catalog: Catalog, place: str = "ossie.yaml") -> Reading:
    """Return what the text of an Ossie file gives; see `read_ossie`."""
    found = Found()
    for model in _models(text, place):
        datasets = _datasets(model, catalog, found)
        _metrics(model, Models(datasets, catalog), found)
    return Reading(
        metrics=tuple(found.metrics.values()),
        dimensions=tell_apart(tuple(found.dimensions.values())),
        refusals=tuple(found.refusals),
    )


def _models(text: str, place: str) -> list[dict[str, Any]]:
    document = _document(text, place)
    version = str(document.get("version", ""))
    if not VERSION.fullmatch(version):
        raise KnowledgeError(
            f"Ossie version `{version}` is not known", where=place, fix="write it as 0.1.1 or 0.2.0.dev0"
        )
    models = document.get("semantic_model")
    if models is None:
        models = [{key: document[key] for key in document if key not in ("version", "dialects", "vendors")}]
    if not isinstance(models, list) or not all(isinstance(item, dict) for item in models):
        raise KnowledgeError("`semantic_model` is no list of models", where=place, fix="write `- name: ...`")
    for model in models:
        if odd := sorted(set(model) - set(MODEL_KEYS)):
            raise KnowledgeError(f"unknown key `{odd[0]}` of a model", where=place, fix="remove it")
        for key in ("datasets", "relationships", "metrics"):
            entries = model.get(key) or []
            named = isinstance(entries, list) and all(
                isinstance(item, dict) and isinstance(item.get("name"), str) for item in entries
            )
            if not named:
                raise KnowledgeError(f"`{key}` is no list of named entries", where=place, fix="correct it")
    _check_names(models, place)
    return models


def _check_names(models: list[dict[str, Any]], place: str) -> None:
    """Refuse a metric that stands twice in a file, and a dataset that stands twice in a model."""
    seen: dict[tuple[str, str], str] = {}
    for number, model in enumerate(models, 1):
        said = f"model {model.get('name') or number}"
        for kind, entries in (
            ("metric", model.get("metrics")),
            (f"dataset of {said}", model.get("datasets")),
        ):
            for item in entries or []:
                key = kind, item["name"]
                if key in seen:
                    raise KnowledgeError(
                        f"two entries are called {kind} `{item['name']}`: in {seen[key]} and in {said}",
                        where=place,
                        fix="rename one, or keep its model in a file of its own",
                    )
                seen[key] = said


def _document(text: str, place: str) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(text) if text.lstrip().startswith("{") else parse_yaml(text, place)
    except (msgspec.DecodeError, RecursionError) as error:
        raise KnowledgeError("this is not JSON", where=place, fix="correct it") from error
    if not isinstance(found, dict):
        raise KnowledgeError("this is no Ossie document", where=place, fix="begin with `version:`")
    return found


def _datasets(model: dict[str, Any], catalog: Catalog, found: Found) -> dict[str, Dataset]:
    plain: dict[str, Dataset] = {}
    for entry in model.get("datasets") or []:
        name = entry["name"]
        try:
            table = match_table(catalog, *_source(entry.get("source")))
        except KnowledgeError as error:
            found.refusals.append(refuse("dimension", safe_name(name), error))
            continue
        fields = {str(item.get("name")): read_field(item, table) for item in entry.get("fields") or []}
        plain[name] = Dataset(name=name, table=table, prefix=safe_name(name), fields=fields)
        asked = [fields[str(item["name"])] for item in entry.get("fields") or [] if _grouped(item)]
        _dimensions(plain[name], asked, found)
    return {name: replace(item, links=tuple(_links(model, name, plain))) for name, item in plain.items()}


def _grouped(item: Mapping[str, Any]) -> bool:
    return item.get("dimension") is not None or item.get("datatype") in ("Date", "DateTime")


def _source(source: Any) -> tuple[str, ...]:
    if isinstance(source, dict) and source.get("kind") == "table":
        source = source.get("object")
    if not isinstance(source, str) or re.search(r"\s", source.strip()):
        raise Lost("query source", "a metric's rows are those of a table")
    parts = source.strip().replace('"', "").split(".")
    return (parts[-1], ".".join(parts[-2:]))


def _dimensions(dataset: Dataset, fields: list[Field], found: Found) -> None:
    for item in fields:
        name = f"{dataset.prefix}__{safe_name(item.name)}"
        try:
            if name in found.dimensions:
                raise Lost("name", "another dimension has it already")
            found.dimensions[name] = make_dimension(dataset, item)
        except KnowledgeError as error:
            found.refusals.append(refuse("dimension", name, error))


def _links(model: dict[str, Any], name: str, datasets: Mapping[str, Dataset]) -> Iterator[Link]:
    """Yield the relationships from a dataset; those to what is not in the database lead nowhere."""
    for item in model.get("relationships") or []:
        to = item.get("to")
        if item.get("from") != name or to not in datasets:
            continue
        own, other = item.get("from_columns") or [], item.get("to_columns") or []
        try:
            pairs = tuple(
                (match_column(datasets[name].table, a), match_column(datasets[to].table, b))
                for a, b in zip(own, other, strict=True)
            )
        except (Lost, ValueError) as error:
            raise KnowledgeError(
                f"its columns do not fit: {error}", where=f"relationship {item['name']}", fix="correct it"
            ) from error
        yield Link(str(item["name"]), to, pairs)


def _metrics(model: dict[str, Any], models: Models, found: Found) -> None:
    entries = {item["name"]: item for item in model.get("metrics") or []}
    for name in entries:
        _make(name, entries, models, found, ())


def _make(
    name: str, entries: Mapping[str, dict[str, Any]], models: Models, found: Found, above: tuple[str, ...]
) -> None:
    """Read a metric after those that it names."""
    if name in found.metrics or _refused(found, name):
        return
    try:
        if name in above:
            raise Lost("cycle", f"it is made of itself: {' -> '.join([*above, name])}")
        entry = entries[name]
        meta = _meta(entry)
        text, dialect = expression_of(entry.get("expression"))
        for part in compose(models, text, dialect, entries).parts:
            _make(part, entries, models, found, (*above, name))
            if part not in found.metrics:
                raise Lost(f"made of {part}", "which is refused itself")
        made = _described(
            entry, meta, compose(models, text, dialect, entries).metric(name, meta, found.dimensions)
        )
        known = Knowledge(
            name="",
            company="",
            metrics=(*found.metrics.values(), made),
            dimensions=tuple(found.dimensions.values()),
        )
        check_metric(known, models.catalog, made)
        found.metrics[name] = made
    except KnowledgeError as error:
        if not _refused(found, name):
            found.refusals.append(refuse("metric", name, error))


def _refused(found: Found, name: str) -> bool:
    return any((item.kind, item.name) == ("metric", name) for item in found.refusals)


def _described(entry: Mapping[str, Any], meta: Mapping[str, Any], made: Metric) -> Metric:
    return describe(
        made,
        name=" ".join(entry["name"].replace("_", " ").split()).title(),
        tier=made.tier,
        description=str(entry.get("description") or ""),
        meta=meta,
    )


def _meta(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return unit, decimals, time and synonyms of a metric.

    Raises:
        Lost: A key is unknown, or an extension says that the expression is not all of the metric.
    """
    if odd := sorted(set(entry) - set(METRIC_KEYS)):
        raise Lost(odd[0], "the specification does not know this key of a metric")
    found: dict[str, Any] = {}
    for item in entry.get("custom_extensions") or []:
        data = _extension(item)
        if str(item.get("vendor_name")).upper() == "WAREBENCH":
            found |= data
        elif lost := [key for key in OFFSETS if data.get(key)]:
            raise Lost(lost[0], f"extension {item.get('vendor_name')} adds it to the expression")
    context = entry.get("ai_context")
    if isinstance(context, dict) and isinstance(context.get("synonyms"), list):
        found["synonyms"] = context["synonyms"]
    return found


def _extension(item: Any) -> dict[str, Any]:
    data = item.get("data") if isinstance(item, dict) else None
    try:
        found = msgspec.json.decode(data) if isinstance(data, str) else None
    except (msgspec.DecodeError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Lost("custom_extensions", "an extension has no `data` that is JSON")
    return found
