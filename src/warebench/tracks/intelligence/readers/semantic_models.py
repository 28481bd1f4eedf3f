"""Semantic models of a dbt manifest as datasets: which row of which table each entity leads to."""

from dataclasses import dataclass, replace

from sqlglot import exp

from warebench.catalog.model import Catalog
from warebench.errors import KnowledgeError
from warebench.tracks.intelligence.readers.datasets import (
    Dataset,
    Field,
    Link,
    match_column,
    match_table,
    parse_sql,
    safe_name,
)
from warebench.tracks.intelligence.readers.manifest import (
    Entity,
    Manifest,
    ModelDimension,
    ModelMeasure,
    SemanticModel,
)
from warebench.tracks.intelligence.readers.model import Lost

ONE = ("primary", "unique")
"""Types of entities that name one row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """The semantic models of a manifest."""

    manifest: Manifest
    datasets: dict[str, Dataset]
    missing: dict[str, KnowledgeError]
    """Models that are not in the database, and why."""
    entities: dict[str, dict[str, str]]
    """Model to its entities and their columns."""
    primary: dict[str, str]

    def dataset(self, name: str) -> Dataset:
        """Return the dataset of a model.

        Raises:
            KnowledgeError: It is not in the database, or not in the manifest.
        """
        if name in self.missing:
            raise self.missing[name]
        if name not in self.datasets:
            raise Lost("reference", f"there is no semantic model `{name}`")
        return self.datasets[name]

    def measure(self, name: str) -> tuple[str, ModelMeasure]:
        """Return the model that a measure belongs to, and the measure.

        Raises:
            Lost: There is none, or several.
        """
        found = [
            (model.name, measure)
            for model in self.manifest.semantic_models
            for measure in model.measures
            if measure.name == name
        ]
        if len(found) != 1:
            raise Lost("reference", f"{len(found) or 'no'} measures are called `{name}`")
        return found[0]

    def time(self, model: str, stated: str | None) -> str:
        """Return the time dimension that an aggregate is dated by; empty where there is none.

        Raises:
            Lost: The model has no such dimension.
        """
        entry = next(item for item in self.manifest.semantic_models if item.name == self.dataset(model).name)
        name = (stated or (entry.defaults or {}).get("agg_time_dimension") or "").lower()
        if name and name not in self.datasets[model].fields:
            raise Lost("agg_time_dimension", f"`{model}` has no dimension `{name}`")
        return name


def make_models(manifest: Manifest, catalog: Catalog) -> Models:
    """Return the semantic models as datasets of a database."""
    datasets: dict[str, Dataset] = {}
    missing: dict[str, KnowledgeError] = {}
    entities: dict[str, dict[str, str]] = {}
    primary = {model.name: _primary(model) for model in manifest.semantic_models}
    for model in manifest.semantic_models:
        relation = model.node_relation
        try:
            table = match_table(catalog, relation.alias, f"{relation.schema_name}.{relation.alias}")
        except KnowledgeError as error:
            missing[model.name] = error
            continue
        entities[model.name] = {item.name.lower(): item.expr or item.name for item in model.entities}
        fields = {item.name.lower(): _field(item) for item in model.dimensions}
        prefix = safe_name(primary[model.name] or model.name)
        datasets[model.name] = Dataset(name=model.name, table=table, prefix=prefix, fields=fields)
    for model in manifest.semantic_models:
        if model.name in datasets:
            links = tuple(_links(manifest, model, datasets))
            datasets[model.name] = replace(datasets[model.name], links=links)
    return Models(manifest=manifest, datasets=datasets, missing=missing, entities=entities, primary=primary)


def _primary(model: SemanticModel) -> str:
    named = [item.name for item in model.entities if item.type == "primary"]
    return (named[0] if named else model.primary_entity or "").lower()


def _field(item: ModelDimension) -> Field:
    lost = "validity_params" if (item.type_params or {}).get("validity_params") else ""
    sql = item.expr or item.name
    return Field(name=item.name.lower(), sql=sql, label=item.label or "", time=item.type == "time", lost=lost)


def _links(manifest: Manifest, model: SemanticModel, datasets: dict[str, Dataset]) -> list[Link]:
    """Return the ways from a model to each other one in which one of its entities names a row.

    Models with validity windows have several rows for one entity: no way leads to them.
    """
    found = []
    for entity in model.entities:
        for other in manifest.semantic_models:
            if other.name == model.name or other.name not in datasets or _has_validity(other):
                continue
            for target in other.entities:
                if target.name.lower() == entity.name.lower() and target.type in ONE:
                    own, there = _column(entity, datasets[model.name]), _column(target, datasets[other.name])
                    if own and there:
                        found.append(Link(entity.name.lower(), other.name, ((own, there),)))
    return found


def _has_validity(model: SemanticModel) -> bool:
    return any((item.type_params or {}).get("validity_params") for item in model.dimensions)


def _column(entity: Entity, dataset: Dataset) -> str:
    """Return the column of an entity; empty where it is computed or missing: nothing is joined by it then."""
    try:
        tree = parse_sql(entity.expr or entity.name, dataset.dialect)
        return match_column(dataset.table, tree.name) if isinstance(tree, exp.Column) else ""
    except KnowledgeError:
        return ""
