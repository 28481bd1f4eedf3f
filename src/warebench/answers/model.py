"""The closed set of answers; adding one makes the type checker list every place to extend."""

import math
import re
from typing import Literal

import msgspec

from warebench.answers.label import label

AnswerKind = Literal["boolean", "number", "names", "path", "quantity", "text", "choice", "record", "table"]
"""The kind of answer a question asks for."""

_LETTER = re.compile(r"[A-Z]")


class Boolean(msgspec.Struct, frozen=True, tag="boolean"):
    """Yes or no."""

    value: bool


class Number(msgspec.Struct, frozen=True, tag="number"):
    """A whole number."""

    value: int


class NameSet(msgspec.Struct, frozen=True, tag="names", omit_defaults=True):
    """A set of names, sorted and without duplicates; order does not matter in comparison."""

    names: tuple[str, ...]
    optional: tuple[str, ...] = ()
    """Names neither required nor forbidden: target-node normalisation (DW-Bench, section 5.1)."""


class Path(msgspec.Struct, frozen=True, tag="path", omit_defaults=True):
    """An ordered path. Gold also carries every edge that lies on some shortest path."""

    nodes: tuple[str, ...]
    steps: tuple[tuple[str, str], ...] = ()
    """Directed steps of all shortest paths, sorted; any chain of them from first to last is right."""


class Quantity(msgspec.Struct, frozen=True, tag="quantity"):
    """A number with the tolerance it is judged with: the larger of `absolute` and `relative * |value|`.

    The file states both tolerances, so that a set means the same under every version's defaults.
    """

    value: float
    """Finite. What is undefined is no answer."""
    relative: float = 1e-4
    """Share of the value by which a reply may be off; the tolerance of a reply does not count."""
    absolute: float = 0.0
    """Amount by which a reply may be off, in the unit of the value."""

    def __post_init__(self) -> None:
        if not math.isfinite(self.value):
            raise ValueError(f"a quantity is finite, not {self.value}")
        if not (0 <= self.relative < 1 and 0 <= self.absolute < math.inf):
            raise ValueError(f"no tolerance: relative {self.relative}, absolute {self.absolute}")


class Text(msgspec.Struct, frozen=True, tag="text", omit_defaults=True):
    """An entity or the value of a cell, compared in its canonical form (`cell.canonical_cell`)."""

    value: str
    accept: tuple[str, ...] = ()
    """Further values that are right too, such as another spelling or a tied entity."""


class Choice(msgspec.Struct, frozen=True, tag="choice"):
    """The letter of one option of a multiple-choice question."""

    letter: str
    """One capital letter, A to Z."""

    def __post_init__(self) -> None:
        if not _LETTER.fullmatch(self.letter):
            raise ValueError(f"a choice is one capital letter, not {self.letter!r}")


Scalar = Boolean | Number | Quantity | Text
"""An answer of one value."""

ScalarKind = Literal["boolean", "number", "quantity", "text"]
"""The kind of a column; of each there is a scalar."""

Cell = bool | int | float | str | None
"""A value of a table; None where there is none."""


class Field(msgspec.Struct, frozen=True):
    """One value of a record. In a reply every value is the text that was stated."""

    name: str
    value: Scalar


class Record(msgspec.Struct, frozen=True, tag="record"):
    """Several values, each under its name."""

    fields: tuple[Field, ...]
    """Names are distinct as `label.label` compares them; their order does not matter."""

    def __post_init__(self) -> None:
        _check_distinct([field.name for field in self.fields], "field")


class Column(msgspec.Struct, frozen=True):
    """A column of a table. In a reply every column is text, and every cell the text that was stated."""

    name: str
    kind: ScalarKind = "text"
    relative: float = 1e-4
    """Tolerances of a quantity, as in `Quantity`; they mean nothing for other kinds."""
    absolute: float = 0.0

    def __post_init__(self) -> None:
        Quantity(0.0, self.relative, self.absolute)


class Table(msgspec.Struct, frozen=True, tag="table"):
    """Rows of values. They count as often as they occur."""

    columns: tuple[Column, ...]
    """Empty in a reply whose rows are lists: their values are read by position."""
    rows: tuple[tuple[Cell, ...], ...]
    ordered: bool = False
    """Whether the order of the rows counts, as in a ranking."""
    key: tuple[str, ...] = ()
    """Columns whose values name a row, no two the same; for partial credit, and none may be a quantity."""

    def __post_init__(self) -> None:
        _check_distinct([column.name for column in self.columns], "column")
        if self.columns and any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"every row has {len(self.columns)} cells, one a column")
        for at, column in enumerate(self.columns):
            wrong = [repr(row[at]) for row in self.rows if not _is_cell(row[at], column.kind)]
            if wrong:
                raise ValueError(f"no {column.kind} in column {column.name}: {wrong[0]}")
        self._check_key()

    def _check_key(self) -> None:
        kinds = {column.name: column.kind for column in self.columns}
        if any(kinds.get(name, "quantity") == "quantity" for name in self.key):
            raise ValueError(f"a key is columns that are no quantities, not {', '.join(self.key)}")
        at = [list(kinds).index(name) for name in self.key]
        if at and len({tuple(row[place] for place in at) for row in self.rows}) < len(self.rows):
            raise ValueError(f"two rows have the same {', '.join(self.key)}")


class Abstain(msgspec.Struct, frozen=True, tag="abstain", omit_defaults=True):
    """No answer is given. As gold: what was asked cannot be determined from what is shown."""

    reason: str = ""
    kind: AnswerKind = "text"
    """Of gold, the kind of answer that the question asks for: its prompt must not give gold away."""


Answer = Boolean | Number | NameSet | Path | Quantity | Text | Choice | Record | Table | Abstain
"""What gold can be."""

Reply = Answer
"""What a model can say."""


def _check_distinct(names: list[str], what: str) -> None:
    labels = [label(name) for name in names]
    if not all(labels) or len(set(labels)) < len(labels):
        raise ValueError(f"every {what} has a name of its own, not {', '.join(map(repr, names))}")


def _is_cell(cell: Cell, kind: ScalarKind) -> bool:
    if cell is None:
        return True
    if kind == "boolean" or isinstance(cell, bool):
        return kind == "boolean" and isinstance(cell, bool)
    if kind == "quantity":
        return isinstance(cell, int | float) and math.isfinite(cell)
    return isinstance(cell, int if kind == "number" else str)
