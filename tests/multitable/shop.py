"""A shop of two tables, a question of every kind of answer about it, and the set of them."""

from datetime import date
from decimal import Decimal
from functools import cache

import pyarrow as pa

from warebench.catalog.model import Catalog, Column, ForeignKey, Table
from warebench.engine.database import Database
from warebench.queries.model import (
    Correlation,
    Count,
    Filter,
    Join,
    Mean,
    Measure,
    Query,
    Top,
    Value,
)
from warebench.queries.template import Parameter, Template
from warebench.questions.assemble import assemble
from warebench.questions.model import QuestionSet
from warebench.tracks.multitable.ask import Wanted, ask
from warebench.tracks.multitable.instances import Instance
from warebench.tracks.multitable.sampling import WINDOWS

CATALOG = Catalog(
    name="shop",
    tables=(
        Table(
            name="customers",
            columns=(Column(name="id", type="INT", nullable=False), Column(name="name", type="TEXT")),
            primary_key=("id",),
        ),
        Table(
            name="order lines",
            columns=(
                Column(name="id", type="INT", nullable=False),
                Column(name="customer_id", type="INT"),
                Column(name="day", type="DATE"),
                Column(name="amount", type="MONEY"),
                Column(name="pieces", type="INT"),
            ),
            primary_key=("id",),
        ),
    ),
    foreign_keys=(
        ForeignKey(
            child="order lines", parent="customers", child_columns=("customer_id",), parent_columns=("id",)
        ),
    ),
)
LINES = 32
NAMES = ("Ann | Co", "Bo", "Cy", "Di", "Ed", "")


def _lines() -> pa.Table:
    numbers = range(LINES)
    return pa.table(
        {
            "id": pa.array(numbers, pa.int64()),
            # A line without a customer, and customers in no order.
            "customer_id": pa.array([None if n == 3 else (n * n) % 7 % 5 for n in numbers], pa.int64()),
            "day": pa.array([date(2024, 1 + n % 12, 1 + n) if n < 28 else None for n in numbers]),
            "amount": pa.array([Decimal(n * n * 37 % 900) / 100 for n in numbers], pa.decimal128(9, 2)),
            "pieces": pa.array([None if n % 9 == 8 else 1 + n * 5 % 13 for n in numbers], pa.int64()),
        }
    )


SHOP = Database(
    catalog=CATALOG,
    tables={
        "customers": pa.table({"id": pa.array(range(len(NAMES)), pa.int64()), "name": list(NAMES)}),
        "order lines": _lines(),
    },
)

BUYER = Join(table="customers", alias="buyer", on=(("line.customer_id", "id"),))
OF_BUYER = Filter(column="buyer.name", op="=", parameter="buyer")
FROM_PIECES = Filter(column="line.pieces", op=">=", parameter="pieces")
BUYER_PARAMETER = Parameter(name="buyer", column="buyer.name")
PIECES_PARAMETER = Parameter(name="pieces", column="line.pieces", kind="threshold")


def _query(filters: tuple[Filter, ...], want: object) -> Query:
    return Query(table="order lines", alias="line", joins=(BUYER,), filters=filters, want=want)


TEMPLATES = (
    Template(
        database="shop",
        subcategory="EL",
        number=1,
        text="Which customer (name) ordered line {line}?",
        query=_query((Filter(column="line.id", op="=", parameter="line"),), Value("buyer.name")),
        parameters=(Parameter(name="line", column="line.id"),),
    ),
    Template(
        database="shop",
        subcategory="EL",
        number=2,
        text="On which day was line {line} ordered?",
        query=_query((Filter(column="line.id", op="=", parameter="line"),), Value("line.day")),
        parameters=(Parameter(name="line", column="line.id"),),
    ),
    Template(
        database="shop",
        subcategory="TS",
        number=1,
        text="Which customer (name) has the most lines of at least {pieces} pieces?",
        query=_query((FROM_PIECES,), Top("buyer.name", Count())),
        parameters=(PIECES_PARAMETER,),
    ),
    Template(
        database="shop",
        subcategory="CNT",
        number=1,
        text="How many lines of at least {pieces} pieces did {buyer} order?",
        query=_query((FROM_PIECES, OF_BUYER), Count()),
        parameters=(PIECES_PARAMETER, BUYER_PARAMETER),
        unit="lines",
    ),
    Template(
        database="shop",
        subcategory="AVG",
        number=1,
        text="What is the average amount of lines ordered by {buyer}?",
        query=_query((OF_BUYER,), Mean(Measure(column="line.amount"))),
        parameters=(BUYER_PARAMETER,),
        unit="dollars",
    ),
    Template(
        database="shop",
        subcategory="CC",
        number=1,
        text="How much higher is the average amount of lines ordered by {a} than of those by {b}?",
        query=_query((OF_BUYER,), Mean(Measure(column="line.amount"))),
        parameters=(BUYER_PARAMETER,),
        contrast="buyer",
        unit="dollars",
    ),
    Template(
        database="shop",
        subcategory="COR",
        number=1,
        text="What is the Pearson correlation of amount and pieces over the lines not ordered by {buyer}?",
        query=_query(
            (Filter(column="buyer.name", op="<>", parameter="buyer"),),
            Correlation(Measure(column="line.amount"), Measure(column="line.pieces")),
        ),
        parameters=(BUYER_PARAMETER,),
    ),
)


@cache
def shop_set(count: int = 1, *, paper: bool = False) -> QuestionSet:
    """Return the set of `count` questions a template about one instance, the whole shop."""
    instance = Instance(name="shop-8k-0", database=SHOP, window=WINDOWS["8K"], number=0, tokens=700)
    return assemble(
        track="multitable",
        profile="default",
        seed=5,
        parameters={},
        catalogs=[CATALOG],
        questions=ask(instance, TEMPLATES, Wanted(count=count, seed=5, paper=paper)),
        databases={instance.name: SHOP},
    )
