"""Replies as models write them: each is accepted or refused as a fair person would."""

import json
from pathlib import Path

import msgspec
import pytest

from warebench.answers.compare import compare
from warebench.answers.model import Answer
from warebench.answers.parse import Unparsed, kind_of, parse

_FIXTURES = Path(__file__).parents[1] / "fixtures" / "answers"
CASES = [
    json.loads(line)
    for name in ("replies", "written")
    for line in (_FIXTURES / f"{name}.jsonl").read_text("utf-8").splitlines()
]
_REFUSED = "b52 b54 n41 q38 q51 s58 t05 t06 tb25 a46"
REFUSED = set(_REFUSED.split())
"""Right by the fixture, and refused: docs/replies.md says why."""


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_reply(case):
    gold = msgspec.convert(case["gold"], Answer)
    reply = parse(case["reply"], kind_of(gold))
    correct = not isinstance(reply, Unparsed) and compare(gold, reply).correct
    assert correct is (case["right"] and case["id"] not in REFUSED)
