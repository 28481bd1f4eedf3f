"""Every example in a docstring says what really happens."""

import doctest
import importlib
from pathlib import Path

import pytest

import warebench

SOURCE = Path(warebench.__file__).parent


def modules() -> list[str]:
    """Return the names of the modules whose source holds an example."""
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        if ">>>" in path.read_text(encoding="utf-8"):
            parts = path.relative_to(SOURCE.parent).with_suffix("").parts
            found.append(".".join(parts).removesuffix(".__init__"))
    return found


@pytest.mark.parametrize("name", modules())
def test_examples(name: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(name))
    assert tried, "its example stands in no docstring"
    assert failed == 0
