"""Templates composed over schemas nobody wrote templates for."""

import subprocess
import sys
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

import msgspec
import pyarrow as pa
import pytest
from tests.multitable.twin_samples import sample
from tests.queries.compose_schemas import chance, check, database_of, shop

from warebench.catalog.model import Catalog, Column, Table
from warebench.engine.database import Database
from warebench.engine.load import read_database
from warebench.errors import BuildError
from warebench.queries.bind import bind, evaluate
from warebench.queries.compose import compose, compose_set
from warebench.queries.model import Correlation, Mean, Top, Total
from warebench.queries.solve import join_rows
from warebench.queries.template import SUBCATEGORIES

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "sqlite"


def test_all_seven_operators():
    database = shop()
    made = compose_set(database, seed=3)
    assert made.shortfalls == ()
    assert [template.name for template in made.templates] == [
        f"tiny-{subcategory}-{number}" for subcategory in SUBCATEGORIES for number in (1, 2)
    ]
    assert all(bind(t, join_rows(database, t.query), 10, chance()) for t in made.templates)
    assert check(database, made.templates) >= 14 * 2
    assert len({template.text for template in made.templates}) == 14


def columns_used(template) -> set[str]:
    query = template.query
    match query.want:
        case Top(group, by):
            asked = {group, *([by.measure.column] if isinstance(by, Total | Mean) else [])}
        case Total(measure) | Mean(measure):
            asked = {measure.column}
        case Correlation(x, y):
            asked = {x.column, y.column}
        case other:
            asked = {getattr(other, "column", "") or getattr(other, "distinct", "")} - {""}
    return asked | {item.column for item in query.filters}


def test_keys_identifiers_constants_and_prose_are_never_used():
    banned = {"id", "customer_id", "zip_code", "constant", "note"}
    for seed in range(4):
        for template in compose(shop(), seed=seed):
            if template.subcategory != "EL":  # a row may be told by its key
                assert not {column.partition(".")[2] for column in columns_used(template)} & banned


def test_every_template_uses_the_parent_and_sums_the_child():
    for seed in range(4):
        for template in compose(shop(), seed=seed):
            assert any(column.startswith("customer.") for column in columns_used(template))
            if isinstance(template.query.want, Total | Mean):
                assert template.query.want.measure.column.startswith("order.")


def test_years_are_bounds_and_levels_are_not_summed():
    database = database_of(
        {
            "city": {"id": list(range(8)), "name": [f"City {letter}" for letter in "abcdefgh"]},
            "reading": {
                "id": list(range(80)),
                "city": [number % 8 for number in range(80)],
                "temperature": [number * 7 % 31 + 0.5 for number in range(80)],
                "year": [1950 + number * 3 % 40 for number in range(80)],
            },
        },
        [("reading", ["city"], "city", ["id"])],
    )
    made = compose_set(database, seed=1)
    reasons = {item.subtype: (item.made, item.reason) for item in made.shortfalls}
    assert reasons["SUM"][0] == 0
    assert "no table with a foreign key has a number that is known to add up" in reasons["SUM"][1]
    assert reasons["COR"][0] == 0
    averages = [template for template in made.templates if template.subcategory == "AVG"]
    assert {template.query.want.measure.column for template in averages} == {"reading.temperature"}
    assert any("whose year is at " in template.text for template in made.templates)


def test_seeds_vary_and_repeat():
    database = shop()
    assert compose(database, seed=1) == compose(database, seed=1)
    assert compose(database, seed=1) != compose(database, seed=2)
    one = compose(database, seed=1, per_subcategory=1)
    assert Counter(template.subcategory for template in one) == dict.fromkeys(SUBCATEGORIES, 1)
    with pytest.raises(BuildError, match="3 templates"):
        compose(database, seed=1, per_subcategory=3)


