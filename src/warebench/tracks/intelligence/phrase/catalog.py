"""Pages of the metric catalog as a model may search them, and facts that they state."""

from collections.abc import Iterator

from warebench.catalog.model import Catalog
from warebench.tracks.intelligence.compute.dialects import to_dialect
from warebench.tracks.intelligence.compute.sql import base_sql
from warebench.tracks.intelligence.knowledge.links import find_metric
from warebench.tracks.intelligence.knowledge.model import Fact, Knowledge, Metric
from warebench.tracks.intelligence.knowledge.relation import resolve_relation, split_column
from warebench.tracks.intelligence.phrase.words import number, parameter, places, unit
from warebench.tracks.intelligence.sampling.subgraph import tables_of
from warebench.tracks.intelligence.slice import Slice
from warebench.tracks.intelligence.slicing import sliceable


def metric_page(knowledge: Knowledge, catalog: Catalog, metric: Metric) -> str:
    """Return the Markdown page of a metric: its standard definition, before any rule."""
    lines = [f"- {name}: {text}" for name, text in _entries(knowledge, catalog, metric) if text]
    sql = to_dialect(base_sql(knowledge, catalog, Slice(metric=metric.id)))
    body = "\n".join(lines)
    return (
        f"# {metric.name}\n\n{body}\n\n## Standard definition\n\n{metric.description}\n\n"
        f"## Sample SQL of the standard definition\n\nFilters, groups and days are to be added; a table "
        f"that is missing for them is joined along the foreign keys, from child to parent.\n\n"
        f"```sql\n{sql}\n```\n"
    )


def page_path(metric: Metric) -> str:
    """Return the path of a metric's page among the documents."""
    return f"metrics/{metric.id.lower()}.md"


def _entries(knowledge: Knowledge, catalog: Catalog, metric: Metric) -> Iterator[tuple[str, str]]:
    yield "Identifier", metric.id
    yield "Tier", metric.tier
    yield "Unit", f"{unit(metric.unit)} ({places(metric.decimals)})"
    yield "Also called", "; ".join(metric.synonyms)
    yield "Parameters", "; ".join(f"{parameter(n)} = {number(v)}" for n, v in metric.parameters.items())
    parts = [find_metric(knowledge, name) for name in metric.components.values()]
    named = "; ".join(f"{part.name} ({part.id})" for part in parts)
    yield "Made of", f"{len(parts)} metrics: {named}" if parts else ""
    yield "Tables", ", ".join(tables_of(knowledge, catalog, metric.id, ()))
    yield "Dated by", _dated(catalog, metric)
    dimensions = sliceable(knowledge, catalog, metric.id)
    yield "Filters and groups", "; ".join(f"{one.label} ({one.table}.{one.column})" for one in dimensions)


def _dated(catalog: Catalog, metric: Metric) -> str:
    if not metric.time or metric.relation is None:
        return ""
    alias, column = split_column(metric.time)
    tables = {place.alias: place.table for place in resolve_relation(metric.relation, catalog)}
    return f"{tables[alias]}.{column}"


def catalog_facts(knowledge: Knowledge, metric: Metric) -> Iterator[Fact]:
    """Yield what the page of a metric states and can be asked without any data."""
    the = f"the {metric.name}"
    yield Fact(
        ask=f"In which tier does the metric catalog place {the}?",
        answer=metric.tier,
        quote=f"- Tier: {metric.tier}",
        accept=(f"Tier {metric.tier}",),
    )
    yield Fact(
        ask=f"In which unit does the metric catalog give {the}?",
        answer=unit(metric.unit),
        quote=f"- Unit: {unit(metric.unit)} (",
        accept=(metric.unit,) if unit(metric.unit) != metric.unit else (),
    )
    for name, value in metric.parameters.items():
        yield Fact(
            ask=(
                f'Which value does the parameter "{parameter(name)}" have in the standard '
                f"definition of {the}?"
            ),
            answer=value,
            quote=f"{parameter(name)} = {number(value)}",
        )
    if metric.components:
        yield Fact(
            ask=f"Of how many other metrics is {the} made directly, according to the metric catalog?",
            answer=float(len(metric.components)),
            unit="metrics",
            quote=f"- Made of: {len(metric.components)} metrics",
        )
    if metric.synonyms:
        yield Fact(
            ask=f"Which metric of the catalog is also called {metric.synonyms[0]}?",
            answer=metric.name,
            quote=f"# {metric.name}",
            accept=(metric.id,),
        )
