import re
import sqlite3
from contextlib import closing

import duckdb
import pytest

from warebench.catalog import Catalog, Column, Table
from warebench.catalog.render import restrict, to_ddl, to_mermaid, to_text
from warebench.errors import CatalogError

TEXT = """\
# Tables
Sales.Customer(id INTEGER NOT NULL) primary key (id)
"order details"(id INTEGER NOT NULL, "line no" DECIMAL(8, 2) NOT NULL, customer_id INTEGER, parent) \
primary key (id, "line no")
mart
# Foreign keys
"order details"(customer_id) references Sales.Customer(id)
"order details"(id, parent) references "order details"(id, "line no")
mart references Sales.Customer
# Lineage
mart derives from "order details"
"""

DDL = """\
CREATE TABLE "Sales.Customer" (
  "id" INTEGER NOT NULL,
  PRIMARY KEY ("id")
);

CREATE TABLE "order details" (
  "id" INTEGER NOT NULL,
  "line no" DECIMAL(8, 2) NOT NULL,
  "customer_id" INTEGER,
  "parent",
  PRIMARY KEY ("id", "line no"),
  CONSTRAINT "fk_customer" FOREIGN KEY ("customer_id") REFERENCES "Sales.Customer" ("id"),
  FOREIGN KEY ("id", "parent") REFERENCES "order details" ("id", "line no")
);

CREATE TABLE "mart" ();

-- "mart" references "Sales.Customer"
-- "mart" derives from "order details"
"""

MERMAID = """\
erDiagram
    t0["Sales.Customer"] {
        INTEGER id PK
    }
    t1["order details"] {
        INTEGER id PK, FK
        DECIMAL_8_2 line_no PK
        INTEGER customer_id FK
        unknown parent FK
    }
    t2["mart"]
    t1 }o--|| t0 : "references by customer_id"
    t1 }o--|| t1 : "references by id, parent"
    t2 }o--|| t0 : "references"
    t2 }o..o{ t1 : "derives from"
"""


@pytest.mark.parametrize(
    ("render", "expected"),
    [(to_text, TEXT), (to_ddl, DDL), (to_mermaid, MERMAID)],
    ids=["text", "ddl", "mermaid"],
)
def test_renders(shop, render, expected):
    assert render(shop) == expected


@pytest.mark.parametrize("render", [to_text, to_ddl, to_mermaid])
def test_restricts_to_tables_with_the_edges_between_them(shop, render):
    part = render(shop, tables=["mart", "Sales.Customer"])
    assert "order details" not in part
    assert "mart" in part
    assert part == render(restrict(shop, {"Sales.Customer", "mart"}))
    assert render(shop, tables=set(shop.table_names)) == render(shop)


def test_restricting_to_nothing_says_so(shop):
    assert to_text(shop, tables=()) == "# Tables\n(none)\n# Foreign keys\n(none)\n# Lineage\n(none)\n"


def test_restrict_refuses_an_unknown_table(shop):
    with pytest.raises(CatalogError, match=r"unknown table 'marts'[\s\S]*Did you mean `mart`"):
        to_text(shop, tables=["marts"])


def test_databases_accept_the_ddl(shop):
    """SQLite takes any order and unknown types; DuckDB checks that parents exist."""
    script = to_ddl(shop, tables=["Sales.Customer", "order details"]).replace(
        '"parent"', '"parent" DECIMAL(8, 2)', 1
    )
    with closing(sqlite3.connect(":memory:")) as lite, duckdb.connect() as duck:
        lite.executescript(script)
        duck.execute(script)
        assert lite.execute("select count(*) from sqlite_master where type = 'table'").fetchone() == (2,)
        assert duck.execute(
            "select count(*) from duckdb_constraints() where constraint_type = 'FOREIGN KEY'"
        ).fetchone() == (2,)


@pytest.mark.parametrize("name", ['say "hi"', "a#b", "50%", "`tick`", "größe", "a;b", "end", "x]y"])
def test_mermaid_keeps_odd_names_inside_quotes(name):
    catalog = Catalog(name="c", tables=(Table(name=name, columns=(Column(name=name, type="int; --"),)),))
    lines = to_mermaid(catalog).splitlines()
    assert re.fullmatch(r'    t0\["[^"`%]*"\] \{', lines[1])
    assert re.fullmatch(r"        int [A-Za-z]\w*", lines[2], re.ASCII)


@pytest.mark.parametrize(
    ("name", "table", "column"),
    [
        ("a_1", "a_1", "a_1"),
        ("a.b", "a.b", '"a.b"'),
        ("a..b", '"a..b"', '"a..b"'),
        ("a b", '"a b"', '"a b"'),
        ("1a", '"1a"', '"1a"'),
        ('a"b', '"a""b"', '"a""b"'),
        ("a)", '"a)"', '"a)"'),
        ("größe", "größe", "größe"),
    ],
)
def test_text_quotes_what_is_not_plain(name, table, column):
    catalog = Catalog(name="c", tables=(Table(name=name, columns=(Column(name=name),)),))
    assert to_text(catalog).splitlines()[1] == f"{table}({column})"


def test_a_type_stays_on_its_line():
    catalog = Catalog(name="c", tables=(Table(name="a", columns=(Column(name="b", type="enum(\n 'x')"),)),))
    assert "a(b enum( 'x'))\n" in to_text(catalog)
