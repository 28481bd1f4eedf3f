import math

import msgspec
import pytest

from warebench.answers.model import (
    Answer,
    Boolean,
    Cell,
    Choice,
    Column,
    Field,
    Number,
    Quantity,
    Record,
    ScalarKind,
    Table,
    Text,
)


@pytest.mark.parametrize(
    ("gold", "line"),
    [
        # Tolerances are always stated, so that no later default changes an old set.
        (Quantity(2.5), '{"type":"quantity","value":2.5,"relative":0.0001,"absolute":0.0}'),
        (Text("a"), '{"type":"text","value":"a"}'),
        (Text("a", accept=("b",)), '{"type":"text","value":"a","accept":["b"]}'),
        (Choice("A"), '{"type":"choice","letter":"A"}'),
        (
            Record((Field("up", Boolean(True)),)),
            '{"type":"record","fields":[{"name":"up","value":{"type":"boolean","value":true}}]}',
        ),
        (
            Table(
                (Column("s"), Column("n", "quantity", 0.0, 0.5)), (("SP", 5.0), ("RJ", None)), True, ("s",)
            ),
            '{"type":"table","columns":[{"name":"s","kind":"text","relative":0.0001,"absolute":0.0},'
            '{"name":"n","kind":"quantity","relative":0.0,"absolute":0.5}],'
            '"rows":[["SP",5.0],["RJ",null]],"ordered":true,"key":["s"]}',
        ),
    ],
)
def test_json(gold: Answer, line: str) -> None:
    assert msgspec.json.encode(gold).decode() == line
    assert msgspec.json.decode(line, type=Answer) == gold


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_quantity_is_finite(value: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        Quantity(value)


@pytest.mark.parametrize(
    ("relative", "absolute"), [(-0.1, 0), (1.0, 0), (0, -1), (math.nan, 0), (0, math.inf)]
)
def test_a_tolerance_is_a_small_share_or_an_amount(relative: float, absolute: float) -> None:
    with pytest.raises(ValueError, match="tolerance"):
        Quantity(1.0, relative, absolute)


@pytest.mark.parametrize("letter", ["", "a", "AB", "1", "\u00c4", "A\n"])
def test_a_choice_is_one_capital_letter(letter: str) -> None:
    with pytest.raises(ValueError, match="capital letter"):
        Choice(letter)


def test_files_are_checked_too() -> None:
    with pytest.raises(msgspec.ValidationError, match="capital letter"):
        msgspec.json.decode('{"type":"choice","letter":"b"}', type=Choice)


@pytest.mark.parametrize("names", [("a", "A"), ("a b", "a_b"), ("a", ""), ("**a**", "a")])
def test_names_are_distinct_as_they_are_compared(names: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="name of its own"):
        Record(tuple(Field(name, Number(1)) for name in names))
    with pytest.raises(ValueError, match="name of its own"):
        Table(tuple(map(Column, names)), ())


@pytest.mark.parametrize(
    ("kind", "cell"),
    [("number", 1.5), ("number", True), ("boolean", 1), ("text", 1), ("text", False), ("quantity", math.nan),
     ("quantity", "1"), ("quantity", False)],
)  # fmt: skip
def test_cells_are_of_their_columns_kind(kind: ScalarKind, cell: Cell) -> None:
    with pytest.raises(ValueError, match=f"no {kind} in column a"):
        Table((Column("a", kind),), ((cell,),))


@pytest.mark.parametrize("key", [("b",), ("c",), ("a",)])
def test_a_key_names_rows(key: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"key is columns|same a"):
        Table((Column("a"), Column("b", "quantity")), (("x", 1.0), ("x", 2.0)), key=key)


def test_rows_are_as_wide_as_the_table() -> None:
    with pytest.raises(ValueError, match="2 cells"):
        Table((Column("a"), Column("b")), (("x",),))
