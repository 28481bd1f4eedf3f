"""A prompt that comes back as the reply states no answer: the form it asks for is none."""

import re
from pathlib import Path

import pytest

from warebench.answers.model import Abstain, AnswerKind
from warebench.answers.parse import Unparsed, parse

FORMS: dict[str, AnswerKind] = {
    "<true or false>": "boolean",
    "<number>": "number",
    "[<name>, <name>]": "names",
    "<letter>": "choice",
    "<string>": "text",
    "{<key>: <value>, ...}": "record",
    "[{<key>: <value>, ...}, ...]": "table",
}
SNAPSHOTS = Path(__file__).parents[1] / "snapshots"
ORACLES = ("The right answer, found by another program", "Algorithm output")


def _prompts() -> list[tuple[str, str]]:
    """Return the system text of each track before each of its prompts, without those that hold gold."""
    found: list[tuple[str, str]] = []
    for track in ("topology", "multitable", "intelligence"):
        text = (SNAPSHOTS / track / "prompts.md").read_text("utf-8")
        parts = re.split(r"\n(?=# [a-z_]+(?:: \w+)?\n)", text)
        prompts = [part for part in parts[1:] if '{"answer": ' in part]
        kept = [part for part in prompts if not any(mark in part for mark in ORACLES)]
        found += [(f"{track}: {part.split()[1]}", f"{parts[0]}\n{part}") for part in kept]
    return found


PROMPTS = _prompts()


def test_every_track_has_prompts() -> None:
    assert {name.split(":")[0] for name, _ in PROMPTS} == {"topology", "multitable", "intelligence"}


@pytest.mark.parametrize(("name", "prompt"), PROMPTS, ids=[name for name, _ in PROMPTS])
def test_a_prompt_is_no_answer(name: str, prompt: str) -> None:
    forms = [form for form in FORMS if f'{{"answer": {form}}}' in prompt]
    assert forms, name
    kind = FORMS[forms[-1]]
    asked: list[AnswerKind] = ["number", "quantity"] if kind == "number" else [kind]
    for one in [*asked, *(["path"] if kind == "names" else [])]:
        reply = parse(prompt, one)
        # A text may be read from any words; those of the form are no value of a table.
        assert isinstance(reply, Unparsed) or (one == "text" and not isinstance(reply, Abstain)), reply
