"""Wrong queries: each change is made where it can be, once, and leaves the query as it was."""

import pytest

from warebench.sql.labels import Unlabelled
from warebench.sql.labels.parse import parse_query
from warebench.sql.mutants import mutate

CASES = [
    ("SELECT a FROM t WHERE b > 1", {("bound", "SELECT a FROM t WHERE b >= 1"), ("filter", "SELECT a FROM t"),
                                     ("comparison", "SELECT a FROM t WHERE b < 1")}),
    ("SELECT t.a FROM t JOIN u ON t.id = u.id", {("join", "SELECT t.a FROM t LEFT JOIN u ON t.id = u.id")}),
    ("SELECT t.a FROM t LEFT JOIN u ON t.id = u.id", {("join", "SELECT t.a FROM t JOIN u ON t.id = u.id")}),
    ("SELECT DISTINCT a FROM t", {("distinct", "SELECT a FROM t")}),
    ("SELECT COUNT(DISTINCT a) FROM t", {("distinct", "SELECT COUNT(a) FROM t")}),
    ("SELECT COUNT(a) FROM t", {("null rule", "SELECT COUNT(*) FROM t")}),
    ("SELECT COALESCE(a, 0) FROM t", {("null rule", "SELECT a FROM t")}),
    ("SELECT a, b, COUNT(*) FROM t GROUP BY a, b", {("group", "SELECT a, b, COUNT(*) FROM t GROUP BY b"),
                                                    ("group", "SELECT a, b, COUNT(*) FROM t GROUP BY a")}),
    ("SELECT a FROM t LIMIT 3", {("bound", "SELECT a FROM t LIMIT 4")}),
    ("SELECT a FROM t", set()),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "expected"), CASES)
def test_changes(sql, expected):
    query = parse_query(sql, "sqlite")
    assert not isinstance(query, Unlabelled)
    made = list(mutate(query, "sqlite"))
    assert {(item.change, item.sql) for item in made} == expected
    assert len(made) == len(expected)
    assert query.sql(dialect="sqlite") == sql


def test_the_order_turns_round():
    query = parse_query("SELECT a FROM t ORDER BY a DESC", "sqlite")
    assert not isinstance(query, Unlabelled)
    (made,) = mutate(query, "sqlite")
    assert (made.change, made.row) == ("order", "two rows that differ in `a`")
    assert "DESC" not in made.sql
