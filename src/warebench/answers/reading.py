"""What a stated value means as an answer of one kind."""

import re
from decimal import Decimal
from typing import Literal, assert_never

from warebench.answers.canonical import canonical
from warebench.answers.cell import unwrapped
from warebench.answers.choice import is_option_list, read_choice
from warebench.answers.composite import read_composite, read_composite_text
from warebench.answers.lenient import Bare, Fault
from warebench.answers.listing import Listing, clean_name, is_elision, read_listing
from warebench.answers.markup import one_line
from warebench.answers.model import Abstain, Boolean, NameSet, Number, Path, Reply, Text
from warebench.answers.nested import Item, Nested, Object
from warebench.answers.outcome import TRUNCATED, AnswerKind, Reading, Unparsed
from warebench.answers.quantity import read_quantity
from warebench.answers.words import CELL_WORDS, MULTIPLIERS, NOT_COUNTS, NOTHING, NUMBERS, is_abstention

_OTHER_KINDS = frozenset(("null", "true", "false", "yes", "no"))
_LARGEST = 2**63 - 1
_LONGEST_NUMBER = 60
_LONGEST_STATEMENT = 2_000

_NUMBER = re.compile(
    r"[-+\u2212]?(?:\d{1,3}(?:[,_'\u2009\u00a0\u202f ]\d{3})++|\d++)(?:\.\d++)?(?:[eE][-+]?\d{1,4})?"
)
_SEPARATORS = re.compile(r"[,_'\u2009\u00a0\u202f ]")
_STATED_NUMBER = re.compile(rf"({_NUMBER.pattern}|[a-z]++(?:-[a-z]++)?)(?=$|\W)(.*)", re.IGNORECASE)
_UNIT = re.compile(r"(?: [a-z]++(?:[-_.][a-z]++)*+(?:\(s\))?){1,8}", re.IGNORECASE)
_IN_WORDS = re.compile(r" ?\(([a-z]++(?:-[a-z]++)?)\)", re.IGNORECASE)
"""The same number again, as in `7 (seven)`."""
_LEAD = re.compile(
    r"\A(?:(?:there (?:are|is|were)|it is|it's|that is|a total of|in total,?|about|around"
    r"|approximately|roughly|exactly|only"
    r"|just|the (?:total )?(?:number|count|total)(?: of [a-z_ `-]{1,60}?)? (?:is|are|was|equals)) "
    r"|[\u2248~=] ?)++",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r" ?\((?!s\))| ?[;:\u2014\u2013]| - |, (?=[^\W\d]|\d+ of (?:which|them|these))|[,.]? (?:because"
    r"|since|as)\b|\. (?:the|this|these|there|it|that|so|i|we)\b",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    rf"\W*+(?:or|maybe|perhaps|possibly|no|not|to|i mean|minus|plus|{'|'.join(MULTIPLIERS)})\b", re.IGNORECASE
)
_OFFER = re.compile(r"\W*+(?:i (?:can|will|would|am happy)|let me|of course|sure)\b", re.IGNORECASE)
_GROUPED = re.compile(r"\d{1,3}(?:\.\d{3}){2,}(?!\d)|\d{1,2}(?:,\d{2})+,\d{3}(?!\d)")
"""Groups that can mean one number only: 1.234.567 and 12,34,567."""
_COUNT = "|".join(sorted(NUMBERS, key=len, reverse=True))
_HUNDREDS = re.compile(
    rf"\A({_COUNT}|a) hundred\b(?:(?: and)? ({_COUNT})\b)?(?! (?:thousand|million|billion|or))", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"\W++$|[,.!] ")
_STATED_BOOLEAN = re.compile(r"(yes|no|true|false)\b(.*)", re.IGNORECASE)
_HEDGE = r"\W*+(?:(?:or|and|but|maybe|perhaps|actually|rather|no|not|so|it|is|only|if|i|mean)\W++){0,4}"
"""What may stand between an answer and another that takes it back."""
_SECOND_BOOLEAN = re.compile(rf"{_HEDGE}(yes|no|true|false)\b(?!\s\w)", re.IGNORECASE)
_SECOND_NUMBER = re.compile(rf"{_HEDGE}(?:\d|(?:{'|'.join(NUMBERS)})\b)", re.IGNORECASE)
_EMPHASIS = str.maketrans("", "", '*`$#"\u201c\u201d\0')
# The label may have taken the first half of the bold mark.
_MARKED = re.compile(
    r"(?:\*\*)?([^*`]++)(\*\*)(?=[ ,:;(\u2014\u2013])(.+)|`([^*`]++)(`)(?=[ ,:;(\u2014\u2013])(.+)"
)
_EMPTY_SET = re.compile(
    r"(?:there (?:are|is) )?no (?:other |such |downstream |upstream )?"
    r"(?:tables?|views?|objects?|models?|datasets?|silos?)"
    r"(?: (?!and\b|but\b|other\b|except\b)[\w`'\".]+){0,12}?[.!]?(?<! except)",
    re.IGNORECASE,
)
"""`No tables derive from it`; behind a comma, `but` or `except` something else may be said."""
_PLACEHOLDER = re.compile(
    r"(?:\.{2,}|\u2026|<[^<>]*+>|(?:true|false|yes|no) ?[/|] ?(?:true|false|yes|no))", re.IGNORECASE
)


