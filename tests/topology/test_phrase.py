"""Every question text, as a model sees it; a change here changes the benchmark."""

from pathlib import Path

import pytest

from warebench.tracks.topology.phrase import TEMPLATES, phrase, quote
from warebench.tracks.topology.semantics import DEFAULT, PAPER

SNAPSHOT = Path(__file__).parents[1] / "snapshots" / "topology" / "questions.md"
PAIRS = ("direct_fk", "join_path", "hop_count", "hop_count.lineage", "connected")
NONE = ("count", "count.silos_at_least")


def render() -> str:
    lines = []
    for title, semantics in (("default", DEFAULT), ("paper", PAPER)):
        lines.append(f"# {title}\n")
        for name in TEMPLATES:
            subtype, _, variant = name.partition(".")
            subjects = () if name in NONE else ("sales.order", "customer") if name in PAIRS else ("customer",)
            lines.append(f"**{name}**: {phrase(subtype, variant, subjects, semantics, {'k': 3})}\n")
    return "\n".join(lines)


def test_texts():
    assert render() == SNAPSHOT.read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "quoted"), [("a b", "`a b`"), ("a`b", "`a``b`"), ("ä.ß", "`ä.ß`")])
def test_names_are_quoted(name, quoted):
    assert quote(name) == quoted
