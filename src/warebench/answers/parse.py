"""Model text to answer: the last answer stated in it, in the strictest form it is stated in.

Forms, strictest first: the value of an `answer` key (the form models are asked for), a boxed or
labelled answer ("Answer: ..."), a bare list or object, and a closing line or bullet list that is
nothing but an answer. A looser form is looked at only where no stricter one is found.
"""

import re

from warebench.answers.closing import is_denied, read_closing
from warebench.answers.lenient import Fault, Span, read_value
from warebench.answers.markup import plain_lines, without_latex_fonts
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
from warebench.answers.nested import NestedSpan, Object, read_nested
from warebench.answers.outcome import TRUNCATED, AnswerKind, Reading, Unparsed
from warebench.answers.reading import is_placeholder, read_stated, read_text
from warebench.answers.thinking import after_thinking

__all__ = ["AnswerKind", "Unparsed", "kind_of", "parse"]

_KEY = re.compile(r"([\"'\u201c\u2018`]?)(?:final[_ ]?)?answer([\"'\u201d\u2019`]?)\s{0,20}:", re.IGNORECASE)
_CLOSED = re.compile(r"[ \t]*+(?:\Z|[\r\n}),;\\`*$])")
_AFTER = r"(?:(?:\*{1,3}|_{1,2})(?=\s|\Z))?[ ]{0,8}"
"""The second half of bold around a label; marks that touch the value are the value's."""
_COLON = rf"[*_\"'` ]{{0,8}}[:=\uff1a]{_AFTER}"
_IS = rf"[*_\"'` ]{{0,8}}is\b:?{_AFTER}"
_BOX = r"\\boxed\s{0,8}\{|<answer>"
_FINAL = rf"(?:^|[.!?] )[*_#> ]{{0,6}}final(?: result)?{_COLON}"
_WORD = r"(?<!\{[\"'`])\banswer"
_LABEL = re.compile(rf"{_WORD}(?:{_IS}|{_COLON})|{_FINAL}|{_BOX}", re.IGNORECASE | re.MULTILINE)
_SURE_LABEL = re.compile(
    rf"{_WORD}{_COLON}|{_FINAL}|{_BOX}|\bthe (?:\w{{1,20}} )?answer{_IS}", re.IGNORECASE | re.MULTILINE
)
_LAST_WORD = re.compile(
    rf"(?:^|[.!?] )[*_#> ]{{0,6}}(?:(?:so|therefore|thus|hence|actually|correction|corrected|revised"
    rf"|my|the)[,:]? )*"
    rf"(?:final )?(?:answer(?:{_COLON}|{_IS})|(?<=final )result{_COLON}|final{_COLON})",
    re.IGNORECASE | re.MULTILINE,
)
"""A label that begins a sentence: behind an `answer` key it says anew what the answer is."""
_MENTION = re.compile(
    r"\b(?:format|form|example|template|e\.g\.|such as|of the kind|rule says|instructions? says?"
    r"|end with|ends with"
    r"|cell (?:\w+ )?(?:holds|contains|says|reads|is)|text says|quote)\b[^\n]{0,60}\Z",
    re.IGNORECASE,
)
"""Words before an object that make it a mention of the form, or of data, and no answer."""
_CONDITION = re.compile(r"\bif the question cannot be answered, it is\W*\Z", re.IGNORECASE)
"""Words of the prompts before the form of an abstention."""
_COMMENT = re.compile(
    r"(\"[^\"\\\n]*+(?:\\.[^\"\\\n]*+)*+\"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+')"
    r"|(?<=[\s,\[{\]])//[^\n]*+|/\*[^*]{0,400}\*/|(?<=[\s,\[{\]])#(?=[ \w])[^\n]*+"
)
"""Behind any `answer is` stands prose as often as a value, and all prose is text."""
_OPTION_LABEL = re.compile(
    r"\bI(?: would|'d|'ll| will)? (?:pick|choose|select|go with) |"
    r"\b(?:correct|right|best|final) (?:option|choice|letter)[*_\"'` ]{0,8}"
    r"(?:is\b[*_: ]{0,8}|[:=\uff1a][*_ ]{0,8})",
    re.IGNORECASE,
)
_LIST = re.compile(r"(?<![\w\])\"'.])\[\s{0,200}[\"'\u201c`]")
_OBJECT = re.compile(r"\{\s{0,200}(?![\"'\u201c`]?(?:final[_ ]?)?answer\b)[\w\"'\u201c`]", re.IGNORECASE)
"""An object that is the answer itself; of one with an `answer` key the value was read before."""
_NOT_THE = re.compile(r"\b(?:not|never)\s(?:(?:the|my|an?|final|right|correct)\s){0,3}\Z", re.IGNORECASE)
_ANOTHER = re.compile(r"^\(?[A-Z]\) .*\balso (?:possible|right|correct)\b", re.MULTILINE)
_ROWS = re.compile(r"\[\s{0,200}[\[{]")
_BARE_FORMS: dict[AnswerKind, re.Pattern[str]] = {
    "names": _LIST, "path": _LIST, "record": _OBJECT, "table": _ROWS
}  # fmt: skip
_SET = re.compile(r"\s{0,20}\{([^{}:]{1,4000})\}")
"""A set as Python writes it."""
_NO_ANSWER = re.compile(
    r"not|no_|non|except|exclu|error|reason|explan|thought|thinking|note|comment|example|format|confidence"
    r"|wrong|incorrect|draft|status|question",
    re.IGNORECASE,
)
"""Names of what stands beside an answer, or is none."""
_LATEX_ESCAPE = re.compile(r"\\([_{}&%#$, ])")


