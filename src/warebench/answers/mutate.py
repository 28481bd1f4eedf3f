"""Seeded wrong answers the comparator must reject and right ones it must accept."""

import random
from collections import Counter
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import assert_never

from warebench.answers.canonical import canonical
from warebench.answers.compare import compare
from warebench.answers.model import (
    Abstain,
    Answer,
    Boolean,
    Choice,
    NameSet,
    Number,
    Path,
    Quantity,
    Record,
    Reply,
    Table,
    Text,
)
from warebench.answers.nearby import (
    choice_wordings,
    quantity_wordings,
    right_quantities,
    right_texts,
    text_wordings,
    wrong_choices,
    wrong_quantities,
    wrong_texts,
)
from warebench.answers.nearby_rows import (
    composite_wordings,
    right_records,
    right_tables,
    wrong_records,
    wrong_tables,
)
from warebench.answers.parse import Unparsed, kind_of, parse
from warebench.answers.render import render


def mutations(gold: Answer, names: Collection[str], seed: int) -> tuple[Reply, ...]:
    """Return distinct wrong replies; a comparator that accepts one is broken.

    Args:
        gold: The answer to spoil.
        names: Every table name of the catalog; names to add are drawn from it.
        seed: Chooses which name or row is dropped, added or replaced.
    """
    rng = random.Random(seed)  # noqa: S311 - reproducible choice, not a secret
    match gold:
        case Boolean() | Number() | Choice():
            wrong = _wrong_values(gold)
        case NameSet():
            wrong = _wrong_sets(gold, names, rng)
        case Path():
            wrong = _wrong_paths(gold, names, rng)
        case Quantity():
            wrong = wrong_quantities(gold)
        case Text():
            wrong = wrong_texts(gold)
        case Record():
            wrong = wrong_records(gold)
        case Table():
            wrong = wrong_tables(gold, rng)
        case Abstain():
            return _definite(names)
        case _:
            assert_never(gold)
    return tuple(dict.fromkeys((*wrong, Abstain())))


def equivalents(gold: Answer, names: Collection[str], seed: int) -> tuple[Reply, ...]:
    """Return distinct right replies, gold first; a comparator that rejects one is broken.

    Args:
        gold: The answer to restate.
        names: Every table name of the catalog, to find the short names that are unique in it.
        seed: Chooses the order names or rows are shuffled into.
    """
    rng = random.Random(seed)  # noqa: S311 - reproducible choice, not a secret
    match gold:
        case Boolean() | Number() | Choice():
            return (gold,)
        case Abstain():
            return tuple(dict.fromkeys((gold, Abstain(), Abstain("unknown"), Text("cannot be determined"))))
        case Quantity():
            return tuple(dict.fromkeys((gold, *right_quantities(gold))))
        case Text():
            return tuple(dict.fromkeys((gold, *right_texts(gold))))
        case Record():
            return tuple(dict.fromkeys((gold, *right_records(gold))))
        case Table():
            return tuple(dict.fromkeys((gold, *right_tables(gold, rng))))
        case NameSet():
            told = tuple(NameSet(spelled) for spelled in _restated_sets(gold, names, rng))
            return tuple(dict.fromkeys((gold, *told)))
        case Path():
            spelled = [*_spellings(gold.nodes, names), *_tied_paths(gold)]
            return tuple(dict.fromkeys((gold, *map(Path, spelled))))
        case _:
            assert_never(gold)


def wordings(gold: Answer) -> tuple[str, ...]:
    """Return texts that state gold; a parser that does not read gold from one is broken.

    A text that is no answer by itself, such as `I don't know`, cannot be told and fails here. Of
    booleans, numbers, name sets and paths none are returned: their texts stand in the tests.
    """
    match gold:
        case Boolean() | Number() | NameSet() | Path():
            return ()
        case Quantity():
            return (render(gold), *quantity_wordings(gold))
        case Text():
            return (render(gold), *text_wordings(gold))
        case Choice():
            return (render(gold), *choice_wordings(gold))
        case Record() | Table():
            return (render(gold), *composite_wordings(gold))
        case Abstain():
            return (render(gold), '{"answer": "cannot be determined"}', "Answer: I cannot determine this.")
        case _:
            assert_never(gold)


def self_check(gold: Answer, names: Collection[str], seed: int) -> tuple[str, ...]:
    """Return one sentence per mutation accepted, equivalent rejected or wording misread; else none.

    Args:
        gold: The answer of a question.
        names: Every table name of its catalog.
        seed: Seed of the replies tried.
    """
    right = [(reply, True) for reply in equivalents(gold, names, seed)]
    wrong = [(reply, False) for reply in mutations(gold, names, seed)]
    judged = [(reply, truth, compare(gold, reply, names=names)) for reply, truth in right + wrong]
    faults = tuple(
        f"{'rejected an equivalent' if truth else 'accepted a mutation'}: {reply} ({verdict.explanation})"
        for reply, truth, verdict in judged
        if verdict.correct is not truth
    )
    return faults + tuple(fault for text in wordings(gold) if (fault := _misread(gold, text)))


def _misread(gold: Answer, text: str) -> str:
    reply = parse(text, kind_of(gold))
    if isinstance(reply, Unparsed):
        return f"misread a wording: {text!r} ({reply.reason})"
    verdict = compare(gold, reply, names=())
    return "" if verdict.correct else f"misread a wording: {text!r} ({verdict.explanation})"


