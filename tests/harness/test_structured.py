import pytest
from inspect_ai.model import ChatMessageUser
from msgspec.structs import replace
from tests.harness.tiny import SHOP, tiny_set

from warebench.answers.compare import compare
from warebench.answers.model import Answer, Boolean, Column, Field, Number, Quantity, Record, Table, Text
from warebench.answers.outcome import AnswerKind
from warebench.answers.parse import Unparsed, kind_of, parse
from warebench.harness.current import Asked, set_current
from warebench.harness.models.policy import chance, oracle
from warebench.harness.structured import answer_schema

SCALAR = {"anyOf": [{"type": kind} for kind in ("string", "number", "boolean", "null")]}
OBJECT = {"type": "object", "additionalProperties": SCALAR}

RECORD = Record(
    (Field("up", Boolean(True)), Field("n", Number(3)), Field("x", Quantity(1.5)), Field("name", Text("a")))
)
TABLE = Table(
    (Column("name"), Column("n", "number"), Column("ok", "boolean")), (("a", 1, True), ("b", 2, None))
)


@pytest.mark.parametrize(
    ("kind", "value"),
    [("record", OBJECT), ("table", {"type": "array", "items": OBJECT}), ("number", {"type": "integer"})],
)
def test_schema(kind: AnswerKind, value: dict[str, object]) -> None:
    schema = answer_schema(kind).json_schema.model_dump(exclude_none=True)
    assert schema == {
        "type": "object",
        "properties": {"answer": {"anyOf": [value, {"type": "null"}]}},
        "required": ["answer"],
        "additionalProperties": False,
    }


@pytest.mark.parametrize("gold", [RECORD, TABLE], ids=["record", "table"])
def test_policies_answer_records_and_tables(gold: Answer) -> None:
    question = replace(tiny_set().questions[0], gold=gold)
    set_current(Asked(question=question, names=SHOP.table_names))
    shown = [ChatMessageUser(content="customers, orders")]
    told = parse(oracle(shown, [], question).text, kind_of(gold))
    assert not isinstance(told, Unparsed)
    assert compare(gold, told).correct
    read = parse(chance(shown, [], question).text, kind_of(gold))
    match read:
        case Record(fields):
            assert [field.name for field in fields] == ["up", "n", "x", "name"]
            assert fields[3].value in (Text("customers"), Text("orders"))
        case Table(columns, rows):
            assert [column.name for column in columns] == ["name", "n", "ok"]
            assert len(rows) == 2
        case _:
            raise AssertionError(read)
