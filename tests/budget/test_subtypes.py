"""Subtype and facets of gold queries."""

import pytest
import sqlglot

from warebench.catalog.model import Catalog, Column, Table
from warebench.sql.labels import Labels, label
from warebench.sql.namespace import build_pool
from warebench.tracks.budget.subtypes import classify, facets, is_ordered

CATALOG = Catalog(
    name="one",
    tables=tuple(
        Table(name=name, columns=(Column(name="id"), Column(name=f"{name}_x"))) for name in ("a", "b", "c")
    ),
)
OTHER = Catalog(name="other", tables=(Table(name="B", columns=(Column(name="y"),)),))

CASES = [
    ("SELECT a_x FROM a", "lookup", False, 0, 0),
    ("SELECT x.id FROM a AS x JOIN a AS y ON x.id = y.id ORDER BY 1", "lookup", True, 1, 0),
    ("SELECT a_x FROM a JOIN b ON a.id = b.id", "join", False, 1, 1),
    ("SELECT a_x FROM a, b, c WHERE a.id = b.id AND b.id = c.id", "multi_join", False, 2, 1),
    ("SELECT a_x FROM a WHERE id IN (SELECT id FROM b)", "nested", False, 0, 1),
    ("SELECT id FROM a UNION SELECT id FROM b ORDER BY id", "nested", True, 0, 1),
    ("WITH t AS (SELECT id FROM a ORDER BY id LIMIT 1) SELECT id FROM t", "nested", False, 0, 0),
    ("SELECT id FROM (SELECT id FROM a ORDER BY id)", "nested", False, 0, 0),
    ("SELECT count(*), a_x FROM a GROUP BY a_x ORDER BY count(*) DESC LIMIT 1", "lookup", True, 0, 0),
]


@pytest.mark.parametrize(
    ("sql", "subtype", "ordered", "joins", "collisions"), CASES, ids=[c[0] for c in CASES]
)
def test_query(sql, subtype, ordered, joins, collisions):
    query = sqlglot.parse_one(sql, dialect="sqlite")
    labels = label(sql, CATALOG, "sqlite")
    assert isinstance(labels, Labels)
    assert classify(query, labels) == subtype
    found = facets(query, labels, build_pool([CATALOG, OTHER]))
    assert found == {
        "tables": len(labels.tables),
        "columns": len(labels.columns),
        "joins": joins,
        "collisions": collisions,
        "ordered": ordered,
    }


def test_brackets_around_a_whole_query_do_not_hide_its_order():
    assert is_ordered(sqlglot.parse_one("(SELECT a FROM t ORDER BY a)"))
    assert not is_ordered(sqlglot.parse_one("(SELECT a FROM t)"))
