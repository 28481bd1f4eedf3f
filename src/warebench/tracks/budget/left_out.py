"""What did not become a question, and why: the file `left_out.jsonl` of a set."""

from collections.abc import Iterable, Sequence
from typing import Literal, assert_never

import msgspec

from warebench.engine.collection import Example, Trouble, TroubleKind
from warebench.engine.run import Kind
from warebench.questions.model import QuestionSet, Shortfall

LEFT_OUT = "left_out.jsonl"
"""Path in a question set: one line for each example or database."""

GoldReason = Literal[
    "does not parse",
    "not allowed",
    "fails",
    "timeout",
    "too large",
    "unlabelled",
    "no table",
    "no plain value",
    "wall clock",
    "not invariant",
    "faulty",
    "asked twice",
    "no other words",
]
"""Of an example whose database can be read.

does not parse, not allowed (it is not one SELECT), fails, timeout, too large: on its own file.
unlabelled: it runs, but what it reads could not be found.
no table: it reads none.
no plain value: a column of its result mixes types or holds what is no finite number.
wall clock: its result depends on the day or on chance.
not invariant: under pool names it gives something else.
faulty: a fault of gold, where those are dropped.
asked twice: the same words about the same database before it.
no other words: there is no paraphrase, as no word of the schema can be replaced.
"""

Reason = GoldReason | TroubleKind

OF_DATABASES: tuple[TroubleKind, ...] = (
    "missing file",
    "unreadable",
    "empty",
    "corrupt",
    "unfinished",
    "no tables",
    "invalid",
    "same name",
    "broken key",
)
"""Troubles that are never those of an example."""


class LeftOut(msgspec.Struct, frozen=True, kw_only=True):
    """An example that is no question, or a database of which something is missing."""

    where: str
    """Id of the example, or name of the database."""
    database: str
    """Empty where it is not known."""
    reason: Reason
    detail: str = ""
    example: bool = True
    """Whether it is an example."""


def leave_out(example: Example, reason: Reason, detail: str = "") -> LeftOut:
    """Return the record of an example that cannot be a question."""
    return LeftOut(where=example.id, database=example.database, reason=reason, detail=detail)


def from_troubles(troubles: Iterable[Trouble], databases: Sequence[str]) -> list[LeftOut]:
    """Return the records of what a collection could not read.

    Args:
        troubles: Of the collection.
        databases: Names of its catalogs.
    """
    known = set(databases)
    return [
        LeftOut(
            where=trouble.where,
            database=trouble.where if trouble.where in known else "",
            reason=trouble.kind,
            detail=trouble.reason,
            example=trouble.kind not in OF_DATABASES and trouble.where not in known,
        )
        for trouble in troubles
    ]


def from_failure(kind: Kind) -> GoldReason:
    """Return why gold that does not run is left out."""
    match kind:
        case "parse":
            return "does not parse"
        case "forbidden":
            return "not allowed"
        case "timeout":
            return "timeout"
        case "memory" | "too many rows" | "too large":
            return "too large"
        case "execution":
            return "fails"
        case _:
            assert_never(kind)


def to_shortfalls(records: Iterable[LeftOut]) -> list[Shortfall]:
    """Return one shortfall for each database and reason, with the first detail.

    A database that is there, though without rows or with a key that does not hold, falls short of nothing.
    """
    groups: dict[tuple[str, Reason], list[LeftOut]] = {}
    for record in records:
        if record.example or record.reason not in ("broken key", "no rows"):
            groups.setdefault((record.database, record.reason), []).append(record)
    return [
        Shortfall(
            catalog=database,
            subtype="",
            asked=sum(record.example for record in found),
            made=0,
            reason=f"{reason}: {found[0].where}: {found[0].detail}".rstrip(": ")
            + (f", and {len(found) - 1} more in {LEFT_OUT}" if len(found) > 1 else ""),
        )
        for (database, reason), found in groups.items()
    ]


def encode_left_out(records: Iterable[LeftOut]) -> bytes:
    """Return the bytes of the file."""
    return b"".join(msgspec.json.encode(record) + b"\n" for record in records)


def read_left_out(question_set: QuestionSet) -> list[LeftOut]:
    """Return what did not become a question of a set.

    Raises:
        KeyError: The set has no such file.
    """
    lines = question_set.read_file(LEFT_OUT).splitlines()
    return [msgspec.json.decode(line, type=LeftOut) for line in lines]
