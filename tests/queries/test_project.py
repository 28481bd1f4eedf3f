"""The part of a database that a query reads gives the same joined answer."""

import pyarrow as pa
import pytest
from tests.multitable.shop import SHOP, TEMPLATES

from warebench.catalog.model import Catalog, Column, Table
from warebench.engine.database import Database
from warebench.queries.model import Count, Filter, Join, Query
from warebench.queries.project import narrow, needed
from warebench.queries.solve import answer, join_rows


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda item: item.name)
def test_rows_have_what_the_query_reads(template):
    query = template.query
    whole, part = join_rows(SHOP, query), join_rows(narrow(SHOP, query), query)
    assert [[row[name] for name in query.columns] for row in whole] == [
        [row[name] for name in query.columns] for row in part
    ]


def test_a_table_used_twice_keeps_the_columns_of_both_uses():
    query = Query(
        table="staff",
        alias="one",
        joins=(Join(table="staff", alias="boss", on=(("one.boss_id", "id"),)),),
        filters=(Filter(column="boss.name", op="=", parameter="name"),),
        want=Count(),
    )
    assert needed(query) == {"staff": {"boss_id", "id", "name"}}


def test_rows_of_a_table_without_wanted_columns_can_be_counted():
    table = Table(name="t", columns=(Column(name="a", type="INTEGER"), Column(name="b", type="INTEGER")))
    rows = pa.table({"a": [1, 2, 3], "b": [4, 5, 6]})
    database = Database(catalog=Catalog(name="c", tables=(table,)), tables={"t": rows})
    query = Query(table="t", alias="t", want=Count())
    part = narrow(database, query)
    assert part.tables["t"].column_names == ["a"]
    assert answer(join_rows(part, query), query.want) == 3
