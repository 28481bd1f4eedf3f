"""What equal means: the only place that decides whether a reply is right."""

from collections import Counter
from collections.abc import Collection, Set
from functools import lru_cache
from itertools import pairwise
from typing import Literal, assert_never

import msgspec

from warebench.answers.canonical import canonical
from warebench.answers.label import label
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
from warebench.answers.rows import match_rows
from warebench.answers.scalar import is_right
from warebench.answers.tolerance import is_within
from warebench.answers.words import is_abstention

Reason = Literal[
    "equal",
    "alternative path",
    "rightly abstained",
    "abstained",
    "kind mismatch",
    "wrong value",
    "outside tolerance",
    "missing names",
    "extra names",
    "missing and extra names",
    "reversed path",
    "wrong path",
    "missing fields",
    "wrong fields",
    "missing rows",
    "extra rows",
    "missing and extra rows",
    "wrong order",
]
"""Why a verdict is what it is; the first three are right, the others wrong."""

SHOWN_NAMES = 10
"""Names an explanation lists before it says how many more there are."""

SHOWN_CHARACTERS = 80
"""Characters of a text that an explanation shows."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The judgement of one reply."""

    correct: bool
    f1: float
    """In [0, 1]: 1 or 0 for single values, set F1 for lists, share of right fields, F1 over rows."""
    reason: Reason
    explanation: str


def compare(gold: Answer, reply: Reply, *, names: Collection[str] = ()) -> Verdict:
    """Judge a reply against gold.

    Booleans and numbers must have equal type and value. Name sets must be equal once canonical and
    once `gold.optional` is taken from both; so an empty gold is right for an empty reply only.
    Paths must be gold's path or another chain of `gold.steps` of that length between its ends.
    Quantities must be within gold's tolerance, texts equal in canonical form to gold's value or one
    it accepts, choices the same letter. Of a record every field of gold must be stated and right by
    those rules; fields that gold lacks do not matter. Of a table the rows must be gold's, each as a
    whole and as often as there, in the same order if gold is ordered; columns that gold lacks do not
    matter. Values of records and tables are read as gold's types. Where gold is an abstention, an
    abstention is right and any answer wrong; everywhere else an abstention is wrong.

    Args:
        gold: The answer of the question.
        reply: What the model said.
        names: Every table name of the catalog. With it, a name that lacks its schema or database
            stands for the one table whose qualified name ends with it, if there is exactly one.

    Returns:
        The verdict. `f1` of a path ignores order (so a reversed path scores 1 there and is wrong),
        and is 1 for every right path, the best over all valid ones; that of a table ignores order too.

    Reference:
        DW-Bench, section 5.1 (target-node normalisation) and Appendix E (scoring).
    """
    if isinstance(reply, Abstain) and not isinstance(gold, Abstain):
        said = f": {reply.reason}" if reply.reason else ""
        return _wrong("abstained", f"no answer was given{said}")
    match gold:
        case Abstain():
            return _compare_abstentions(gold, reply)
        case Boolean() | Number() | Choice():
            return _compare_values(gold, reply)
        case NameSet():
            return _compare_names(gold, reply, names)
        case Path():
            return _compare_paths(gold, reply, names)
        case Quantity():
            return _compare_quantities(gold, reply)
        case Text():
            return _compare_texts(gold, reply)
        case Record():
            return _compare_records(gold, reply)
        case Table():
            return _compare_tables(gold, reply)
        case _:
            assert_never(gold)


def declines(reply: Reply) -> bool:
    """Tell whether a reply gives no answer: an abstention, or a text that is a phrase of one."""
    return isinstance(reply, Abstain) or (isinstance(reply, Text) and is_abstention(reply.value))


def set_f1(left: Set[str], right: Set[str]) -> float:
    """Return the harmonic mean of precision and recall of two sets; 1 for two empty ones.

    Args:
        left: One set of canonical names.
        right: The other; the measure is symmetric.

    Reference:
        DW-Bench, Appendices E and G.
    """
    if not left and not right:
        return 1.0
    return 2 * len(left & right) / (len(left) + len(right))


def _wrong(reason: Reason, explanation: str, f1: float = 0.0) -> Verdict:
    return Verdict(correct=False, f1=f1, reason=reason, explanation=explanation)


def _right(reason: Reason, explanation: str) -> Verdict:
    return Verdict(correct=True, f1=1.0, reason=reason, explanation=explanation)


def _mismatch(gold: Answer, reply: Answer) -> Verdict:
    return _wrong("kind mismatch", f"expected {type(gold).__name__}, got {type(reply).__name__}")


def _compare_abstentions(gold: Abstain, reply: Reply) -> Verdict:
    if declines(reply):
        return _right("rightly abstained", "it cannot be determined, and no answer was given")
    why = f" ({gold.reason})" if gold.reason else ""
    return _wrong("wrong value", f"it cannot be determined{why}, and an answer was given")


def _compare_values(gold: Boolean | Number | Choice, reply: Answer) -> Verdict:
    # By type first: in Python True == 1, here a Boolean never equals a Number.
    if type(gold) is not type(reply) or not isinstance(reply, Boolean | Number | Choice):
        return _mismatch(gold, reply)
    wanted, said = (one.letter if isinstance(one, Choice) else one.value for one in (gold, reply))
    if wanted == said:
        return _right("equal", f"{said} is right")
    return _wrong("wrong value", f"expected {wanted}, got {said}")


