"""The parts of dbt's `semantic_manifest.json` that metrics are made of. Other keys are not looked at.

Source: the pydantic models of dbt-semantic-interfaces 0.10.5 and metricflow 0.213.0.
"""

from typing import Any

import msgspec

from warebench.errors import KnowledgeError
from warebench.tracks.intelligence.readers.model import Lost


class NodeRelation(msgspec.Struct, frozen=True, kw_only=True):
    """Where the rows are."""

    alias: str
    schema_name: str | None = None
    database: str | None = None


class Entity(msgspec.Struct, frozen=True, kw_only=True):
    """A key: `primary` and `unique` ones name a row, `foreign` ones a row of another model."""

    name: str
    type: str
    expr: str | None = None


class ModelDimension(msgspec.Struct, frozen=True, kw_only=True):
    """A property of a row."""

    name: str
    type: str = "categorical"
    expr: str | None = None
    label: str | None = None
    type_params: dict[str, Any] | None = None


class ModelMeasure(msgspec.Struct, frozen=True, kw_only=True):
    """An aggregate of one model."""

    name: str
    agg: str
    expr: str | int | float | None = None
    agg_params: dict[str, Any] | None = None
    non_additive_dimension: dict[str, Any] | None = None
    agg_time_dimension: str | None = None


class SemanticModel(msgspec.Struct, frozen=True, kw_only=True):
    """A table with entities, dimensions and measures."""

    name: str
    node_relation: NodeRelation
    defaults: dict[str, Any] | None = None
    primary_entity: str | None = None
    entities: tuple[Entity, ...] = ()
    dimensions: tuple[ModelDimension, ...] = ()
    measures: tuple[ModelMeasure, ...] = ()


class MetricInput(msgspec.Struct, frozen=True, kw_only=True):
    """A metric or measure that a metric is made of."""

    name: str
    filter: Any = None
    alias: str | None = None
    offset_window: Any = None
    offset_to_grain: str | None = None
    join_to_timespine: bool = False
    fill_nulls_with: float | None = None


class MetricAggregate(msgspec.Struct, frozen=True, kw_only=True):
    """The aggregate of a metric without a measure, as newer manifests write it."""

    semantic_model: str
    agg: str
    expr: str | int | float | None = None
    agg_params: dict[str, Any] | None = None
    non_additive_dimension: dict[str, Any] | None = None
    agg_time_dimension: str | None = None


class TypeParams(msgspec.Struct, frozen=True, kw_only=True):
    """What a metric is made of."""

    measure: MetricInput | str | None = None
    numerator: MetricInput | str | None = None
    denominator: MetricInput | str | None = None
    expr: str | int | float | None = None
    metrics: tuple[MetricInput | str, ...] | None = None
    window: Any = None
    grain_to_date: Any = None
    cumulative_type_params: dict[str, Any] | None = None
    conversion_type_params: dict[str, Any] | None = None
    metric_aggregation_params: MetricAggregate | None = None
    join_to_timespine: bool = False
    fill_nulls_with: float | None = None


class ManifestMetric(msgspec.Struct, frozen=True, kw_only=True):
    """A metric."""

    name: str
    type: str
    type_params: TypeParams
    description: str | None = None
    label: str | None = None
    filter: Any = None
    config: dict[str, Any] | None = None

    @property
    def meta(self) -> dict[str, Any]:
        """What the project's owner wrote about the metric for other tools."""
        found = (self.config or {}).get("meta")
        return found if isinstance(found, dict) else {}


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The file."""

    semantic_models: tuple[SemanticModel, ...]
    metrics: tuple[ManifestMetric, ...] = ()


def decode_manifest(text: str, place: str) -> Manifest:
    """Return the manifest that a JSON text is.

    Raises:
        KnowledgeError: It is not JSON, or a key is missing or of another type.
    """
    try:
        return msgspec.json.decode(text, type=Manifest)
    except msgspec.ValidationError as error:
        raise KnowledgeError(
            f"this is no semantic manifest: {error}", where=place, fix="write it again by `dbt parse`"
        ) from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise KnowledgeError("this is not JSON", where=place, fix="write it again by `dbt parse`") from error


def as_input(item: MetricInput | str | None, role: str) -> MetricInput:
    """Return an input that may be written as its name alone.

    Raises:
        Lost: There is none.
    """
    if item is None:
        raise Lost("type_params", f"there is no {role}")
    return MetricInput(name=item) if isinstance(item, str) else item


def templates(filters: Any) -> tuple[str, ...]:
    """Return the texts of a filter, in whichever of its four spellings.

    Raises:
        Lost: It is written in a fifth.
    """
    match filters:
        case None:
            return ()
        case str():
            return (filters,)
        case {"where_filters": list(items)} | list(items):
            return tuple(text for item in items for text in templates(item))
        case {"where_sql_template": str(text)}:
            return (text,)
        case _:
            raise Lost("filter", f"{filters!r} is no filter")
