"""The 140 templates: sound by the catalog, worded as they are computed, answerable on small samples."""

import math
import random
import string
from collections import Counter
from decimal import Decimal
from functools import cache

import pytest

from warebench.catalog.model import Table
from warebench.engine.database import Database
from warebench.queries.bind import Bound, bind
from warebench.queries.fanout import is_repeated
from warebench.queries.model import Correlation, Count, Mean, Top, Total, Value, wanted_columns
from warebench.queries.prove import prove
from warebench.queries.solve import join_rows
from warebench.queries.template import SUBCATEGORIES, Template
from warebench.tracks.multitable.sampling import WINDOWS, sample_many
from warebench.worlds import find_world, make_world
from warebench.worlds.questions import library

TEMPLATES = [template for templates in library().values() for template in templates]

every_template = pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)

INSTANCES = 2


@cache
def samples(name: str) -> tuple[Database, ...]:
    """Return small samples, and a larger one last, in which parents have several children."""
    twin = make_world(name, seed=1)
    small = sample_many(twin, [WINDOWS["8K"]], INSTANCES, seed=1)
    large = sample_many(twin, [WINDOWS["32K"]], 1, seed=1)
    return tuple(made.database for made in (*small, *large))


@cache
def connections(name: str):
    return tuple(database.connect() for database in samples(name))


@cache
def joined(template: Template, number: int) -> list[dict[str, object]]:
    return join_rows(samples(template.database)[number], template.query)


@cache
def ten(template: Template, number: int) -> list[Bound]:
    """Return ten questions over a sample."""
    return bind(template, joined(template, number), 10, chance(number))


def chance(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311  repeatable choices, not secret ones


def table_of(template: Template, alias: str) -> Table:
    name = template.query.sources[alias]
    return next(table for table in find_world(template.database).catalog.tables if table.name == name)


def same(first: object, second: object) -> bool:
    if isinstance(first, int | float | Decimal) and isinstance(second, int | float | Decimal):
        return math.isclose(float(first), float(second), rel_tol=1e-9, abs_tol=1e-7)
    return first == second


@pytest.mark.parametrize("name", library())
def test_fourteen_templates_two_of_each_subcategory(name):
    templates = library()[name]
    assert {template.database for template in templates} == {name}
    assert Counter((template.subcategory, template.number) for template in templates) == Counter(
        (subcategory, number) for subcategory in SUBCATEGORIES for number in (1, 2)
    )


def test_names_texts_and_queries_are_unique():
    assert len({template.name for template in TEMPLATES}) == 140
    assert len({template.text for template in TEMPLATES}) == 140
    # Databases share no table, so two equal queries would be of one database.
    assert len({template.query for template in TEMPLATES}) == 140


@every_template
def test_every_placeholder_is_a_parameter_and_every_parameter_is_used(template):
    placeholders = {field for _, field, _, _ in string.Formatter().parse(template.text) if field}
    names = [parameter.name for parameter in template.parameters]
    sides = {"a", "b"} if template.contrast else set()
    assert placeholders == (set(names) - {template.contrast}) | sides
    assert Counter(names) == Counter(item.parameter for item in template.query.filters)
    assert (template.subcategory == "CC") == bool(template.contrast)
    assert not template.contrast or template.contrast in names


@every_template
def test_a_parameter_is_drawn_from_the_column_it_filters(template):
    filtered = {item.parameter: item for item in template.query.filters}
    for parameter in template.parameters:
        assert parameter.column == filtered[parameter.name].column
        assert (parameter.kind == "threshold") == (filtered[parameter.name].op in {"<=", ">="})


@every_template
def test_the_operator_fits_the_subcategory(template):
    kinds = {
        "EL": Value,
        "TS": Top,
        "CNT": Count,
        "SUM": Total,
        "AVG": Mean,
        "CC": (Count, Total, Mean),
        "COR": Correlation,
    }
    assert isinstance(template.query.want, kinds[template.subcategory])
    assert bool(template.unit) == (template.subcategory in {"CNT", "SUM", "AVG", "CC"})


@every_template
def test_bounds_are_said_as_they_are_computed(template):
    words = {
        ">=": ("at least", "on or after", "at or after", "or more", "or later"),
        "<=": ("at most", "on or before", "or earlier", "up to"),
    }
    for item in template.query.filters:
        assert item.op in words or item.op in ("=", "<>")
        assert item.op not in words or any(word in template.text for word in words[item.op])
    assert ("negative if" in template.text) == (template.subcategory == "CC")


@every_template
def test_keys_are_not_quantities(template):
    query = template.query
    want = query.want.by if isinstance(query.want, Top) else query.want
    if isinstance(want, Value | Count):
        return
    foreign = find_world(template.database).catalog.foreign_keys
    for column in wanted_columns(want):
        alias, _, name = column.partition(".")
        keys = {key.child_columns for key in foreign if key.child == query.sources[alias]}
        assert (name,) not in {*keys, table_of(template, alias).primary_key}


@every_template
def test_every_column_exists(template):
    query = template.query
    joined = [left for join in query.joins for left, _ in join.on]
    joined += [f"{join.alias}.{right}" for join in query.joins for _, right in join.on]
    for column in [*query.columns, *joined]:
        alias, _, name = column.partition(".")
        assert name in {found.name for found in table_of(template, alias).columns}, column


@every_template
def test_joins_follow_foreign_keys_from_child_to_parent(template):
    keys = {
        (key.child, key.child_columns, key.parent, key.parent_columns)
        for key in find_world(template.database).catalog.foreign_keys
    }
    for join in template.query.joins:
        (left, right), *more = join.on
        alias, _, column = left.partition(".")
        assert not more
        assert (template.query.sources[alias], (column,), join.table, (right,)) in keys
        assert (right,) == table_of(template, join.alias).primary_key


@every_template
def test_every_joined_table_is_used(template):
    query = template.query
    used = {column.partition(".")[0] for column in query.columns}
    used |= {left.partition(".")[0] for join in query.joins for left, _ in join.on}
    assert set(query.sources) <= used


@every_template
def test_a_quantity_counts_once(template):
    for bound in ten(template, INSTANCES):
        assert not is_repeated(bound, joined(template, INSTANCES)), bound.text


@every_template
def test_ten_questions_on_small_samples_and_both_methods_agree(template):
    for number, connection in enumerate(connections(template.database)):
        assert len({question.text for question in ten(template, number)}) == 10
        for question in ten(template, number):
            proof = prove(connection, template.query, question.bindings)
            assert same(question.outcome, proof), question.text


@every_template
def test_answers_vary(template):
    """Ten questions about an instance have several answers, on average over instances at least three."""
    numbers = range(len(samples(template.database)))
    distinct = [len({str(question.outcome) for question in ten(template, number)}) for number in numbers]
    assert sum(distinct) >= 2.5 * len(distinct)


@every_template
def test_a_number_that_may_be_negative_reads_as_one(template):
    """A delay is often below zero: nothing is `-15 minutes late`."""
    assert not {"late", "late,", "early", "early,"} & set(template.text.split())
