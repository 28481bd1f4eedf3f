import math

import msgspec
import pytest

from warebench.answers.model import Answer, Choice, Quantity, Text


@pytest.mark.parametrize(
    ("gold", "line"),
    [
        # Tolerances are always stated, so that no later default changes an old set.
        (Quantity(2.5), '{"type":"quantity","value":2.5,"relative":0.0001,"absolute":0.0}'),
        (Text("a"), '{"type":"text","value":"a"}'),
        (Text("a", accept=("b",)), '{"type":"text","value":"a","accept":["b"]}'),
        (Choice("A"), '{"type":"choice","letter":"A"}'),
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
