"""Model text to answer: the last answer stated in it, in the strictest form it is stated in.

Forms, strictest first: the value of an `answer` key (the form models are asked for), a boxed or
labelled answer ("Answer: ..."), a bare list, and a closing line or bullet list that is nothing but an
answer. A looser form is looked at only where no stricter one is found.
"""

import re
from collections.abc import Iterator

from warebench.answers.lenient import Fault, read_value
from warebench.answers.listing import last_bullets
from warebench.answers.model import Answer, Boolean, NameSet, Number, Path, Reply
from warebench.answers.reading import TRUNCATED, AnswerKind, Reading, Unparsed, read_stated, read_text

__all__ = ["AnswerKind", "Unparsed", "kind_of", "parse"]

_KEY = re.compile(r"([\"'\u201c\u2018`]?)(?:final[_ ]?)?answer([\"'\u201d\u2019`]?)\s{0,20}:", re.IGNORECASE)
_CLOSED = re.compile(r"[ \t]*+(?:\Z|[\r\n}),;\\`*$])")
_LABEL = re.compile(
    r"\banswer[*_\"'` ]{0,8}(?:is\b[*_: ]{0,8}|[:=\uff1a][*_ ]{0,8})|\\boxed\s{0,8}\{", re.IGNORECASE
)
_LIST = re.compile(r"(?<![\w\])\"'.])\[\s{0,200}[\"'\u201c`]")
_LATEX = re.compile(r"\\(?:text|texttt|textbf|mathrm|mathbf|mathtt|textsf)\s?\{([^{}]*+)\}")
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
    if '\\"answer\\"' in text:
        text = text.replace('\\"', '"')
    for read in (_read_keys, _read_labels, _read_lists, _read_closing):
        reading = read(text, kind)
        if reading is not None:
            return reading
    return Unparsed("no answer found")


def kind_of(gold: Answer) -> AnswerKind:
    """Return the kind of answer that gold is."""
    kinds: dict[type[Answer], AnswerKind] = {
        Boolean: "boolean", Number: "number", NameSet: "names", Path: "path",
    }  # fmt: skip
    return kinds[type(gold)]


def _read_keys(text: str, kind: AnswerKind) -> Reading:
    keys = [(found.start(), found.end()) for found in _KEY.finditer(text) if _opens_value(text, found)]
    limit = len(text)
    for start, end in reversed(keys):
        reading = _read_key(text, end, limit, kind)
        if reading is not None:
            return reading
        limit = start
    return None


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
    value, end = read_value(text[start:limit], 0)
    if value is Fault.TRUNCATED and limit < len(text):
        return None
    if not isinstance(value, Fault) and not _CLOSED.match(text, start + end):
        return None
    return read_stated(value, kind)


def _read_labels(text: str, kind: AnswerKind) -> Reading:
    limit = len(text)
    for found in reversed(list(_LABEL.finditer(text))):
        stated = text[found.end() : limit]
        reading = _read_box(stated, kind) if found[0][0] == "\\" else _read_label(stated, kind)
        if reading is not None:
            return reading
        limit = found.start()
    return None


def _read_box(stated: str, kind: AnswerKind) -> Reading:
    depth = 1
    for brace in re.finditer(r"\\.|[{}]", stated, re.DOTALL):
        depth += {"{": 1, "}": -1}.get(brace[0], 0)
        if depth == 0:
            plain = _LATEX.sub(r"\1", stated[: brace.start()])
            return read_text(_LATEX_ESCAPE.sub(r"\1", plain).strip("{} "), kind)
    return None


def _read_label(stated: str, kind: AnswerKind) -> Reading:
    block = _first_block(stated)
    if len(block) == 1 or kind in ("names", "path"):
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
    for line in _lines(stated):
        if line:
            block.append(line)
        elif block:
            break
    return block


def _lines(text: str) -> Iterator[str]:
    """Yield lines with whitespace collapsed and code fences dropped."""
    for raw in text.splitlines():
        line = " ".join(raw.split())
        if not line.startswith(("```", "~~~")):
            yield line


def _read_lists(text: str, kind: AnswerKind) -> Reading:
    if kind not in ("names", "path"):
        return None
    limit = len(text)
    for found in reversed(list(_LIST.finditer(text))):
        value, _ = read_value(text[found.start() : limit], 0)
        if value is Fault.TRUNCATED and limit == len(text):
            return TRUNCATED
        reading = None if isinstance(value, Fault) else read_stated(value, kind)
        if reading is not None:
            return reading
        limit = found.start()
    return None


def _read_closing(text: str, kind: AnswerKind) -> Reading:
    lines = [line for line in _lines(text) if line]
    if not lines:
        return None
    if kind == "number":
        return read_text(lines[-1], kind)
    if kind == "boolean":
        last = read_text(lines[-1], kind)
        first = read_text(lines[0], kind)
        if isinstance(first, Boolean) and isinstance(last, Boolean) and first != last:
            return Unparsed("ambiguous: yes and no")
        return last if last is not None else first
    return _read_closing_list(lines, kind)


def _read_closing_list(lines: list[str], kind: AnswerKind) -> Reading:
    whole = read_text("\n".join(lines), kind)
    if whole is not None:
        return whole if len(lines) > 1 or _is_list(whole, least=1) else None
    bullets = last_bullets(lines)
    if bullets:
        return read_text("\n".join(bullets), kind)
    last = read_text(lines[-1], kind)
    return last if _is_list(last, least=2) else None


def _is_list(reading: Reading, least: int) -> bool:
    """Tell a closing list from closing words such as `Good luck`, which look like one name."""
    match reading:
        case NameSet(names) | Path(names):
            return not names or (len(names) >= least and (len(names) > 1 or " " not in names[0]))
        case _:
            return True