def read_stated(value: Nested, kind: AnswerKind) -> Reading:
    """Return what the value of an `answer` key means.

    Args:
        value: A value as `read_value` or, for records and tables, `read_nested` returns it.
        kind: The kind of answer asked for.

    Returns:
        A reply; `Unparsed` for a value that is none of this kind; None for what is no value at all
        (malformed, or a placeholder such as `...`).
    """
    if isinstance(value, Fault):
        return {Fault.TRUNCATED: TRUNCATED, Fault.NESTED: Unparsed("nested value"), Fault.MALFORMED: None}[
            value
        ]
    if not isinstance(value, str):
        if kind == "record" or kind == "table":
            return read_composite(value, kind)
        return Unparsed("nested value") if isinstance(value, Object) else _from_items(value, kind)
    if kind == "text" and not isinstance(value, Bare) and value.strip():
        # A string is the value, whatever it says: `yes/no`, `...` and `I do not know` stand in cells.
        return Text(unwrapped(one_line(value))) if len(value) <= _LONGEST_STATEMENT else _cell(value)
    if is_placeholder(value) or (kind == "choice" and is_option_list(value)):
        return None
    if isinstance(value, Bare) and value.casefold() in ("null", "none"):
        return Abstain()
    return read_text(value, kind) or Unparsed(f"not a {kind} answer: {value[:40]!r}")


def is_placeholder(value: str) -> bool:
    """Tell what stands for a value in a form, such as `<name>` or `...`, from a value."""
    return _PLACEHOLDER.fullmatch(value.strip()) is not None


def read_text(text: str, kind: AnswerKind) -> Reading:
    """Return what a statement in plain words means, such as `yes, because ...` or `A -> B`.

    Args:
        text: The statement, without its label.
        kind: The kind of answer asked for.

    Returns:
        A reply; `Unparsed` for a statement that is ambiguous; None for one that states no answer.
    """
    match kind:
        case "boolean" | "number":
            return _read_short(text[:_LONGEST_STATEMENT], kind)
        case "names" | "path":
            if kind == "names" and _EMPTY_SET.fullmatch(text[:_LONGEST_STATEMENT].strip("*_` \n")):
                return NameSet(())
            return _nothing(text, kind) or _from_listing(read_listing(text, ordered=kind == "path"), kind)
        case "quantity":
            return _nothing(text, kind) or read_quantity(text)
        case "choice":
            return _nothing(text, kind) or read_choice(text)
        case "text":
            return _nothing(text, kind) or _cell(text)
        case "record" | "table":
            return _nothing(text, kind) or read_composite_text(text, kind)
        case _:
            assert_never(kind)


def _read_short(text: str, kind: Literal["boolean", "number"]) -> Reading:
    words = " ".join(text.translate(_EMPHASIS).split()).strip("'")
    return _nothing(words, kind) or (_boolean(words) if kind == "boolean" else _number(words))


def _nothing(text: str, kind: AnswerKind) -> Reading:
    """Read the phrases by which a model declines."""
    if len(text) > 100:
        return Abstain(one_line(text)) if kind != "text" and is_abstention(text) else None
    phrase = " ".join(text.translate(_EMPHASIS).casefold().replace("\u2019", "'").split()).strip(".!' ")
    if kind == "text" and phrase in CELL_WORDS:
        return None
    if is_abstention(phrase):
        return Abstain(phrase)
    if phrase not in NOTHING:
        return None
    # Of a set it states the empty one; of a number or a table nobody can tell.
    if kind == "names":
        return NameSet(())
    return Unparsed(f"ambiguous: {phrase}") if kind in ("number", "quantity", "table") else Abstain(phrase)


def _cell(text: str) -> Reading:
    if len(text) > _LONGEST_STATEMENT:
        return Unparsed("longer than any value of a cell")
    words = one_line(text)
    found = _MARKED.fullmatch(words)
    first, mark, rest = filter(None, found.groups()) if found else (words, "", "")
    if mark and mark in rest:
        return Unparsed(f"ambiguous: several values: {words[:40]!r}")
    value = unwrapped(first)
    return Text(value) if value else None


