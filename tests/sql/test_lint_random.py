"""Random tables: a tie is found exactly where two orders that ORDER BY allows give different results."""

import sqlite3
from functools import partial
from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sql.labels_schema import run

from warebench.catalog.model import Catalog, Column, Table
from warebench.sql.lint import lint

CATALOG = Catalog(
    name="drawn",
    tables=(Table(name="t", columns=(Column(name="a", type="INT"), Column(name="b", type="INT"))),),
)
SMALL = st.integers(0, 2)


def allowed(rows, offset: int, count: int) -> set[tuple]:
    """Return every result that sorting by `b`, NULLs first, and cutting may give: by trying all orders."""
    keys = [(b is not None, b or 0) for _, b in rows]
    found = set()
    for order in permutations(range(len(rows))):
        placed = [keys[place] for place in order]
        if placed == sorted(placed):
            found.add(tuple(rows[place][0] for place in order)[offset : offset + count])
    return found


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    rows=st.lists(st.tuples(SMALL, st.none() | SMALL), min_size=1, max_size=5),
    offset=SMALL,
    count=st.integers(1, 4),
)
def test_ties_are_found_where_they_decide(rows, offset, count):
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t (a INT, b INT)")
    connection.executemany("INSERT INTO t VALUES (?, ?)", rows)
    sql = f"SELECT a FROM t ORDER BY b LIMIT {count} OFFSET {offset}"  # noqa: S608
    found = {fault.code for fault in lint(sql, CATALOG, partial(run, connection), "sqlite")}
    connection.close()
    results = allowed(rows, offset, count)
    assert ("tie_at_limit" in found) == (len({tuple(sorted(result)) for result in results}) > 1)
    assert bool(found & {"tie_at_limit", "tie_in_order"}) == (len(results) > 1)
