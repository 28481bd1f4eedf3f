"""The guard of texts that a model wrote: nothing that fixes gold may be lost, and nothing may be added.

A question's gold depends on its days, its population, its threshold, which rules apply and the answer format.
A model may phrase all around them; these words themselves have to stand in every text.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from warebench.tracks.intelligence.judge.model import Dismissed, Draft

NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
LONGEST = 2.5
"""A text may be so many times as long as the first one."""


def find_losses(draft: Draft, text: str) -> list[str]:
    """Return why a text may not stand in for the draft's own; empty when it may.

    Args:
        draft: The task, with its own text.
        text: Another text for it.
    """
    return [*_missing(draft, text), *_added(draft, text), *_shape(draft, text)]


def dismiss_text(draft: Draft, text: str, losses: Sequence[str], failed: tuple[str, ...] = ()) -> Dismissed:
    """Return a draft that is dismissed for what another text loses or adds, counted by the kind of loss."""
    kinds = dict.fromkeys(loss.partition(":")[0] for loss in losses)
    return Dismissed(
        draft=replace(draft, text=text), reason=", ".join(kinds), detail="; ".join(losses), failed=failed
    )


def _missing(draft: Draft, text: str) -> Iterator[str]:
    plain = _plain(text)
    for words in draft.must_contain:
        if _plain(words) not in plain:
            yield f"the text no longer says: {words}"


def _added(draft: Draft, text: str) -> Iterator[str]:
    """Any number that was not there may be the answer, or another threshold."""
    known = set(NUMBER.findall(draft.text))
    for number in dict.fromkeys(NUMBER.findall(text)):
        if number not in known:
            yield f"the text has a new number: {number}"


def _shape(draft: Draft, text: str) -> Iterator[str]:
    if not text.strip():
        yield "the text is empty"
    elif len(text) > LONGEST * len(draft.text):
        yield f"the text is more than {LONGEST:g} times as long"
    gold = _plain(draft.gold)
    if len(gold) > 2 and gold in _plain(text) and gold not in _plain(draft.text):
        yield "the text contains the answer"


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
