"""Two builds of a set side by side: which questions stayed, changed, went and came."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from warebench.answers.render import render
from warebench.errors import SetError
from warebench.questions.model import Manifest, Question, QuestionSet

Status = Literal["kept", "changed", "retired", "new"]
"""Same text and gold; same fact under another text or gold; gone; not there before."""

STATUSES: tuple[Status, ...] = ("kept", "changed", "retired", "new")

Identity = tuple[str, ...]


class Change(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of one question."""

    status: Status
    catalog: str
    subtype: str
    variant: str = ""
    tier: str = ""
    """Facet `tier`, where the track has one."""
    what: tuple[str, ...] = ()
    """Of a changed question: text, options, gold, comparison."""
    old_id: str = ""
    new_id: str = ""
    text: str
    """The new text; of a retired question the old one."""
    old_gold: str = ""
    """As a model would state it."""
    new_gold: str = ""


class InputChange(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one thing that questions are made from."""

    kind: Literal["catalog", "database", "file"]
    name: str
    status: Literal["changed", "retired", "new"]


class Diff(msgspec.Struct, frozen=True, kw_only=True):
    """Two builds of one set."""

    changes: tuple[Change, ...]
    """In the order of the new set, then those retired in the order of the old one."""
    inputs: tuple[InputChange, ...]


def diff_questions(old: QuestionSet, new: QuestionSet) -> Diff:
    """Return what became of each question and of what they are made from.

    A question is the same one when catalog, subtype, variant, tier and fact are: the fact is what it turns
    on, whatever its text and gold. Several with one fact are paired by equal content, by equal text, then
    in order.

    Args:
        old: The earlier build.
        new: The later one, of the same track.

    Raises:
        SetError: The sets are of two tracks.
    """
    if old.manifest.track != new.manifest.track:
        raise SetError(
            f"the sets are of two tracks, `{old.manifest.track}` and `{new.manifest.track}`",
            fix="Give two builds of one set.",
        )
    before = _by_identity(old.questions)
    partner: dict[int, Question] = {}
    gone: set[int] = {id(question) for question in old.questions}
    for identity, questions in _by_identity(new.questions).items():
        for one, other in _pairs(before.get(identity, []), questions):
            partner[id(other)] = one
            gone.discard(id(one))
    changes = [_change(partner.get(id(question)), question) for question in new.questions]
    retired = [_change(question, None) for question in old.questions if id(question) in gone]
    return Diff(changes=(*changes, *retired), inputs=tuple(_inputs(old.manifest, new.manifest)))


def _by_identity(questions: Sequence[Question]) -> dict[Identity, list[Question]]:
    groups: dict[Identity, list[Question]] = defaultdict(list)
    for question in questions:
        groups[_identity(question)].append(question)
    return groups


def _identity(question: Question) -> Identity:
    fact = question.fact or question.text
    return question.catalog, question.subtype, question.variant, _tier(question), fact


def _tier(question: Question) -> str:
    return str(question.facets.get("tier", ""))


def _pairs(old: Sequence[Question], new: Sequence[Question]) -> Iterator[tuple[Question, Question]]:
    """Yield the pairs of two lists: first those alike, then those of one text, then the rest in order."""
    left, right = list(old), list(new)
    for key in (_content, lambda question: question.text, lambda question: ""):
        for question in list(right):
            found = next((other for other in left if key(other) == key(question)), None)
            if found is not None:
                left.remove(found)
                right.remove(question)
                yield found, question


def _content(question: Question) -> object:
    return question.text, question.options, question.gold


def _change(old: Question | None, new: Question | None) -> Change:
    shown = new or old
    if shown is None:
        raise ValueError("a change is about a question")
    what = tuple(
        name
        for name in ("text", "options", "gold", "comparison")
        if old and new and getattr(old, name) != getattr(new, name)
    )
    return Change(
        status=("changed" if what else "kept") if old and new else ("new" if new else "retired"),
        catalog=shown.catalog,
        subtype=shown.subtype,
        variant=shown.variant,
        tier=_tier(shown),
        what=what,
        old_id=old.id if old else "",
        new_id=new.id if new else "",
        text=shown.text,
        old_gold=render(old.gold) if old else "",
        new_gold=render(new.gold) if new else "",
    )


def _inputs(old: Manifest, new: Manifest) -> Iterator[InputChange]:
    hashes: tuple[
        tuple[Literal["catalog", "database", "file"], Mapping[str, str], Mapping[str, str]], ...
    ] = (
        ("catalog", old.catalogs, new.catalogs),
        ("database", old.databases, new.databases),
        ("file", old.files, new.files),
    )
    for kind, before, after in hashes:
        for name in sorted({*before, *after}):
            if name not in after:
                yield InputChange(kind=kind, name=name, status="retired")
            elif name not in before:
                yield InputChange(kind=kind, name=name, status="new")
            elif before[name] != after[name]:
                yield InputChange(kind=kind, name=name, status="changed")


def count_changes(diff: Diff) -> dict[str, dict[Status, int]]:
    """Return how many questions of each subtype have each status, subtypes in the order of the changes."""
    counts: dict[str, dict[Status, int]] = {}
    for change in diff.changes:
        of_subtype = counts.setdefault(change.subtype, dict.fromkeys(STATUSES, 0))
        of_subtype[change.status] += 1
    return counts
