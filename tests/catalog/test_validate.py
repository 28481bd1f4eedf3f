import pytest
from msgspec.structs import replace

from warebench.catalog import Catalog, Column, ForeignKey, LineageEdge, Table, validate
from warebench.errors import CatalogError


def key(**fields):
    return ForeignKey(**{"child": "mart", "parent": "Sales.Customer"} | fields)


def edge(downstream, upstream):
    return LineageEdge(downstream=downstream, upstream=upstream)


def test_returns_the_same_catalog(shop):
    assert validate(shop) is shop


def test_accepts_a_lineage_cycle(shop):
    cycle = replace(shop, lineage=(edge("mart", "order details"), edge("order details", "mart")))
    assert validate(cycle) is cycle


def test_accepts_parallel_keys_and_keys_into_tables_without_columns(shop):
    keys = (
        key(child_columns=("a",), parent_columns=("id",)),
        key(child_columns=("b",), parent_columns=("id",)),
        key(child_columns=("b",), parent_columns=("id",), name="again"),
    )
    assert validate(replace(shop, foreign_keys=keys))


BAD = {
    "a duplicate table": (
        lambda c: replace(c, tables=(*c.tables, Table(name="mart"))),
        "duplicate table 'mart'",
        "table mart",
    ),
    "tables that differ in case only": (
        lambda c: replace(c, tables=(*c.tables, Table(name="MART"))),
        "duplicate table 'MART', which differs from 'mart' in case only",
        "table MART",
    ),
    "tables that differ in blanks only": (
        lambda c: replace(c, tables=(*c.tables, Table(name="a b"), Table(name="a  b"))),
        "duplicate table 'a  b', which differs from 'a b' in blanks, quotes or composition only",
        "table a  b",
    ),
    "a duplicate column": (
        lambda c: replace(c, tables=(Table(name="t", columns=(Column(name="a"), Column(name="a"))),)),
        "duplicate column 'a'",
        "table t, column a",
    ),
    "an empty catalog name": (lambda c: replace(c, name=""), "the catalog's name is empty", "shop.json"),
    "an empty table name": (
        lambda c: replace(c, tables=(*c.tables, Table(name=" "))),
        "the name of table 4 is empty",
        "shop.json",
    ),
    "a line break in a table name": (
        lambda c: replace(c, tables=(*c.tables, Table(name="a\nb"))),
        "the name of table 4 holds a control character: 'a\\nb'",
        "shop.json",
    ),
    "an escape in a column name": (
        lambda c: replace(c, tables=(*c.tables, Table(name="t", columns=(Column(name="\x1b[2J"),)))),
        "a column name holds a control character",
        "table t",
    ),
    "an unknown primary key column": (
        lambda c: replace(
            c, tables=(Table(name="t", columns=(Column(name="ident"),), primary_key=("idnt",)),)
        ),
        "the primary key names unknown column 'idnt' of table 't'",
        "table t, column idnt",
    ),
    "a primary key column named twice": (
        lambda c: replace(c, tables=(Table(name="t", columns=(Column(name="a"),), primary_key=("a", "a")),)),
        "the primary key names column 'a' twice",
        "table t, column a",
    ),
    "a key of an unknown table": (
        lambda c: replace(c, foreign_keys=(key(child="martt"),)),
        "a foreign key names unknown table 'martt'",
        "table martt",
    ),
    "a key to an unknown table": (
        lambda c: replace(c, foreign_keys=(key(parent="Sales.Custmer"),)),
        "a foreign key names unknown table 'Sales.Custmer'",
        "table mart, foreign key () -> Sales.Custmer()",
    ),
    "a key from an unknown column": (
        lambda c: replace(
            c,
            foreign_keys=(key(child="order details", child_columns=("customerid",), parent_columns=("id",)),),
        ),
        "a foreign key names unknown column 'customerid' of table 'order details'",
        "table order details, foreign key (customerid) -> Sales.Customer(id)",
    ),
    "a key to an unknown column": (
        lambda c: replace(c, foreign_keys=(key(child_columns=("a",), parent_columns=("idd",)),)),
        "a foreign key names unknown column 'idd' of table 'Sales.Customer'",
        "foreign key (a) -> Sales.Customer(idd)",
    ),
    "uneven columns": (
        lambda c: replace(c, foreign_keys=(key(child_columns=("a", "b"), parent_columns=("id",)),)),
        "a foreign key pairs 2 child columns with 1 parent columns",
        "table mart",
    ),
    "the same key twice": (
        lambda c: replace(c, foreign_keys=(*c.foreign_keys, key(evidence="declared"))),
        "the same foreign key stands twice",
        "table mart, foreign key () -> Sales.Customer()",
    ),
    "lineage of an unknown table": (
        lambda c: replace(c, lineage=(edge("mart", "ordr details"),)),
        "a lineage edge names unknown table 'ordr details'",
        "table mart, derives from ordr details",
    ),
    "lineage to itself": (
        lambda c: replace(c, lineage=(edge("mart", "mart"),)),
        "a table cannot derive from itself",
        "table mart",
    ),
    "the same lineage edge twice": (
        lambda c: replace(c, lineage=(*c.lineage, replace(c.lineage[0], evidence="tested"))),
        "the same lineage edge stands twice",
        "table mart, derives from order details",
    ),
}


@pytest.mark.parametrize(("damage", "what", "where"), BAD.values(), ids=BAD)
def test_refuses(shop: Catalog, damage, what, where):
    with pytest.raises(CatalogError) as caught:
        validate(damage(shop), where="shop.json")
    assert what in caught.value.what
    assert caught.value.where.startswith("shop.json")
    assert where in caught.value.where
    assert caught.value.fix


def test_suggests_the_closest_name(shop):
    with pytest.raises(CatalogError, match="Did you mean `order details`"):
        validate(replace(shop, lineage=(edge("mart", "ordr details"),)))
