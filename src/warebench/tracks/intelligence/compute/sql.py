"""The SQL of a metric by its standard definition: what an analyst would write who knows no rule.

Every SELECT carries the id of its metric and whether it is over rows, units or components; measures and
parameters carry their names. `rewrite` finds by that what a rule changes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from warebench.catalog.model import Catalog
from warebench.tracks.intelligence.compute.calendars import period, within
from warebench.tracks.intelligence.compute.tree import (
    Names,
    aggregate_tree,
    column,
    expression_tree,
    identifier,
    number,
    parameter,
)
from warebench.tracks.intelligence.knowledge.context import formula_names, measure_names, row_names
from warebench.tracks.intelligence.knowledge.links import find_dimension, find_metric
from warebench.tracks.intelligence.knowledge.model import Knowledge, Metric
from warebench.tracks.intelligence.knowledge.relation import Place, reach, split_column
from warebench.tracks.intelligence.slice import Slice
from warebench.tracks.intelligence.slicing import check_slice, is_number

PERIOD, VALUE, UNITS = "period", "value", "units"
"""Names of ours: the column of a grain, of the value, and the units of an entity."""

MINIMUM_ROWS = "minimum_rows"


@dataclass(frozen=True, slots=True)
class Request:
    """A slice, and where to look up what it names."""

    knowledge: Knowledge
    catalog: Catalog
    slice: Slice


def base_sql(knowledge: Knowledge, catalog: Catalog, wanted: Slice) -> exp.Select:
    """Return the SQL of a slice under no rule, whatever rules it names; DuckDB's dialect.

    Its columns are the grouping dimensions by their ids, `period` where there is a grain, and `value`; its
    rows come in that order. Groups whose dimension or period is missing are left out; a group may have no
    value.

    Raises:
        BuildError: The slice asks for something that is not there.
        KnowledgeError: The metric is wrong.
    """
    check_slice(knowledge, catalog, wanted)
    select = _metric(Request(knowledge, catalog, wanted), find_metric(knowledge, wanted.metric))
    keys = [number(float(place)) for place in range(1, len(select.expressions))]
    return select.order_by(*keys, copy=False) if keys else select


def group_columns(wanted: Slice) -> list[str]:
    """Return the names of the grouping columns of a slice's answer."""
    return [*wanted.group, *([PERIOD] if wanted.grain else [])]


def _metric(request: Request, metric: Metric) -> exp.Select:
    if metric.relation is None:
        return _composite(request, metric)
    rows = _rows(request, metric)
    if metric.entity is None:
        return rows
    return _units(request, metric, rows)


def parameters_of(request: Request, metric: Metric) -> dict[str, float]:
    """Return the parameters of a metric with the values that the slice gives them."""
    given = dict(request.slice.parameters)
    return {name: given.get(name, value) for name, value in metric.parameters.items()}


def row_scope(request: Request, metric: Metric) -> Names:
    """Return what expressions over rows may name."""
    return Names(metric, row_names(metric, request.catalog), parameters_of(request, metric))


def measure_scope(request: Request, metric: Metric) -> Names:
    """Return what the metric's own measures may name: rows, or units where it has an entity."""
    if metric.entity is None:
        return row_scope(request, metric)
    bare: Mapping[str, exp.Expr] = {name: column(UNITS, name) for name in metric.entity.measures}
    lookup = measure_names(metric, request.catalog)
    return Names(metric, lookup, parameters_of(request, metric), bare)


def formula_scope(request: Request, metric: Metric) -> Names:
    """Return what the formula may name: the aggregates of measures, or the values of components."""
    bare: dict[str, exp.Expr] = {name: column(name, VALUE) for name in metric.components}
    if metric.measures:
        inner = measure_scope(request, metric)
        bare = {name: aggregate_tree(item, name, inner) for name, item in metric.measures.items()}
    return Names(metric, formula_names(metric), parameters_of(request, metric), bare)


def formula_tree(text: str, names: Names) -> exp.Expr:
    """Return a formula as the column `value`."""
    return exp.alias_(expression_tree(text, names), VALUE)


def _rows(request: Request, metric: Metric) -> exp.Select:
    """Return the SELECT over rows: the metric itself, or one row for each unit of its entity."""
    names = row_scope(request, metric)
    places, columns = _widen(request, metric)
    keys = [exp.alias_(tree, name) for name, tree in _group(request, metric, columns)]
    select = _tagged(exp.select(*keys), metric, "rows")
    _from(select, places)
    select.where(*_conditions(request, metric, columns, names), copy=False)
    positions: list[exp.Expr] = [number(float(place)) for place in range(1, len(keys) + 1)]
    if metric.entity is None:
        select.select(formula_tree(metric.formula, formula_scope(request, metric)), copy=False)
        _having(request, select)
    else:
        positions += [column(*split_column(key)) for key in metric.entity.key]
        inner = metric.entity.measures.items()
        select.select(
            *(exp.alias_(aggregate_tree(item, name, names), identifier(name)) for name, item in inner),
            copy=False,
        )
    return select.group_by(*positions, copy=False) if positions else select