def _compare_names(gold: NameSet, reply: Answer, names: Collection[str]) -> Verdict:
    if not isinstance(reply, NameSet):
        return _mismatch(gold, reply)
    optional = {canonical(name) for name in gold.optional}
    wanted = {canonical(name) for name in gold.names} - optional
    said = set(_resolved(reply.names, names)) - optional
    missing, extra = wanted - said, said - wanted
    if not missing and not extra:
        return _right("equal", f"all {len(wanted)} names are right")
    reason: Reason = "missing names" if missing else "extra names"
    if missing and extra:
        reason = "missing and extra names"
    told = [_listed(label, found) for label, found in (("missing", missing), ("extra", extra)) if found]
    return _wrong(reason, "; ".join(told), set_f1(wanted, said))


def _compare_paths(gold: Path, reply: Answer, names: Collection[str]) -> Verdict:
    if not isinstance(reply, Path):
        return _mismatch(gold, reply)
    wanted, said = _resolved(gold.nodes, ()), _resolved(reply.nodes, names)
    if said == wanted:
        return _right("equal", f"the path of {len(wanted)} tables is right")
    if _is_tied(wanted, said, gold.steps):
        return _right("alternative path", f"another shortest path of {len(wanted)} tables")
    f1 = set_f1(set(wanted), set(said))
    if said == wanted[::-1]:
        return _wrong("reversed path", "the path runs from its end to its start", f1)
    return _wrong("wrong path", f"expected {' -> '.join(wanted)}, got {' -> '.join(said)}", f1)


def _compare_quantities(gold: Quantity, reply: Answer) -> Verdict:
    if not isinstance(reply, Quantity):
        return _mismatch(gold, reply)
    if is_within(gold, reply.value):
        return _right("equal", f"{reply.value!r} is within tolerance of {gold.value!r}")
    stated = f"relative {gold.relative:g}, absolute {gold.absolute:g}"
    return _wrong("outside tolerance", f"expected {gold.value!r} ({stated}), got {reply.value!r}")


def _compare_texts(gold: Text, reply: Answer) -> Verdict:
    if not isinstance(reply, Text):
        return _mismatch(gold, reply)
    if is_right(gold, reply.value):
        return _right("equal", f"{_shown(reply.value)} is right")
    reason: Reason = "abstained" if declines(reply) else "wrong value"
    return _wrong(reason, f"expected {_shown(gold.value)}, got {_shown(reply.value)}")


def _shown(value: str) -> str:
    return repr(value if len(value) <= SHOWN_CHARACTERS else f"{value[:SHOWN_CHARACTERS]}\u2026")


def _compare_records(gold: Record, reply: Answer) -> Verdict:
    if not isinstance(reply, Record):
        return _mismatch(gold, reply)
    said = {label(field.name): field.value.value for field in reply.fields}
    missing = {field.name for field in gold.fields if label(field.name) not in said}
    wrong = {
        field.name
        for field in gold.fields
        if field.name not in missing and not is_right(field.value, said[label(field.name)])
    }
    if not missing and not wrong:
        return _right("equal", f"all {len(gold.fields)} fields are right")
    told = [_listed(what, found) for what, found in (("missing", missing), ("wrong", wrong)) if found]
    share = 1 - len(missing | wrong) / len(gold.fields)
    return _wrong("missing fields" if missing else "wrong fields", "; ".join(told), share)


def _compare_tables(gold: Table, reply: Answer) -> Verdict:
    if not isinstance(reply, Table):
        return _mismatch(gold, reply)
    match = match_rows(gold, reply)
    missing, extra = len(gold.rows) - match.matched, match.said - match.matched
    if not missing and not extra:
        if match.in_order or not gold.ordered:
            return _right("equal", f"all {match.matched} rows are right")
        return _wrong("wrong order", f"all {match.matched} rows are right, but not their order", 1.0)
    reason: Reason = "missing rows" if missing else "extra rows"
    if missing and extra:
        reason = "missing and extra rows"
    f1 = 2 * match.matched / (len(gold.rows) + match.said)
    return _wrong(reason, f"of {len(gold.rows)} rows {missing} are missing; {extra} are too many", f1)


def _is_tied(wanted: tuple[str, ...], said: tuple[str, ...], steps: tuple[tuple[str, str], ...]) -> bool:
    if not wanted or len(wanted) != len(said) or (wanted[0], wanted[-1]) != (said[0], said[-1]):
        return False
    # A path of one table has no step to check; equal ends made it equal already.
    allowed = {(canonical(start), canonical(end)) for start, end in steps}
    return all(step in allowed for step in pairwise(said))


def _listed(label: str, found: Set[str]) -> str:
    shown = ", ".join(sorted(found)[:SHOWN_NAMES])
    more = len(found) - SHOWN_NAMES
    return f"{label}: {shown}" + (f" and {more} more" if more > 0 else "")


def _resolved(said: tuple[str, ...], names: Collection[str]) -> tuple[str, ...]:
    spelled = tuple(canonical(name) for name in said)
    if not names:
        return spelled
    full_names = _unique_suffixes(tuple(names))
    return tuple(full_names.get(name, name) for name in spelled)


@lru_cache(maxsize=16)
def _unique_suffixes(names: tuple[str, ...]) -> dict[str, str]:
    """Map every dotted suffix that only one table has to that table, and each full name to itself."""
    full_names = {canonical(name) for name in names}
    pairs = [(suffix, name) for name in full_names for suffix in _suffixes(name)]
    holders = Counter(suffix for suffix, _ in pairs)
    unique = {suffix: name for suffix, name in pairs if holders[suffix] == 1}
    # A full name means itself even where it is also the end of a longer one.
    return unique | {name: name for name in full_names}


def _suffixes(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[start:]) for start in range(1, len(parts))]
