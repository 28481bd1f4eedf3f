"""Checks of single metrics and dimensions."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import isfinite

from sqlglot import exp

from warebench.catalog.model import Catalog
from warebench.errors import KnowledgeError
from warebench.questions.store import is_file_name
from warebench.tracks.intelligence.knowledge.context import (
    RowNames,
    formula_names,
    kind_of_measure,
    measure_names,
    row_names,
)
from warebench.tracks.intelligence.knowledge.expressions import parse_expression
from warebench.tracks.intelligence.knowledge.kinds import (
    NUMBERS,
    Kind,
    Lookup,
    infer_kind,
    kind_of_type,
)
from warebench.tracks.intelligence.knowledge.links import metric_tree
from warebench.tracks.intelligence.knowledge.model import (
    Calendar,
    Dimension,
    Entity,
    Knowledge,
    Measure,
    Metric,
)
from warebench.tracks.intelligence.knowledge.relation import Place, find_table, find_type, split_column

NAME = re.compile(r"[a-z_][a-z0-9_]*")
TAKEN = ("value", "period", "units")
"""Names of our own in the SQL."""

IDENTIFIER = re.compile(r"[\w.-]*\w")
"""Of a metric or rule: a metric's page is a file of that name, and no id holds a comma."""

FORMULA = "write an arithmetic expression of measures, components and parameters"

MOST_DECIMALS = 9
"""Beyond it two ways to add up the same numbers no longer agree."""

CALENDARS: dict[Calendar, Kind] = {"date": "date", "timestamp": "timestamp", "yymmdd": "whole"}


def check_dimension(dimension: Dimension, catalog: Catalog) -> None:
    """Refuse a dimension whose column is unknown or not of its calendar.

    Raises:
        KnowledgeError: What is wrong.
    """
    kind = kind_of_type(find_type(find_table(catalog, dimension.table), dimension.column))
    _check_name(dimension.id)
    if not is_file_name(dimension.id):
        raise _no_page(dimension.id)
    if (dimension.kind == "temporal") != bool(dimension.calendar):
        raise KnowledgeError("`calendar` goes with kind temporal", fix="write both, or neither")
    _check_calendar(kind, dimension.calendar)


def check_metric(knowledge: Knowledge, catalog: Catalog, metric: Metric) -> None:
    """Refuse a metric that cannot be computed on a catalog.

    Raises:
        KnowledgeError: What is wrong, with the key it stands in.
    """
    metric_tree(knowledge, metric.id)
    _check_form(metric)
    for name in (*metric.measures, *metric.components, *metric.parameters):
        _check_name(name)
    _check_distinct(metric, {dimension.id for dimension in knowledge.dimensions})
    if metric.relation is None:
        _check_composite(metric)
    else:
        _check_rows(metric, catalog)
    with _key("formula"):
        kind = infer_kind(parse_expression(metric.formula), formula_names(metric))
        if kind not in (*NUMBERS, "any"):
            raise KnowledgeError(f"the formula gives a {kind}, not a number", fix=FORMULA)


def _check_form(metric: Metric) -> None:
    check_identifier(metric.id)
    if not metric.name.strip():
        raise KnowledgeError("the metric has no name", where="name", fix="write it")
    for name, value in metric.parameters.items():
        if not isfinite(value):
            raise KnowledgeError(f"{value} is no number", where=f"parameters.{name}", fix="write a number")
    if not 0 <= metric.decimals <= MOST_DECIMALS:
        raise KnowledgeError(
            f"an answer cannot have {metric.decimals} decimals", fix=f"write 0 to {MOST_DECIMALS}"
        )


def check_identifier(name: str) -> None:
    """Refuse the id of a metric or rule that cannot be the name of a page on every system.

    Raises:
        KnowledgeError: It cannot.
    """
    if not IDENTIFIER.fullmatch(name) or not is_file_name(name):
        raise _no_page(name)


def _no_page(name: str) -> KnowledgeError:
    return KnowledgeError(
        f"`{name}` cannot be the name of a page",
        fix="use letters, digits and hyphens, and no name that Windows keeps, such as CON",
    )


def check_condition(text: str, names: Lookup) -> None:
    """Refuse an expression that is neither true nor false.

    Raises:
        KnowledgeError: It is a value, or names something unknown.
    """
    kind = infer_kind(parse_expression(text), names)
    if kind not in ("truth", "any"):
        raise KnowledgeError(f"`{text}` is a {kind}, not a condition", fix="compare it, as in o.price > 10")


