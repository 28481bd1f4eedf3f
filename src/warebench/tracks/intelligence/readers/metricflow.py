"""dbt's `semantic_manifest.json` (MetricFlow): metrics of types simple, ratio and derived.

Refused by name, for their meaning would be lost: cumulative and conversion metrics, `offset_window` and
`offset_to_grain`, percentile and median, `non_additive_dimension`, `fill_nulls_with`, `join_to_timespine`,
validity windows, filters by metrics or by grains other than day, and SQL beyond that of knowledge bases.

`unit`, `decimals` and `synonyms` are read from a metric's `config.meta`. `/` is the division of numbers, also
where a warehouse would cut whole numbers off.

Source: the pydantic models of dbt-semantic-interfaces 0.10.5 and metricflow 0.213.0.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from warebench.bounds import read_whole
from warebench.catalog.model import Catalog
from warebench.errors import KnowledgeError
from warebench.tracks.intelligence.knowledge.check_metrics import check_metric
from warebench.tracks.intelligence.knowledge.model import Dimension, Knowledge, Metric, Tier
from warebench.tracks.intelligence.readers.datasets import make_dimension, safe_name
from warebench.tracks.intelligence.readers.describe import tell_apart
from warebench.tracks.intelligence.readers.manifest import ManifestMetric, decode_manifest, templates
from warebench.tracks.intelligence.readers.model import Lost, Reading, Refusal, refuse
from warebench.tracks.intelligence.readers.rows import (
    Source,
    blank,
    described,
    formula_of,
    inputs_of,
    over_rows,
    refuse_constructs,
)
from warebench.tracks.intelligence.readers.semantic_models import Models, make_models


def read_metricflow(path: str | Path, catalog: Catalog) -> Reading:
    """Return the metrics and dimensions of a semantic manifest, and what was refused.

    Args:
        path: `target/semantic_manifest.json` of a dbt project.
        catalog: The database that its models are in: manifests do not say how days are stored.

    Raises:
        KnowledgeError: The file cannot be read, or is no semantic manifest.
    """
    try:
        text = read_whole(Path(path), KnowledgeError).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise KnowledgeError("this file cannot be read", where=str(path), fix="give a manifest") from error
    return parse_metricflow(text, catalog, str(path))


def parse_metricflow(text: str, catalog: Catalog, place: str = "semantic_manifest.json") -> Reading:
    """Return what the text of a semantic manifest gives; see `read_metricflow`."""
    manifest = decode_manifest(text, place)
    models = make_models(manifest, catalog)
    dimensions, refusals = read_dimensions(models)
    source = Source(manifest, catalog, models, dimensions)
    made: dict[str, Metric] = {}
    failed: dict[str, KnowledgeError] = {}
    for metric in manifest.metrics:
        _make(source, metric.name, made, failed, ())
    lost = tuple(refuse("metric", name, failed[name]) for name in failed)
    ordered = tuple(made[metric.name] for metric in manifest.metrics if metric.name in made)
    return Reading(metrics=ordered, dimensions=dimensions, refusals=(*lost, *refusals))


def read_dimensions(models: Models) -> tuple[tuple[Dimension, ...], tuple[Refusal, ...]]:
    """Return the dimensions of all datasets, and those that are refused."""
    found: dict[str, Dimension] = {}
    refusals = []
    for dataset in models.datasets.values():
        for item in dataset.fields.values():
            name = f"{dataset.prefix}__{safe_name(item.name)}"
            try:
                if name in found:
                    raise Lost("name", "another dimension has it already")
                found[name] = make_dimension(dataset, item)
            except KnowledgeError as error:
                refusals.append(refuse("dimension", name, error))
    return tell_apart(tuple(found.values())), tuple(refusals)


def _make(
    source: Source,
    name: str,
    made: dict[str, Metric],
    failed: dict[str, KnowledgeError],
    above: tuple[str, ...],
) -> None:
    """Read a metric after all it is made of, each once."""
    if name in made or name in failed:
        return
    try:
        if name in above:
            raise Lost("cycle", f"it is made of itself: {' -> '.join([*above, name])}")
        metric = source.find(name)
        refuse_constructs(metric)
        parts = _parts(metric)
        if parts is None:
            found = over_rows(source, metric)
        else:
            for part in parts.values():
                _make(source, part, made, failed, (*above, name))
                if part in failed:
                    raise Lost(f"made of {part}", "which is refused itself")
            found = _composite(metric, parts)
        check_metric(_context(source, (*made.values(), found)), source.catalog, found)
        made[name] = found
    except KnowledgeError as error:
        failed.setdefault(name, error)


def _context(source: Source, metrics: Sequence[Metric]) -> Knowledge:
    return Knowledge(name="", company="", metrics=tuple(metrics), dimensions=source.dimensions)


def _parts(metric: ManifestMetric) -> dict[str, str] | None:
    """Return the metrics that a metric is made of; None where it is computed from rows."""
    if metric.type == "simple":
        return None
    inputs = inputs_of(metric)
    if templates(metric.filter) or any(templates(item.filter) for item in inputs.values()):
        return None
    return {safe_name(name): item.name for name, item in inputs.items()}


def _composite(metric: ManifestMetric, parts: Mapping[str, str]) -> Metric:
    tier: Tier = "L2" if metric.type == "ratio" else "L3"
    return described(
        metric, tier, Metric(**blank(metric), components=dict(parts), formula=formula_of(metric))
    )
