"""Templates over flights, inspections, water and species: sound by the catalog, answerable on 8K samples."""

import math
import random
import string
from collections import Counter
from decimal import Decimal
from functools import cache
from typing import NamedTuple

import duckdb
import pytest

from warebench.engine.database import Database
from warebench.queries.bind import bind
from warebench.queries.model import (
    Correlation,
    Count,
    Mean,
    Measure,
    Query,
    Top,
    Total,
    Value,
)
from warebench.queries.prove import prove
from warebench.queries.solve import join_rows
from warebench.queries.template import SUBCATEGORIES, Template
from warebench.tracks.multitable.sampling import WINDOWS, sample_many
from warebench.tracks.multitable.templates.library import LIBRARY
from warebench.tracks.multitable.twins import TWINS, make_twin

NAMES = ("airline", "food_inspection", "food_facility_inspections", "water_quality", "global_biodiversity")
TEMPLATES = [template for name in NAMES for template in LIBRARY[name]]
WANTED = {
    "EL": (Value,),
    "TS": (Top,),
    "CNT": (Count,),
    "SUM": (Total,),
    "AVG": (Mean,),
    "CC": (Count, Total, Mean),
    "COR": (Correlation,),
}

every_name = pytest.mark.parametrize("name", NAMES)
every_template = pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)


class Small(NamedTuple):
    """An 8K sample, in Python and in DuckDB."""

    database: Database
    connection: duckdb.DuckDBPyConnection


@cache
def small(name: str) -> tuple[Small, ...]:
    made = sample_many(make_twin(name, scale=0.02, seed=3), [WINDOWS["8K"]], 3, seed=3)
    return tuple(Small(each.database, each.database.connect()) for each in made)


def measured(want) -> list[Measure]:
    """Return the quantities that are added up, averaged or correlated."""
    match want:
        case Total(measure) | Mean(measure):
            return [measure]
        case Correlation(x, y):
            return [x, y]
        case Top(by=by):
            return measured(by)
        case _:
            return []


def named(want) -> list[str]:
    """Return the columns that are looked up, grouped by or counted."""
    match want:
        case Value(column) | Count(column):
            return [column] if column else []
        case Top(group, by):
            return [group, *named(by)]
        case _:
            return []


def counts_rows(want) -> bool:
    return want == Count() or (isinstance(want, Top) and want.by == Count())


def decisive(query: Query) -> list[str]:
    """Return the columns that decide the answer."""
    quantities = [name for each in measured(query.want) for name in (each.column, each.minus) if name]
    return [item.column for item in query.filters] + named(query.want) + quantities


def alias_of(column: str) -> str:
    return column.partition(".")[0]


def table_of(template: Template, alias: str):
    name = template.query.sources[alias]
    return next(table for table in TWINS[template.database].catalog.tables if table.name == name)


def key_columns(template: Template) -> set[str]:
    """Return the columns of any primary or foreign key, as the query names them."""
    keys = TWINS[template.database].catalog.foreign_keys
    found = set()
    for alias, table in template.query.sources.items():
        columns = {*table_of(template, alias).primary_key}
        columns |= {column for key in keys if key.child == table for column in key.child_columns}
        found |= {f"{alias}.{column}" for column in columns}
    return found


def same(first: object, second: object) -> bool:
    if isinstance(first, int | float) and isinstance(second, int | float | Decimal):
        return math.isclose(float(first), float(second), rel_tol=1e-9, abs_tol=1e-9)
    return first == second


@every_name
def test_two_templates_of_each_subcategory(name):
    counted = Counter((template.subcategory, template.number) for template in LIBRARY[name])
    assert counted == {(subcategory, number): 1 for subcategory in SUBCATEGORIES for number in (1, 2)}
    assert {template.database for template in LIBRARY[name]} == {name}


def test_names_texts_and_queries_are_unique():
    for what in ("name", "text", "query"):
        assert len({getattr(template, what) for template in TEMPLATES}) == 14 * len(NAMES)


