import pytest

from warebench.answers.model import Abstain, Boolean, Choice, NameSet, Number, Path, Quantity, Reply, Text
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
        (Abstain("no path"), '{"answer": null}'),
    ],
)
def test_line(reply: Reply, line: str) -> None:
    assert render(reply) == line