def _units(request: Request, metric: Metric, rows: exp.Select) -> exp.Select:
    keys = [column(UNITS, name) for name in group_columns(request.slice)]
    select = _tagged(exp.select(*keys).from_(rows.subquery(UNITS, copy=False)), metric, "units")
    if metric.entity and metric.entity.keep:
        select.where(kept(metric.entity.keep, measure_scope(request, metric)), copy=False)
    select.select(formula_tree(metric.formula, formula_scope(request, metric)), copy=False)
    _having(request, select)
    positions = [number(float(place)) for place in range(1, len(keys) + 1)]
    return select.group_by(*positions, copy=False) if keys else select


def kept(text: str, names: Names) -> exp.Expr:
    """Return the condition by which units are kept; it can be found again."""
    tree = exp.Paren(this=expression_tree(text, names))
    tree.meta["keep"] = True
    return tree


def _composite(request: Request, metric: Metric) -> exp.Select:
    names = list(metric.components)
    keys = group_columns(request.slice)
    select = _tagged(exp.select(*(column(names[0], key) for key in keys)), metric, "components")
    for name, component in metric.components.items():
        query = _metric(request, find_metric(request.knowledge, component)).subquery(
            identifier(name), copy=False
        )
        if name == names[0]:
            select.from_(query, copy=False)
        elif keys:
            on = [exp.EQ(this=column(names[0], key), expression=column(name, key)) for key in keys]
            select.join(query, on=exp.and_(*on), copy=False)
        else:
            select.join(query, join_type="cross", copy=False)
    select.where(*(_not_null(column(name, VALUE)) for name in names), copy=False)
    return select.select(formula_tree(metric.formula, formula_scope(request, metric)), copy=False)


def _tagged(select: exp.Select, metric: Metric, level: str) -> exp.Select:
    select.meta.update(metric=metric.id, level=level)
    return select


def _widen(request: Request, metric: Metric) -> tuple[tuple[Place, ...], dict[str, exp.Column]]:
    """Return the relation with the tables that dimensions need, and the column of each dimension."""
    places = row_names(metric, request.catalog).places
    columns = {}
    for name in dict.fromkeys([*request.slice.group, *(name for name, _ in request.slice.filters)]):
        dimension = find_dimension(request.knowledge, name)
        places, (alias, own) = reach(places, request.catalog, dimension)
        columns[name] = column(alias, own)
    return places, columns


def _group(
    request: Request, metric: Metric, columns: Mapping[str, exp.Column]
) -> Iterator[tuple[exp.Identifier, exp.Expr]]:
    for name in request.slice.group:
        yield identifier(name), columns[name].copy()
    if request.slice.grain:
        time = column(*split_column(metric.time))
        yield identifier(PERIOD), period(time, metric.calendar, request.slice.grain)


def _from(select: exp.Select, places: Sequence[Place]) -> None:
    for place in places:
        table = _table(place)
        if not place.on:
            select.from_(table, copy=False)
            continue
        on = [
            exp.EQ(this=column(a, theirs), expression=column(place.alias, own)) for a, theirs, own in place.on
        ]
        select.join(table, on=exp.and_(*on), join_type="left", copy=False)


def _table(place: Place) -> exp.Table:
    table = exp.Table(this=identifier(place.table))
    if place.alias != place.table:
        table.set("alias", exp.TableAlias(this=identifier(place.alias)))
    return table


def _conditions(
    request: Request, metric: Metric, columns: Mapping[str, exp.Column], names: Names
) -> Iterator[exp.Expr]:
    for text in metric.relation.where if metric.relation else ():
        yield expression_tree(text, names)
    for name, value in request.slice.filters:
        yield exp.EQ(this=columns[name].copy(), expression=_stored(request, name, value))
    time = column(*split_column(metric.time)) if metric.time else None
    window = request.slice.window
    if time and window:
        yield from within(time, metric.calendar, window.first, window.last)
    elif time and request.slice.grain:
        yield _not_null(time)
    filtered = {name for name, _ in request.slice.filters}
    for name in request.slice.group:
        if name not in filtered:
            yield _not_null(columns[name].copy())
    for key in metric.entity.key if metric.entity else ():
        yield _not_null(column(*split_column(key)))


def _stored(request: Request, name: str, value: str) -> exp.Expr:
    dimension = find_dimension(request.knowledge, name)
    return number(float(value)) if is_number(dimension, request.catalog) else exp.Literal.string(value)


def _not_null(tree: exp.Expr) -> exp.Expr:
    return exp.Not(this=exp.Is(this=tree, expression=exp.Null()))


def _having(request: Request, select: exp.Select) -> None:
    given = dict(request.slice.parameters)
    if MINIMUM_ROWS in given:
        add_minimum(select, given[MINIMUM_ROWS])


def add_minimum(select: exp.Select, rows: float) -> None:
    """Leave out groups of fewer rows, or units."""
    least = parameter(MINIMUM_ROWS, rows)
    select.having(exp.GTE(this=exp.Count(this=exp.Star()), expression=least), copy=False)
