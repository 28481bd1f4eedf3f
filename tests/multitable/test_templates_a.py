"""Templates of five databases: sound by the catalog, in need of a join, answerable on small samples."""

import math
import random
import string
from collections import Counter
from decimal import Decimal
from functools import cache

import msgspec
import pytest

from warebench.catalog.model import Table
from warebench.engine.database import Database
from warebench.queries.bind import Bound, bind
from warebench.queries.model import Correlation, Count, Mean, Query, Top, Total, Value
from warebench.queries.prove import prove
from warebench.queries.solve import join_rows, keep
from warebench.queries.template import SUBCATEGORIES, Template
from warebench.tracks.multitable.sampling import WINDOWS, sample_many
from warebench.tracks.multitable.templates import cookbook, movie, music_tracker, restaurant, university
from warebench.tracks.multitable.twins import TWINS, make_twin

BY_DATABASE: dict[str, tuple[Template, ...]] = {
    "cookbook": cookbook.TEMPLATES,
    "movie": movie.TEMPLATES,
    "music_tracker": music_tracker.TEMPLATES,
    "restaurant": restaurant.TEMPLATES,
    "university": university.TEMPLATES,
}
TEMPLATES = [template for templates in BY_DATABASE.values() for template in templates]

every_template = pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)

INSTANCES = 2


@cache
def samples(name: str) -> tuple[Database, ...]:
    """Return small samples, and a larger one last, in which parents have several children."""
    windows = [*[WINDOWS["8K"]] * INSTANCES, WINDOWS["32K"]]
    twin = make_twin(name, seed=1)
    small = sample_many(twin, windows[:1], INSTANCES, seed=1)
    large = sample_many(twin, windows[-1:], 1, seed=1)
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


def asked(query: Query) -> list[str]:
    """Return the columns that decide the answer: filtered, measured, grouped by, counted or looked up."""
    return [item.column for item in query.filters] + wanted(query.want)


def wanted(want) -> list[str]:
    match want:
        case Value(column):
            return [column]
        case Count(column):
            return [column] if column else []
        case Total(measure) | Mean(measure):
            return [column for column in (measure.column, measure.minus) if column]
        case Correlation(x, y):
            return [*wanted(Total(x)), *wanted(Total(y))]
        case Top(group, by):
            return [group, *wanted(by)]


def homes(query: Query, column: str) -> set[str]:
    """Return the aliases that hold a column, under its own name or as the other side of a join."""
    equal = {column}
    pairs = [(left, f"{join.alias}.{right}") for join in query.joins for left, right in join.on]
    for _ in pairs:
        equal |= {name for pair in pairs if equal & set(pair) for name in pair}
    return {name.partition(".")[0] for name in equal}


def table_of(template: Template, alias: str) -> Table:
    name = template.query.sources[alias]
    return next(table for table in TWINS[template.database].catalog.tables if table.name == name)


def same(first: object, second: object) -> bool:
    if isinstance(first, int | float | Decimal) and isinstance(second, int | float | Decimal):
        return math.isclose(float(first), float(second), rel_tol=1e-9, abs_tol=1e-7)
    return first == second


@pytest.mark.parametrize("name", BY_DATABASE)
def test_fourteen_templates_two_of_each_subcategory(name):
    templates = BY_DATABASE[name]
    assert {template.database for template in templates} == {name}
    assert Counter((template.subcategory, template.number) for template in templates) == Counter(
        (subcategory, number) for subcategory in SUBCATEGORIES for number in (1, 2)
    )


def test_names_texts_and_queries_are_unique():
    assert len({template.name for template in TEMPLATES}) == 70
    assert len({template.text for template in TEMPLATES}) == 70
    # Databases share no table, so two equal queries would be of one database.
    assert len({template.query for template in TEMPLATES}) == 70


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
def test_every_column_exists(template):
    query = template.query
    joined = [left for join in query.joins for left, _ in join.on]
    joined += [f"{join.alias}.{right}" for join in query.joins for _, right in join.on]
    for column in [*asked(query), *joined]:
        alias, _, name = column.partition(".")
        assert name in {found.name for found in table_of(template, alias).columns}, column


@every_template
def test_joins_follow_foreign_keys_from_child_to_parent(template):
    keys = {
        (key.child, key.child_columns, key.parent, key.parent_columns)
        for key in TWINS[template.database].catalog.foreign_keys
    }
    for join in template.query.joins:
        (left, right), *more = join.on
        alias, _, column = left.partition(".")
        assert not more
        assert (template.query.sources[alias], (column,), join.table, (right,)) in keys


@every_template
def test_no_single_table_holds_what_is_asked(template):
    query = template.query
    holders = [homes(query, column) for column in asked(query)]
    assert not set.intersection(*holders)


@every_template
def test_every_joined_table_is_used(template):
    query = template.query
    used = {column.partition(".")[0] for column in asked(query)}
    used |= {left.partition(".")[0] for join in query.joins for left, _ in join.on}
    assert set(query.sources) <= used


@every_template
def test_a_quantity_counts_once(template):
    """No row whose quantity is added up, averaged or correlated stands twice among those asked about."""
    query, want = template.query, template.query.want
    group = want.group if isinstance(want, Top) else None
    measured = wanted(want.by if isinstance(want, Top) else want)
    if isinstance(want, Value | Count) or (isinstance(want, Top) and isinstance(want.by, Count)):
        return
    rows = joined(template, INSTANCES)
    for bound in ten(template, INSTANCES):
        for binding in bound.bindings:
            kept = keep(rows, query, binding)
            for alias in {column.partition(".")[0] for column in measured}:
                key = [f"{alias}.{name}" for name in table_of(template, alias).primary_key]
                counted = Counter((row[group] if group else "", *(row[part] for part in key)) for row in kept)
                assert max(counted.values()) == 1, bound.text


@every_template
def test_ten_questions_on_small_samples_and_both_methods_agree(template):
    for number, connection in enumerate(connections(template.database)):
        assert len({question.text for question in ten(template, number)}) == 10
        for question in ten(template, number):
            proof = prove(connection, template.query, question.bindings)
            assert same(question.outcome, proof), question.text


@every_template
def test_answers_are_not_all_the_same(template):
    numbers = range(len(samples(template.database)))
    outcomes = {str(question.outcome) for number in numbers for question in ten(template, number)}
    assert len(outcomes) >= 4


@pytest.mark.parametrize(
    "template",
    [template for template in TEMPLATES if template.subcategory not in {"EL", "CC"}],
    ids=lambda template: template.name,
)
def test_one_table_alone_keeps_other_rows(template):
    """Filters of the table that holds the quantity are not enough: for some question they keep more rows."""
    query, rows, questions = template.query, joined(template, 0), ten(template, 0)
    for alias in query.sources:
        if {column.partition(".")[0] for column in wanted(query.want)} - {alias}:
            continue
        mine = tuple(item for item in query.filters if item.column.startswith(f"{alias}."))
        fewer = msgspec.structs.replace(query, filters=mine)
        kept = [len(keep(rows, each, q.bindings[0])) for q in questions for each in (query, fewer)]
        assert kept[::2] != kept[1::2]