def parse(text: str, kind: AnswerKind) -> Reply | Unparsed:
    """Return the answer a model's text ends with.

    Never raises and takes linear time. The last valid answer counts; but an `answer` key whose value
    is complete and no answer of the kind (3.9 for a number) is what the model said last, and an
    earlier draft is not scored in its place.

    Args:
        text: Whatever the model wrote.
        kind: The kind of answer the question asks for.

    Returns:
        A reply of that kind, `Abstain` for null and its equals in words, or `Unparsed`, whose reason
        is "truncated" where the text ends inside the answer.
    """
    if not text.strip():
        return Unparsed("empty")
    said = after_thinking(text)
    if not said.strip():
        return Unparsed("nothing behind the thinking")
    reading = _read(said, kind)
    if reading is None and '\\"answer\\"' in said:
        # A reply that is one JSON string.
        reading = _read(said.replace('\\"', '"'), kind)
    return Unparsed("no answer found") if reading is None else reading


def _read(text: str, kind: AnswerKind) -> Reading:
    for read in (_read_keys, _read_labels, _read_lists, _read_single, read_closing):
        reading = read(text, kind)
        if reading is not None:
            return reading
    return None


def is_asked_form(text: str, kind: AnswerKind) -> bool:
    """Tell whether a reply states its answer in the form models are asked for: `{"answer": ...}`.

    Args:
        text: The whole reply.
        kind: The kind of answer the question asks for.
    """
    return isinstance(_read_keys(after_thinking(text), kind), Reply)


def kind_of(gold: Answer) -> AnswerKind:
    """Return the kind of answer that gold is."""
    if isinstance(gold, Abstain):
        return gold.kind
    kinds: dict[type[Answer], AnswerKind] = {
        Boolean: "boolean", Number: "number", NameSet: "names", Path: "path",
        Quantity: "quantity", Text: "text", Choice: "choice", Record: "record", Table: "table",
    }  # fmt: skip
    return kinds[type(gold)]


def _read_keys(text: str, kind: AnswerKind) -> Reading:
    if "{" in text and ("//" in text or "/*" in text or "#" in text):
        text = _COMMENT.sub(lambda found: found[1] or "", text)
    keys = [(found.start(), found.end()) for found in _KEY.finditer(text) if _opens_value(text, found)]
    limit = len(text)
    placeholder: Reading = None
    for start, end in reversed(keys):
        reading = _read_key(text, end, limit, kind)
        limit = start
        if isinstance(reading, Text) and is_placeholder(reading.value):
            placeholder = placeholder or reading
        elif reading is not None and not _is_mention(text, start, end):
            return _last_word(text[end:], kind) or reading
    # The form `{"answer": "<name>"}` told again is no answer where another stands, else a cell like any.
    return placeholder


def _is_mention(text: str, start: int, end: int) -> bool:
    line = text[max(0, start - 100) : start].rpartition("\n")[2]
    behind = text[end:].partition("}")[2].strip("`*\"'. \n")
    return _CONDITION.search(line) is not None or (bool(behind) and _MENTION.search(line) is not None)


def _last_word(behind: str, kind: AnswerKind) -> Reading:
    """Return what a labelled answer behind the object says, if one stands there."""
    found = next(reversed(list(_LAST_WORD.finditer(behind))), None)
    reading = _read_label(behind[found.end() :], kind) if found else None
    if isinstance(reading, Abstain) or (isinstance(reading, Unparsed) and found and " is" in found[0]):
        return None
    return reading


def _opens_value(text: str, found: re.Match[str]) -> bool:
    """Tell a key from the word "answer" in prose: it is quoted, or first in braces."""
    if bool(found[1]) is not bool(found[2]):
        return False
    before = text[max(0, found.start() - 20) : found.start()].rstrip(" \t\r\n\\")
    return before.endswith("{") or (
        bool(found[1]) and (before.endswith((",", "`", "(")) or _begins_line(text, found))
    )


def _begins_line(text: str, found: re.Match[str]) -> bool:
    before = text[max(0, found.start() - 20) : found.start()].rstrip(" \t")
    return not before or before.endswith(("\n", "\r"))