def _boolean(words: str) -> Reading:
    found = _STATED_BOOLEAN.fullmatch(words)
    if not found:
        return None
    said, rest = found[1].casefold() in ("yes", "true"), found[2]
    second = _SECOND_BOOLEAN.match(rest)
    if second and (second[1].casefold() in ("yes", "true")) is not said:
        return Unparsed("ambiguous: yes and no")
    # "No path ..." and "no tables ..." deny something else than the question.
    if _OFFER.match(rest):
        return None
    if rest and not second and not _ASIDE.match(rest) and not _SENTENCE_END.match(rest):
        return None
    return Boolean(said)


def _number(words: str) -> Reading:
    words = _LEAD.sub("", words.replace("\\(", "").replace("\\)", ""), count=1)
    words = _HUNDREDS.sub(_hundreds, words, count=1)
    words = _GROUPED.sub(lambda found: re.sub("[.,]", "", found[0]), words, count=1)
    found = _STATED_NUMBER.fullmatch(
        re.sub(r"(?i)^(\w+ty) (one|two|three|four|five|six|seven|eight|nine)\b", r"\1-\2", words)
    )
    value = _value(found[1]) if found else None
    if not found or value is None:
        return None
    rest = found[2].rstrip(".! ")
    again = _IN_WORDS.match(rest)
    if again and Number(NUMBERS.get(again[1].casefold(), -1)) == Number(
        value if isinstance(value, int) else -2
    ):
        rest = rest[again.end() :]
    aside = _ASIDE.search(rest)
    unit = rest[: aside.start()] if aside else rest
    is_unit = not unit or (
        _UNIT.fullmatch(unit) and (NOT_COUNTS | NUMBERS.keys()).isdisjoint(re.split(r"[ -]", unit.casefold()))
    )
    if _SECOND_NUMBER.match(rest) or not is_unit or (aside and _TAKEN_BACK.match(rest, aside.start())):
        return Unparsed(f"ambiguous number: {words[:40]!r}")
    return value if isinstance(value, Unparsed) else Number(value)


def _hundreds(found: re.Match[str]) -> str:
    return str(100 * NUMBERS.get(found[1].casefold(), 1) + NUMBERS.get((found[2] or "zero").casefold(), 0))


def _value(said: str) -> int | Unparsed | None:
    if said.casefold() in NUMBERS:
        return NUMBERS[said.casefold()]
    if not _NUMBER.fullmatch(said):
        return None
    if len(said) > _LONGEST_NUMBER:
        return Unparsed("number out of range")
    exact = Decimal(_SEPARATORS.sub("", said).replace("\u2212", "-"))
    if exact.adjusted() > _LONGEST_NUMBER or abs(exact) > _LARGEST:
        return Unparsed("number out of range")
    if exact != exact.to_integral_value():
        return Unparsed(f"not a whole number: {said}")
    return int(exact)


def _from_items(value: tuple[Item, ...], kind: AnswerKind) -> Reading:
    items = tuple(item for item in value if isinstance(item, str))
    if len(items) < len(value):
        return Unparsed("nested value")
    if kind not in ("names", "path"):
        # One value in a list is still that value; more are not.
        if len(items) == 1:
            return read_text(items[0], kind) or Unparsed(f"not a {kind} answer")
        return Unparsed(f"a list is not a {kind} answer")
    elided = [is_elision(item) for item in items]
    if any(elided):
        return None if all(elided) else TRUNCATED
    if any(
        isinstance(item, Bare) and (item in ("null", "true", "false") or _NUMBER.fullmatch(item))
        for item in items
    ):
        return Unparsed("a list item is not a name")
    names = tuple(clean_name(item) for item in items)
    if kind == "names" and len(names) == 1 and names[0].casefold() in NOTHING:
        return NameSet(())
    if not all(names):
        return Unparsed("empty name")
    if len(names) == 1:
        listing = read_listing(names[0])
        names = listing.names if listing and listing.chained else names
    return _reply(names, kind)


def _from_listing(listing: Listing | None, kind: AnswerKind) -> Reading:
    if listing is None:
        return None
    if listing.ambiguous:
        return Unparsed("ambiguous: several chains")
    if listing.elided:
        return TRUNCATED
    if len(listing.names) == 1 and _is_other_kind(listing.names[0]):
        return Unparsed(f"not a list of names: {listing.names[0]}")
    return _reply(listing.names, kind)


def _is_other_kind(word: str) -> bool:
    return word.casefold() in _OTHER_KINDS or _NUMBER.fullmatch(word) is not None


def _reply(names: tuple[str, ...], kind: AnswerKind) -> Reply:
    if kind == "path":
        return Path(names)
    # One table under two spellings is one name; the first spelling stays.
    distinct = {canonical(name): name for name in reversed(names)}
    return NameSet(tuple(sorted(distinct.values())))
