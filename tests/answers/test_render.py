import pytest

from warebench.answers.model import (
    Abstain,
    Boolean,
    Choice,
    Column,
    Field,
    NameSet,
    Number,
    Path,
    Quantity,
    Record,
    Reply,
    Table,
    Text,
)
from warebench.answers.render import render


@pytest.mark.parametrize(
    ("reply", "line"),
    [
        (Boolean(True), '{"answer": true}'),
        (Number(-3), '{"answer": -3}'),
        (NameSet(("a", "\u00e9"), optional=("z",)), '{"answer": ["a", "\u00e9"]}'),
        (NameSet(()), '{"answer": []}'),
        (Path(("b", "a"), steps=(("b", "a"),)), '{"answer": ["b", "a"]}'),
        (Quantity(12.5, relative=0.1), '{"answer": 12.5}'),
        (Quantity(-1e-7), '{"answer": -1e-07}'),
        (Quantity(0.1 + 0.2), '{"answer": 0.30000000000000004}'),
        (Text('a "b"', accept=("c",)), '{"answer": "a \\"b\\""}'),
        (Choice("B"), '{"answer": "B"}'),
        (Record((Field("a", Quantity(1.5)), Field("b", Boolean(True)))), '{"answer": {"a": 1.5, "b": true}}'),
        (
            Table((Column("a"), Column("b", "number")), (("x", 1), (None, 2))),
            '{"answer": [{"a": "x", "b": 1}, {"a": null, "b": 2}]}',
        ),
        (Table((), (("x", "1"), ("y", None))), '{"answer": [["x", "1"], ["y", null]]}'),
        (Abstain("no path"), '{"answer": null}'),
    ],
)
def test_line(reply: Reply, line: str) -> None:
    assert render(reply) == line
