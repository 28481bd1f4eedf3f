"""Replies as models write them: each is accepted or refused as a fair person would."""

import json
from pathlib import Path

import msgspec
import pytest

from warebench.answers.compare import compare
from warebench.answers.model import Answer
from warebench.answers.parse import Unparsed, kind_of, parse

_FIXTURE = Path(__file__).parents[1] / "fixtures" / "answers" / "replies.jsonl"
CASES = [json.loads(line) for line in _FIXTURE.read_text("utf-8").splitlines()]
_REFUSED = """b52 b54 n41 n58 q38 q51 s36 s37 s55 s58 t05 t06 t47 c47 r10 r11 tb12 tb13 tb19 tb22 tb25 a46
a136 a139 a140"""
REFUSED = set(_REFUSED.split())
"""Right by the fixture, and refused: forms not read yet, or that nobody can tell from another value."""


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_reply(case):
    gold = msgspec.convert(case["gold"], Answer)
    reply = parse(case["reply"], kind_of(gold))
    correct = not isinstance(reply, Unparsed) and compare(gold, reply).correct
    assert correct is (case["right"] and case["id"] not in REFUSED)
