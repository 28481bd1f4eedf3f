import pytest

from warebench.answers.model import Abstain, Boolean, NameSet, Number, Path, Reply
from warebench.answers.render import render


@pytest.mark.parametrize(
    ("reply", "line"),
    [
        (Boolean(True), '{"answer": true}'),
        (Number(-3), '{"answer": -3}'),
        (NameSet(("a", "\u00e9"), optional=("z",)), '{"answer": ["a", "\u00e9"]}'),
        (NameSet(()), '{"answer": []}'),
        (Path(("b", "a"), steps=(("b", "a"),)), '{"answer": ["b", "a"]}'),
        (Abstain("no path"), '{"answer": null}'),
    ],
)
def test_line(reply: Reply, line: str) -> None:
    assert render(reply) == line