def _check_composite(metric: Metric) -> None:
    if not metric.components:
        raise KnowledgeError("there is neither a relation nor components", fix="write one of them")
    for key in ("measures", "entity", "time", "calendar"):
        if getattr(metric, key):
            raise KnowledgeError(f"a composite has no `{key}` of its own", fix="leave it to the components")


def _check_rows(metric: Metric, catalog: Catalog) -> None:
    if metric.components or not metric.measures:
        raise KnowledgeError("a relation goes with measures, not with components", fix="write measures")
    with _key("relation"):
        rows = row_names(metric, catalog)
        for text in metric.relation.where if metric.relation else ():
            check_condition(text, rows)
        for place in rows.places:
            check_fan_out(place, catalog)
    with _key("time"):
        _check_time(metric, rows)
    if metric.entity:
        _check_entity(metric.entity, rows)
    names = measure_names(metric, catalog)
    if metric.entity and metric.entity.keep:
        with _key("entity.keep"):
            check_condition(metric.entity.keep, names)
    for name, kind in _check_measures(metric.measures, names, "measures").items():
        if kind not in (*NUMBERS, "any"):
            raise KnowledgeError(
                f"it gives a {kind}, not a number",
                where=f"measures.{name}",
                fix="aggregate a number, such as days between two moments",
            )


def _check_entity(entity: Entity, rows: RowNames) -> None:
    with _key("entity.key"):
        for column in entity.key:
            infer_kind(_column(column), rows)
        if not entity.key:
            raise KnowledgeError("it is empty", fix="name the columns that tell units apart")
    _check_measures(entity.measures, rows, "entity.measures")


def _column(text: str) -> exp.Column:
    """Return the tree of `alias.column`, whatever words a database reserves."""
    alias, name = split_column(text)
    return exp.column(name, alias)


def _check_measures(measures: Mapping[str, Measure], names: Lookup, key: str) -> dict[str, Kind]:
    kinds = {}
    for name, measure in measures.items():
        with _key(f"{key}.{name}"):
            _check_name(name)
            kinds[name] = kind_of_measure(measure, names)
            if measure.where:
                check_condition(measure.where, names)
    return kinds


def check_fan_out(place: Place, catalog: Catalog) -> None:
    """Refuse a join to rows of which several surely fit one: a part of a key names none of them.

    Raises:
        KnowledgeError: The joined columns are a part of the primary key only.
    """
    key = set(find_table(catalog, place.table).primary_key)
    own = {column for _, _, column in place.on}
    if own and own < key:
        raise KnowledgeError(
            f"the join to `{place.alias}` fans out: `{place.table}` has several rows for one "
            f"{', '.join(sorted(own))}",
            fix=f"start from `{place.table}`, or join on {', '.join(sorted(key))}",
        )


def _check_time(metric: Metric, rows: RowNames) -> None:
    if bool(metric.time) != bool(metric.calendar):
        raise KnowledgeError("`calendar` goes with `time`", fix="write both, or neither")
    if metric.time:
        kind = infer_kind(_column(metric.time), rows)
        _check_calendar(kind, metric.calendar)


def _check_calendar(kind: Kind, calendar: Calendar) -> None:
    if calendar and kind not in (CALENDARS[calendar], "any"):
        raise KnowledgeError(
            f"a column of kind {kind} holds no moments of calendar {calendar}",
            fix="write the calendar of the column: "
            + (next((name for name, own in CALENDARS.items() if own == kind), "") or "it must hold moments"),
        )


def _check_name(name: str) -> None:
    if not NAME.fullmatch(name) or name in TAKEN:
        raise KnowledgeError(
            f"`{name}` cannot be a name", fix=f"use lower case letters, digits and _; not {', '.join(TAKEN)}"
        )


def _check_distinct(metric: Metric, dimensions: set[str]) -> None:
    inner = tuple(metric.entity.measures) if metric.entity else ()
    names = [*metric.measures, *inner, *metric.components, *metric.parameters]
    for name in names:
        if names.count(name) > 1 or name in dimensions:
            other = "a dimension" if name in dimensions else "two things"
            raise KnowledgeError(f"`{name}` names {other} of this metric", fix="rename one")


@contextmanager
def _key(name: str) -> Iterator[None]:
    """Say in which key of the entry an error is."""
    try:
        yield
    except KnowledgeError as error:
        raise KnowledgeError(error.what, where=name, fix=error.fix) from error
