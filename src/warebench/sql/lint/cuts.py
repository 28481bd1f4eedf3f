"""Faults of LIMIT and ORDER BY, found by running the query without its cut."""

import math
from collections.abc import Iterator
from typing import NamedTuple

from sqlglot import exp

from warebench.sql.lint.model import Database, Fault, Row, Rows, bag
from warebench.sql.lint.variant import alone, keyed, over

CLOSE = 1e-9
"""Relative difference below which two floats are tied to anyone who reads the question."""


class Cut(NamedTuple):
    """LIMIT and OFFSET."""

    offset: int
    end: int


def check_cuts(query: exp.Expr, rows: Rows, database: Database) -> Iterator[Fault]:
    """Yield the faults of every LIMIT, and of the ORDER BY of the whole query.

    Args:
        query: The parsed query.
        rows: Its result.
        database: Where variants are run.
    """
    for node in query.find_all(exp.Select, exp.SetOperation):
        cut = _cut(node)
        if cut is not None and not isinstance(node.parent, exp.Exists):
            where = "" if node is query else f"in {node.sql(dialect=database.dialect)}"
            yield from _check_cut(alone(node), cut, where, database)
    if query.args.get("order") and len(rows) > 1 and (ranked := _ranked(query, len(rows[0]), database)):
        cut = _cut(query) or Cut(0, len(ranked.rows))
        tied = _first_tie(ranked, cut)
        if tied:
            yield Fault(code="tie_in_order", detail=tied)


def _cut(node: exp.Expr) -> Cut | None:
    limit, offset = node.args.get("limit"), node.args.get("offset")
    if limit is None:
        return None
    count = _integer(limit.args.get("expression"))
    skipped = _integer(offset.expression) if offset is not None else 0
    return None if count is None or skipped is None else Cut(skipped, skipped + count)


def _integer(node: exp.Expr | None) -> int | None:
    if isinstance(node, exp.Literal) and not node.is_string and node.name.isdigit():
        return int(node.name)
    return None


def _check_cut(query: exp.Expr, cut: Cut, where: str, database: Database) -> Iterator[Fault]:
    kept = database.rows(query)
    if not kept:
        return
    if not query.args.get("order"):
        yield from _check_unordered(query, cut, where, database)
        return
    ranked = _ranked(query, len(kept[0]), database)
    if ranked is None:
        return
    for edge in (cut.offset, cut.end):
        if 0 < edge < len(ranked.rows) and (tied := ranked.tie_at(edge)):
            yield Fault(code="tie_at_limit", detail=f"{tied} {where}".rstrip())
    if _nulls_decide(query, cut, len(kept[0]), database):
        yield Fault(code="null_order", detail=where)


def _check_unordered(query: exp.Expr, cut: Cut, where: str, database: Database) -> Iterator[Fault]:
    whole = query.copy()
    whole.set("limit", None)
    whole.set("offset", None)
    rows = database.rows(whole) or ()
    if len(rows) > cut.end - cut.offset and len(bag(rows)) > 1:
        detail = f"{len(bag(rows))} different rows for {cut.end - cut.offset} {where}"
        yield Fault(code="limit_without_order", detail=detail.rstrip())


class Ranked(NamedTuple):
    """All rows of a query in order, with their ranks and sort keys."""

    rows: list[Row]
    ranks: list[int]
    keys: list[Row]

    def tie_at(self, edge: int) -> str:
        """Return what is tied across the edge before a row, or nothing."""
        if self.ranks[edge - 1] == self.ranks[edge]:
            group = [row for row, rank in zip(self.rows, self.ranks, strict=True) if rank == self.ranks[edge]]
            different = len(bag(group))
            return f"{different} different rows share the place" if different > 1 else ""
        if self.rows[edge - 1] != self.rows[edge] and _close(self.keys[edge - 1], self.keys[edge]):
            return f"the places differ by the rounding of {self.keys[edge]} only"
        return ""


def _ranked(query: exp.Expr, width: int, database: Database) -> Ranked | None:
    """Return the query's rows without its cut, ranked by the engine itself; None where that cannot be."""
    parts = keyed(query, width)
    if parts is None:
        return None
    around, keys, ordered = parts
    rank = exp.Window(this=exp.Anonymous(this="RANK"), order=exp.Order(expressions=ordered))
    names = [f"c{place}" for place in range(width)]
    select = over(around, *names, *keys, exp.alias_(rank, "rank_")).order_by("rank_")
    found = database.rows(select)
    if found is None:
        return None
    return Ranked(
        rows=[tuple(row[:width]) for row in found],
        ranks=[int(row[-1]) for row in found],
        keys=[tuple(row[width:-1]) for row in found],
    )


def _first_tie(ranked: Ranked, cut: Cut) -> str:
    for edge in range(cut.offset + 1, min(cut.end, len(ranked.rows))):
        if ranked.rows[edge - 1] != ranked.rows[edge] and (tied := ranked.tie_at(edge)):
            return tied
    return ""


def _close(left: Row, right: Row) -> bool:
    return all(
        math.isclose(a, b, rel_tol=CLOSE) if isinstance(a, float) and isinstance(b, float) else a == b
        for a, b in zip(left, right, strict=True)
    )


def _nulls_decide(query: exp.Expr, cut: Cut, width: int, database: Database) -> bool:
    """Return whether the keys of the kept rows change with the place of NULLs."""
    parts = keyed(query, width)
    if parts is None:
        return False
    around, keys, ordered = parts
    kept = []
    for first in (True, False):
        order = [item.copy() for item in ordered]
        for item in order:
            item.set("nulls_first", first)
        select = over(around, *keys).order_by(*order).limit(cut.end - cut.offset).offset(cut.offset)
        kept.append(database.rows(select))
    first_kept, last_kept = kept
    return first_kept is not None and last_kept is not None and bag(first_kept) != bag(last_kept)