def _read_key(text: str, start: int, limit: int, kind: AnswerKind) -> Reading:
    # A value ends before the next key, so all values together are read once.
    value, end = _read_value(text[start:limit], kind)
    if value is Fault.NESTED:
        value, end = _unwrapped(text[start:limit], kind)
    if value is Fault.TRUNCATED and limit < len(text):
        return None
    if not isinstance(value, Fault) and not _CLOSED.match(text, start + end):
        return None
    return read_stated(value, kind)


def _unwrapped(text: str, kind: AnswerKind) -> NestedSpan:
    """Read `{"value": x}`, `{"tables": [...]}`, `[{"name": x}, ...]` and `{x, y}` as what they hold."""
    value, end = read_nested(text, 0)
    braces = _SET.match(text) if kind == "names" else None
    if braces:
        return NestedSpan(read_value(f"[{braces[1]}]", 0).value, braces.end())
    if isinstance(value, Object) and len(value.pairs) == 1:
        name, inner = value.pairs[0]
        if _NO_ANSWER.match(name):
            return NestedSpan(Fault.NESTED, end)
        return NestedSpan(read_value(inner, 0).value if inner[:1] == "[" else inner, end)
    if isinstance(value, tuple) and all(isinstance(one, Object) and len(one.pairs) == 1 for one in value):
        return NestedSpan(tuple(one.pairs[0][1] for one in value if isinstance(one, Object)), end)
    return NestedSpan(value if isinstance(value, Fault) else Fault.NESTED, end)


def _read_labels(text: str, kind: AnswerKind) -> Reading:
    reading = _read_last_label(text, kind, _SURE_LABEL if kind == "text" else _LABEL)
    return _read_last_label(text, kind, _OPTION_LABEL) if reading is None and kind == "choice" else reading


def _read_last_label(text: str, kind: AnswerKind, label: re.Pattern[str]) -> Reading:
    limit = len(text)
    for found in reversed(list(label.finditer(text))):
        stated = text[found.end() : limit]
        if _NOT_THE.search(text, max(0, found.start() - 30), found.start()):
            limit = found.start()
            continue
        reading = _read_box(stated, kind) if found[0][0] == "\\" else _read_label(stated, kind)
        if found[0][0] == "<":
            reading = read_text(stated.partition("</")[0].strip(), kind)
        if reading is not None:
            return reading
        limit = found.start()
    return None


def _read_box(stated: str, kind: AnswerKind) -> Reading:
    depth = 1
    for brace in re.finditer(r"\\.|[{}]", stated, re.DOTALL):
        depth += {"{": 1, "}": -1}.get(brace[0], 0)
        if depth == 0:
            plain = without_latex_fonts(stated[: brace.start()])
            return read_text(_LATEX_ESCAPE.sub(r"\1", plain).strip("{} "), kind)
    return None


def _read_label(stated: str, kind: AnswerKind) -> Reading:
    if kind == "choice" and _ANOTHER.search(stated):
        return Unparsed("ambiguous: several letters")
    block = _first_block(stated)
    if len(block) == 1 or kind in _BARE_FORMS:
        whole = read_text("\n".join(block), kind) if block else None
        if whole is not None:
            return whole
    # Only a line that shares the label's line can be the answer by itself.
    return (
        read_text(block[0].strip("*_ "), kind)
        if block and stated.lstrip(" *_").startswith(block[0])
        else None
    )


def _first_block(stated: str) -> list[str]:
    """Return the first lines up to a blank one, without code fences."""
    block: list[str] = []
    for line in plain_lines(stated):
        if line:
            block.append(line)
        elif block:
            break
    return block


def _read_lists(text: str, kind: AnswerKind) -> Reading:
    if kind not in _BARE_FORMS:
        return None
    limit = len(text)
    for found in reversed(list(_BARE_FORMS[kind].finditer(text))):
        value, end = _read_value(text[found.start() : limit], kind)
        if is_denied(text[: found.start()], text[found.start() + end :]):
            return None
        if value is Fault.TRUNCATED and limit == len(text):
            return TRUNCATED
        reading = None if isinstance(value, Fault) else read_stated(value, kind)
        if reading is not None:
            return reading
        limit = found.start()
    return None


def _read_single(text: str, kind: AnswerKind) -> Reading:
    """Read a reply that is nothing but an object of one value, such as `{"actor": "Robert De Niro"}`."""
    if kind not in ("boolean", "number", "quantity", "text") or "{" not in text:
        return None
    said = "\n".join(plain_lines(text)).strip()
    if said[:1] != "{" or _KEY.search(said):
        return None
    value, end = _unwrapped(said, kind)
    return None if isinstance(value, Fault) or end != len(said) else read_stated(value, kind)


def _read_value(text: str, kind: AnswerKind) -> Span | NestedSpan:
    return read_nested(text, 0) if kind in ("record", "table") else read_value(text, 0)