def _definite(names: Collection[str]) -> tuple[Reply, ...]:
    """Return answers: where nothing can be determined, each is wrong, nothing and zero included."""
    told = _sorted(tuple(names))[:2]
    return (
        Boolean(True), Boolean(False), Number(0), Quantity(0.0), NameSet(()), NameSet(told), Path(()),
        Text("none"), Text("0"), Choice("A"), Table((), ()), Record(()),
    )  # fmt: skip


def _wrong_values(gold: Boolean | Number | Choice) -> Iterator[Reply]:
    if isinstance(gold, Boolean):
        return iter((Boolean(not gold.value), Number(int(gold.value)), NameSet(())))
    return _wrong_numbers(gold.value) if isinstance(gold, Number) else wrong_choices(gold)


def _wrong_numbers(value: int) -> Iterator[Reply]:
    yield from (Number(value + 1), Number(value - 1), Number(value * 10 + 7))
    if value:
        yield Number(-value)
    yield Boolean(bool(value))
    yield NameSet((str(value),))


def _wrong_sets(gold: NameSet, names: Collection[str], rng: random.Random) -> Iterator[Reply]:
    free = {canonical(name) for name in gold.optional}
    required = sorted(name for name in gold.names if canonical(name) not in free)
    taken = free | {canonical(name) for name in gold.names}
    known = gold.names + gold.optional
    # One more than gold has, so that one at least is foreign wherever the catalog has more tables.
    drawn = rng.sample(_sorted(tuple(names)), min(len(names), len(known) + 1))
    foreign = [name for name in drawn if canonical(name) not in taken]
    strangers = [_absent(names, known), *foreign[:1]]
    yield Path(gold.names)
    for stranger in strangers:
        yield NameSet((*gold.names, stranger))
    if required:
        yield NameSet(())
        yield NameSet(gold.optional)
        dropped = canonical(rng.choice(required))
        # Without every spelling of it, else the set would still hold the table.
        rest = tuple(name for name in gold.names if canonical(name) != dropped)
        yield NameSet(rest)
        yield from (NameSet((*rest, stranger)) for stranger in strangers)


def _wrong_paths(gold: Path, names: Collection[str], rng: random.Random) -> Iterator[Reply]:
    nodes = gold.nodes
    stranger = _absent(names, nodes)
    yield from (NameSet(nodes), Path((*nodes, stranger)), Path((stranger, *nodes)))
    if not nodes:
        return
    at = rng.randrange(len(nodes))
    yield from (Path(()), Path(nodes[:-1]), Path(nodes[1:]), Path((nodes[0], *nodes)))
    yield Path(nodes[:at] + nodes[at + 1 :])
    yield Path((*nodes[:at], stranger, *nodes[at + 1 :]))
    spelled = [canonical(node) for node in nodes]
    if spelled != spelled[::-1]:
        yield Path(nodes[::-1])
    if len(set(spelled)) == len(spelled) >= 4:
        # Every step leads one hop further from the start, so no shortest path has these two swapped.
        yield Path((nodes[0], nodes[2], nodes[1], *nodes[3:]))


def _absent(names: Collection[str], known: tuple[str, ...]) -> str:
    """Return a name that is no table, nor the unqualified end of one."""
    holders = _holders(tuple(names))
    ends = {_last_part(name) for name in known}
    number = 0
    while holders[f"absent_table_{number}"] or f"absent_table_{number}" in ends:
        number += 1
    return f"absent_table_{number}"


def _restated_sets(gold: NameSet, names: Collection[str], rng: random.Random) -> Iterator[tuple[str, ...]]:
    yield from _spellings(gold.names, names)
    yield gold.names[::-1]
    shuffled = list(gold.names)
    rng.shuffle(shuffled)
    yield tuple(shuffled)
    yield gold.names + gold.names
    yield gold.names + gold.optional
    free = {canonical(name) for name in gold.optional}
    yield tuple(name for name in gold.names if canonical(name) not in free)


def _spellings(said: tuple[str, ...], names: Collection[str]) -> Iterator[tuple[str, ...]]:
    for cased in (str.upper, str.lower, str.swapcase):
        yield tuple(_recased(name, cased(name)) for name in said)
    for opening, closing in ('""', "``", "[]", "''"):
        yield tuple(f"{opening}{name}{closing}" for name in said)
        yield tuple(".".join(f"{opening}{part}{closing}" for part in name.split(".")) for name in said)
    yield tuple(f"  {name} " for name in said)
    holders = _holders(tuple(names))
    # The last part names a table as well as its full name does where no other table ends with it.
    yield tuple(_last_part(name) if holders[_last_part(name)] == 1 else name for name in said)


def _recased(name: str, other: str) -> str:
    # A few letters (dotless i) change for good when their case is changed.
    return other if canonical(other) == canonical(name) else name


def _last_part(name: str) -> str:
    return canonical(name).rsplit(".", maxsplit=1)[-1]


@lru_cache(maxsize=16)
def _holders(names: tuple[str, ...]) -> Counter[str]:
    """Count the tables that end with each last part."""
    return Counter(spelled.rsplit(".", maxsplit=1)[-1] for spelled in {canonical(name) for name in names})


@lru_cache(maxsize=16)
def _sorted(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(names))


def _tied_paths(gold: Path) -> Iterator[tuple[str, ...]]:
    """Yield the first and the last tied path in name order."""
    for last in (False, True):
        walked = list(gold.nodes[:1])
        for _ in gold.nodes[1:]:
            onward = sorted(end for start, end in gold.steps if start == walked[-1])
            if not onward:
                break
            walked.append(onward[-1 if last else 0])
        if walked[-1:] == list(gold.nodes[-1:]) and len(walked) == len(gold.nodes):
            yield tuple(walked)
