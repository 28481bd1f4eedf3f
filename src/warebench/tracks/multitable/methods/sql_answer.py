"""From a model's reply to a query, and from the query's result to an answer."""

import json
import math
from datetime import date, datetime, time
from decimal import Decimal

from warebench.answers.model import Number, Quantity, Reply, Text
from warebench.answers.parse import AnswerKind, Unparsed, parse
from warebench.engine.run import Cell, Failure, Rows


def read_result(result: Rows | Failure, kind: AnswerKind) -> Reply | Failure:
    """Return the one cell of a result as an answer of a kind, or why it is none.

    Args:
        result: What the query returned.
        kind: Kind of the gold.
    """
    if isinstance(result, Failure):
        return result
    if len(result.columns) != 1 or len(result.rows) != 1:
        shape = f"{len(result.rows)} rows of {len(result.columns)} columns"
        return _no_answer(f"the result has {shape}, not one cell")
    cell = result.rows[0][0]
    if cell is None:
        return _no_answer("the result is NULL")
    reply = to_reply(cell, kind)
    return _no_answer(reply.reason) if isinstance(reply, Unparsed) else reply


def to_reply(cell: Cell, kind: AnswerKind) -> Reply | Unparsed:
    """Return a cell as an answer of a kind: whole floats are whole numbers, dates are ISO texts."""
    if kind == "text":
        return Text(cell_text(cell))
    match cell:
        case bool() | date() | datetime() | time() | None:
            return Unparsed(f"not a {kind}: {cell}")
        case str():
            reply = parse(json.dumps({"answer": cell}), kind)
            return reply
        case _ if not math.isfinite(cell):
            return Unparsed(f"not a {kind}: {cell}")
        case _ if kind == "quantity":
            return Quantity(float(cell))
        case _ if cell == int(cell):
            return Number(int(cell))
        case _:
            return Unparsed(f"not a whole number: {cell}")


def cell_text(cell: Cell) -> str:
    """Return a cell as text."""
    match cell:
        case bool():
            return str(cell).lower()
        case date() | time() | datetime():
            return cell.isoformat()
        case Decimal():
            return f"{cell:f}"
        case _:
            return str(cell)


def _no_answer(message: str) -> Failure:
    return Failure(kind="execution", message=message)