@every_template
def test_text_query_and_parameters_name_the_same_things(template):
    placeholders = {field for _, field, _, _ in string.Formatter().parse(template.text) if field}
    parameters = {parameter.name: parameter for parameter in template.parameters}
    shown = parameters.keys() - {template.contrast} | ({"a", "b"} if template.contrast else set())
    assert placeholders == shown
    assert {name: each.column for name, each in parameters.items()} == {
        item.parameter: item.column for item in template.query.filters
    }
    assert not template.contrast or template.contrast in parameters
    thresholds = {item.parameter for item in template.query.filters if item.op not in ("=", "<>")}
    assert thresholds == {name for name, each in parameters.items() if each.kind == "threshold"}


@every_template
def test_the_subcategory_asks_for_its_kind_of_answer(template):
    assert isinstance(template.query.want, WANTED[template.subcategory])
    assert bool(template.contrast) == (template.subcategory == "CC")
    # Numbers say what they count or measure, names and correlations have no unit.
    assert bool(template.unit) == (template.subcategory in ("CNT", "SUM", "AVG", "CC"))


@every_template
def test_bounds_are_said_as_they_are_computed(template):
    words = {">=": ("at least", "on or after", "at or after", "or more"), "<=": ("at most", "on or before")}
    for item in template.query.filters:
        assert (
            not item.op.startswith((">", "<"))
            or item.op == "<>"
            or any(word in template.text for word in words[item.op])
        )
    assert ("negative if" in template.text) == (template.subcategory == "CC")


@every_template
def test_columns_exist(template):
    query = template.query
    joined = [
        name for join in query.joins for left, right in join.on for name in (left, f"{join.alias}.{right}")
    ]
    for column in [*decisive(query), *joined]:
        alias, _, name = column.partition(".")
        assert name in {found.name for found in table_of(template, alias).columns}


@every_template
def test_joins_follow_foreign_keys_to_the_parent(template):
    """So each row of the first table occurs at most once, and what is added up is not added up twice."""
    keys = TWINS[template.database].catalog.foreign_keys
    declared = {(key.child, key.child_columns, key.parent, key.parent_columns) for key in keys}
    for join in template.query.joins:
        lefts, rights = zip(*join.on, strict=True)
        aliases = {alias_of(left) for left in lefts}
        child = template.query.sources[aliases.pop()]
        assert not aliases
        assert (child, tuple(left.partition(".")[2] for left in lefts), join.table, rights) in declared
        assert rights == table_of(template, join.alias).primary_key


@every_template
def test_no_one_table_gives_the_answer(template):
    # A column that the join equates with another is at hand in both tables.
    equal = {left: f"{join.alias}.{right}" for join in template.query.joins for left, right in join.on}
    equal |= {right: left for left, right in equal.items()}
    homes = [
        {alias_of(column)} | ({alias_of(equal[column])} if column in equal else set())
        for column in decisive(template.query)
    ]
    if counts_rows(template.query.want):
        homes.append({template.query.alias})
    assert not set.intersection(*homes)


@every_template
def test_sums_and_averages_are_of_the_table_whose_rows_are_counted(template):
    query = template.query
    if not isinstance(query.want, Correlation) and template.database != "global_biodiversity":
        assert {alias_of(measure.column) for measure in measured(query.want)} <= {query.alias}


@every_template
def test_keys_are_not_quantities(template):
    numbers = {name for each in measured(template.query.want) for name in (each.column, each.minus)}
    assert not numbers & key_columns(template)


@every_template
def test_ten_questions_and_both_methods_agree(template):
    outcomes = set()
    for seed, (database, connection) in enumerate(small(template.database)):
        bounds = bind(template, join_rows(database, template.query), 10, random.Random(seed))  # noqa: S311
        assert len({bound.text for bound in bounds}) == 10
        for bound in bounds:
            assert same(bound.outcome, prove(connection, template.query, bound.bindings)), bound.text
            outcomes.add(str(bound.outcome))
    # Thirty questions with one answer would be one question.
    assert len(outcomes) >= 3
