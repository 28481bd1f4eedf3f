"""Replies as models write them are judged as a fair person would, and docs/replies.md tells the truth."""

import json
import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from warebench.answers.compare import compare
from warebench.answers.model import Answer, AnswerKind
from warebench.answers.parse import Unparsed, kind_of, parse
from warebench.answers.render import render

_FIXTURES = Path(__file__).parents[1] / "fixtures" / "answers"
CASES = [
    json.loads(line)
    for name in ("replies", "written")
    for line in (_FIXTURES / f"{name}.jsonl").read_text("utf-8").splitlines()
]
_REFUSED = "b52 b54 n41 q38 q51 s58 t05 t06 tb25 a46"
REFUSED = set(_REFUSED.split())
"""Right by the fixture, and refused: docs/replies.md says why."""
PAGE = (Path(__file__).parents[2] / "docs" / "replies.md").read_text("utf-8")
ROWS = re.findall(r"^\| (\w+) \| `(.+)` \| (?:`(.+)`|not read) \|$", PAGE, re.MULTILINE)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_reply(case):
    gold = msgspec.convert(case["gold"], Answer)
    reply = parse(case["reply"], kind_of(gold))
    correct = not isinstance(reply, Unparsed) and compare(gold, reply).correct
    assert correct is (case["right"] and case["id"] not in REFUSED)


def test_every_kind_has_a_row() -> None:
    assert {kind for kind, _, _ in ROWS} == set(get_args(AnswerKind))


@pytest.mark.parametrize(("kind", "reply", "want"), ROWS)
def test_row(kind: AnswerKind, reply: str, want: str) -> None:
    read = parse(reply.replace(r"\n", "\n"), kind)
    if want:
        assert not isinstance(read, Unparsed), read
        assert json.loads(render(read))["answer"] == json.loads(want)
    else:
        assert isinstance(read, Unparsed)


def test_the_refused_are_named() -> None:
    section = PAGE.partition("## What is refused")[2]
    assert set(re.findall(r"^\| (\w+\d+) \|", section, re.MULTILINE)) == REFUSED
    assert len(REFUSED) <= 10