def test_hash_seed_changes_nothing():
    script = (
        "import hashlib; from tests.queries.compose_schemas import shop;"
        "from warebench.queries.compose import compose;"
        "print(hashlib.sha256(repr(compose(shop(), seed=1)).encode()).hexdigest())"
    )
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-c", script]
    outputs = {
        subprocess.run(
            command, env={"PYTHONHASHSEED": seed}, cwd=root, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


NAMES = [
    ("select", "group", "where"),
    ("my customers", "all orders, really", "land / Land"),
    ('the "best"', "a `tick` {curly}", "{x} `y`"),
    ("sales.customer", "sales.order", "a.b"),
    ("Kunden|ä", "注文", "国|名"),
]


@pytest.mark.parametrize(("parents", "children", "label"), NAMES)
def test_any_names(parents, children, label):
    database = shop(parents, children, label)
    made = compose_set(database, seed=3)
    assert made.shortfalls == ()
    assert check(database, made.templates) >= 14 * 3
    (bound, *_) = bind(made.templates[0], join_rows(database, made.templates[0].query), 1, chance())
    # Names that are no words stand in backticks, as they are.
    assert "`" not in bound.text or (children in bound.text and parents in bound.text)


def test_composite_keys():
    rows = [(a, b) for a in "pqr" for b in range(8)]
    database = database_of(
        {
            "shelf": {
                "room": [a for a, _ in rows],
                "place": [b for _, b in rows],
                "topic": [["Art", "Law", "Math", "Sea", "Tea"][at % 5] for at in range(24)],
            },
            "book": {
                "id": list(range(96)),
                "room": [rows[at % 24][0] for at in range(96)],
                "place": [rows[at % 24][1] for at in range(96)],
                "pages": [100 + at * 37 % 211 for at in range(96)],
            },
        },
        [("book", ["room", "place"], "shelf", ["room", "place"])],
    )
    made = compose_set(database, seed=1)
    assert {template.subcategory for template in made.templates} >= {"TS", "CNT", "SUM", "AVG", "CC"}
    on = (("book.room", "room"), ("book.place", "place"))
    assert all(template.query.joins[0].on == on for template in made.templates)
    assert check(database, made.templates)


def test_a_table_that_refers_to_itself_is_told_apart():
    database = database_of(
        {
            "staff": {
                "id": list(range(1, 61)),
                "boss": [None if at < 6 else at % 6 + 1 for at in range(60)],
                "name": [f"Name {chr(65 + at // 26)}{chr(65 + at % 26)}" for at in range(60)],
                "pay": [1000 + at * 317 % 709 for at in range(60)],
                "city": [["Rome", "Oslo", "Bonn", "Kyiv"][at % 4] for at in range(60)],
            }
        },
        [("staff", ["boss"], "staff", ["id"])],
    )
    made = compose_set(database, seed=1)
    assert made.templates
    for template in made.templates:
        assert (
            "with its row of `staff` (called `staff 2` here) (`staff`.`boss` = `staff 2`.`id`)"
            in template.text
        )
    assert check(database, made.templates)


def chain() -> Database:
    """Return three tables in a row, the middle one without any column of use."""
    return database_of(
        {
            "region": {"id": list(range(5)), "name": ["North", "South", "East", "West", "Mid"]},
            "store": {"id": list(range(20)), "region_id": [at % 5 for at in range(20)]},
            "sale": {
                "id": list(range(150)),
                "store_id": [at * 7 % 20 for at in range(150)],
                "units": [at * 13 % 47 for at in range(150)],
                "gain": [at * 29 % 83 / 4 for at in range(150)],
            },
        },
        [("store", ["region_id"], "region", ["id"]), ("sale", ["store_id"], "store", ["id"])],
    )


def test_chains():
    made = compose_set(chain(), seed=1)
    assert {template.subcategory for template in made.templates} >= {"TS", "CNT", "SUM", "AVG", "CC", "COR"}
    sums = [template for template in made.templates if template.subcategory == "SUM"]
    assert [list(template.query.sources) for template in sums] == [["sale", "store", "region"]] * len(sums)
    assert check(chain(), made.templates)


def test_a_join_that_the_child_makes_needless_is_not_made():
    database = shop()
    customers = database.tables["customer"]
    pairs = zip(customers.column("id").to_pylist(), customers.column("country").to_pylist(), strict=True)
    names = dict(pairs)
    orders = database.tables["order"]
    copied = [names.get(customer) for customer in orders.column("customer_id").to_pylist()]
    catalog = Catalog(
        name="tiny",
        tables=(
            database.catalog.tables[0],
            Table(
                name="order",
                columns=(*database.catalog.tables[1].columns, Column(name="ship_country")),
                primary_key=("id",),
            ),
        ),
        foreign_keys=database.catalog.foreign_keys,
    )
    tables = {**database.tables, "order": orders.append_column("ship_country", pa.array(copied))}
    for template in compose(Database(catalog=catalog, tables=tables), seed=3):
        assert "customer.country" not in columns_used(template)


LACKING = [
    ({"a": {"id": [1, 2], "x": ["p", "q"]}, "b": {"id": [1], "a": [1]}}, [], "declares no foreign keys"),
    ({"only": {"id": [1, 2], "x": ["p", "q"]}}, [], "declares no foreign keys"),
    (
        {
            "a": {"id": pa.array([], pa.int64())},
            "b": {"id": pa.array([], pa.int64()), "a": pa.array([], pa.int64())},
        },
        [("b", ["a"], "a", ["id"])],
        "one of the tables is empty",
    ),
    ({"a": {"id": [1, 1]}, "b": {"id": [1], "a": [1]}}, [("b", ["a"], "a", ["id"])], "is not unique"),
    ({"a": {"id": ["1"]}, "b": {"id": [1], "a": [1]}}, [("b", ["a"], "a", ["id"])], "of different types"),
    ({"a": {"id": [1]}, "b": {"id": [1], "a": [2]}}, [("b", ["a"], "a", ["id"])], "no row has a partner"),
    ({"a": {"id": [0.5]}, "b": {"id": [1], "a": [0.5]}}, [("b", ["a"], "a", ["id"])], "are not joined"),
    ({"a": {"id": [1]}, "b": {"id": [1], "a": [1]}}, [("b", [], "a", [])], "its columns are unknown"),
]


@pytest.mark.parametrize(("tables", "keys", "reason"), LACKING)
def test_what_a_schema_lacks_is_said(tables, keys, reason):
    made = compose_set(database_of(tables, keys), seed=1)
    assert made.templates == ()
    assert [item.subtype for item in made.shortfalls] == list(SUBCATEGORIES)
    assert all(reason in item.reason and (item.asked, item.made) == (2, 0) for item in made.shortfalls)


def test_odd_cells_are_left_alone():
    rng = chance(2)
    database = database_of(
        {
            "p": {"id": list(range(9)), "label": [f"Label {letter}" for letter in "abcdefghi"],
                  "twins": ["A b", "a B", "c", "d", "e", "f", "g", "h", "i"],
                  "quoted": [f'say "{at}"' for at in range(9)], "raw": [b"\xff"] * 9},
            "c": {"id": list(range(60)), "p": [at % 9 for at in range(60)],
                  "nan": [float("nan"), *(rng.random() for _ in range(59))],
                  "inf": [float("inf"), *(rng.random() for _ in range(59))],
                  "wide": [10**17 + at * at for at in range(60)], "flag": [at % 2 == 0 for at in range(60)]},
        },
        [("c", ["p"], "p", ["id"])],
    )  # fmt: skip
    made = compose_set(database, seed=1)
    used = {column for template in made.templates for column in columns_used(template)}
    assert used <= {"p.label", "p.twins", "c.wide", "c.id"}
    # Two spellings of one name cost two values, not the column.
    barred = {item.barred for template in made.templates for item in template.parameters}
    assert barred <= {(), ("A b", "a B")}
    assert check(database, made.templates)


@pytest.mark.parametrize("name", ["chinook", "sakila", "olist_3000_orders"])
def test_real_databases(name):
    if not DATA.exists():
        pytest.skip("the real data at ../shared/data is absent")
    database = read_database(DATA / f"{name}.sqlite", max_rows=4000)
    made = compose_set(database, seed=1)
    assert made.shortfalls == ()
    assert Counter(template.subcategory for template in made.templates) == dict.fromkeys(SUBCATEGORIES, 2)
    assert len({template.query.joins for template in made.templates}) >= 4
    assert all(len(set(template.query.sources.values())) > 1 for template in made.templates)


@pytest.mark.parametrize(
    ("name", "mess", "lacking"), [("movie", False, ["SUM"]), ("cookbook", True, ["SUM"])]
)
def test_twins(name, mess, lacking):
    database = sample(name, mess=mess)
    made = compose_set(database, seed=1)
    # Nothing says that a movie's `screentime` adds up.
    assert [item.subtype for item in made.shortfalls] == lacking
    assert check(database, made.templates) >= 40


def without(template, left_out):
    kept = tuple(item for item in template.query.filters if item != left_out)
    return msgspec.structs.replace(template.query, filters=kept)


def test_every_filter_changes_the_answer_and_no_answer_is_most_of_them():
    database = shop()
    for template in compose(database, seed=3):
        rows = join_rows(database, template.query)
        bounds = bind(template, rows, 10, chance())
        idle = [item for item in template.query.filters if item.parameter != template.contrast]
        for bound in bounds:
            assert not (template.contrast and bound.outcome == 0)
            assert all(
                evaluate(without(template, item), rows, bound.bindings) != bound.outcome for item in idle
            )
        most = max(Counter(bound.outcome for bound in bounds).values())
        assert most == 1 or most <= 0.375 * len(bounds)


def test_placeholders_are_no_entities_and_bookkeeping_is_not_asked():
    database = shop()
    tables = dict(database.tables)
    orders = tables["order"]
    states = [["open", "n/a", "sent", "-"][at % 4] for at in range(200)]
    days = [date(2020, 1, 1) + timedelta(days=at) for at in range(200)]
    orders = orders.set_column(orders.column_names.index("status"), "status", [states])
    tables["order"] = orders.append_column("last_update", [days])
    order = database.catalog.tables[1]
    order = msgspec.structs.replace(order, columns=(*order.columns, Column(name="last_update")))
    catalog = msgspec.structs.replace(database.catalog, tables=(database.catalog.tables[0], order))
    changed = Database(catalog=catalog, tables=tables)
    made = compose(changed, seed=3)
    assert "order.last_update" not in {column for template in made for column in template.query.columns}
    barred = {
        item.barred for template in made for item in template.parameters if item.column == "order.status"
    }
    assert barred == {("-", "n/a")}
    for template in made:
        for bound in bind(template, join_rows(changed, template.query), 10, chance()):
            assert not {"-", "n/a"} & {value for binding in bound.bindings for value in binding.values()}
