"""Every prompt a model reads, for one small catalog.

`python -m tests.topology.test_methods_prompts` writes the snapshot anew.
"""

import json
from functools import cache
from pathlib import Path

import msgspec
import pytest
from tests.topology.sample import CATALOG

from warebench.answers.model import Boolean, NameSet, Number
from warebench.answers.model import Path as Route
from warebench.catalog.render import to_text
from warebench.errors import RunError
from warebench.tracks.topology.build import Options, build
from warebench.tracks.topology.methods import METHODS, find_method, prompts
from warebench.tracks.topology.methods.settings import Settings
from warebench.tracks.topology.methods.subject import answer_kind
from warebench.tracks.topology.methods.tools import TOOLS, describe, describe_parameters
from warebench.tracks.topology.methods.view import SchemaView
from warebench.tracks.topology.semantics import DEFAULT
from warebench.tracks.topology.track import METHODS as TRACK_METHODS

SNAPSHOT = Path(__file__).parents[1] / "snapshots" / "topology" / "prompts.md"
ONE_OF_EACH_KIND = ("direct_fk", "hop_count", "forward", "join_path", "count")
PAPER = Settings()
OTHER_GOLD = (Boolean(True), Boolean(False), Number(77), NameSet(("lonely",)), Route(("lonely", "region")))


@cache
def questions():
    return build([CATALOG], Options(size=1)).questions


def prompt(method, question, settings=PAPER):
    context = METHODS[method].context(SchemaView(CATALOG), question, settings)
    return prompts.user_prompt(context, question.text, answer_kind(question))


def render():
    asked = {question.subtype: question for question in questions()}
    parts = [f"# System\n\n{prompts.SYSTEM}"]
    parts += [
        f"# {method}: {subtype}\n\n{prompt(method, asked[subtype])}"
        for method in METHODS
        for subtype in (ONE_OF_EACH_KIND if method in ("flat_text", "oracle") else ("forward", "count"))
    ]
    parts += [
        "\n".join(
            [
                f"# Tool {name}\n\n{describe(name, DEFAULT)}",
                *(f"- {p}: {t}" for p, t in describe_parameters(name, DEFAULT).items()),
            ]
        )
        for name in TOOLS
    ]
    return "\n\n".join(parts) + "\n"


def test_prompts_are_the_ones_reviewed():
    assert render() == SNAPSHOT.read_text(encoding="utf-8")


@pytest.mark.parametrize("method", [name for name in METHODS if name != "oracle"])
def test_no_prompt_depends_on_gold(method):
    for question in questions()[::9]:
        for gold in OTHER_GOLD:
            forged = msgspec.structs.replace(question, gold=gold)
            assert prompt(method, forged) == prompt(method, question)


def test_oracle_shows_gold_and_no_schema():
    question = next(q for q in questions() if q.subtype == "join_path")
    shown = prompt("oracle", question)
    assert shown.startswith(f"Algorithm output: {json.dumps(question.gold.nodes)}\n")
    assert "<schema>" not in shown


def test_neighbourhood_is_cut_at_its_radius():
    question = msgspec.structs.replace(questions()[0], text="Which tables derive directly from `raw_b`? ...")
    near = prompt("graph_augmented", question, Settings(hops=1))
    assert "stage derives from raw_b" in near
    assert "mart derives from stage" not in near
    assert "mart derives from stage" in prompt("graph_augmented", question, Settings(hops=2))
    assert "references" not in prompt("graph_augmented", question, Settings(hops=9))


def test_without_a_mention_the_whole_schema_is_shown():
    question = next(q for q in questions() if q.subtype == "count")
    assert prompt("graph_augmented", question) == prompt("flat_text", question)


def test_the_track_lists_these_methods():
    assert tuple(METHODS) == tuple(TRACK_METHODS)


def test_kind_of_answer_is_known_without_gold():
    for question in questions():
        assert answer_kind(question) in prompts.FORMATS


@pytest.mark.parametrize("budget", [{"k": 0}, {"hops": -1}, {"calls": -1}, {"rounds": -1}])
def test_impossible_budgets_are_refused(budget):
    with pytest.raises(RunError, match="must be at least"):
        Settings(**budget)


def test_unknown_methods_are_refused():
    with pytest.raises(RunError, match=r"unknown method `flat_txt`\n  fix: Did you mean `flat_text`"):
        find_method("flat_txt")


if __name__ == "__main__":
    SNAPSHOT.write_text(render(), encoding="utf-8")


def test_a_part_reads_as_the_restricted_catalog():
    tables = list(CATALOG.table_names)
    for size in range(1, len(tables) + 1):
        for part in (tables[:size], tables[-size:]):
            assert SchemaView(CATALOG).part(part) == to_text(CATALOG, tables=part)
