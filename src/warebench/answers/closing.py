"""An answer without key or label: a closing line or bullet list that is nothing but an answer."""

import re
from typing import assert_never

from warebench.answers.choice import is_lone_letter
from warebench.answers.listing import last_bullets
from warebench.answers.markup import plain_lines
from warebench.answers.model import Boolean, NameSet, Path
from warebench.answers.outcome import AnswerKind, Reading, Unparsed
from warebench.answers.reading import read_text
from warebench.answers.tabular import last_paragraph

_MARKED_LINE = re.compile(r"\*\*[^*]+\*\*\.?|`[^`]+`\.?|\"[^\"]+\"\.?")
_ROW = re.compile(r"\|([^|]+)\|")
_OPTION = re.compile(r"\**\(?[A-Z]\)")
_NUMBERED = re.compile(r"\(?\d{1,6}[.)] ")
_DENIED = re.compile(r"\b(?:not|never|neither)\b[^.]{0,40}:\W*$", re.IGNORECASE)
_DENIAL = re.compile(
    r"\b(?:not|none of|no path|neither|nor)\b|n't\b|[:\u2014-] (?:yes|no)\W*$", re.IGNORECASE
)
"""Words beside a list that may say that it is not the answer."""
_SENTENCES = re.compile(r"[.!?;] ")
_DENIED_BEHIND = re.compile(
    r"^\W*(?:not|none|neither|no|nope|wait|actually)\b|\bno path\b|\"answer\": [\[{]*<"
    r"|\b(?:these|those|them|they|this|that|it|above|list|which|either)\b[^.\n]{0,40}?"
    r"(?:\b(?:not|wrong|incorrect|never|excluded?)\b|n't\b)"
    r"|(?:\bnot|\bnone of|\bneither of|n't)\b[^.\n]{0,40}\b(?:these|those|them|this|that|above|list)\b",
    re.IGNORECASE | re.MULTILINE,
)
_SUBJECT = re.compile(r"\A(?:the|these|those|it) [a-z ]{0,60}?(?:is|are):? (?!not)(?=[*`\"])", re.IGNORECASE)
_MOST_WORDS = 12
_LONGEST_VALUE = 256


def read_closing(text: str, kind: AnswerKind) -> Reading:
    """Return the answer that the first or last lines are, if they are nothing but an answer.

    Args:
        text: A whole reply without any stricter form of an answer.
        kind: The kind of answer asked for.
    """
    lines = [line for line in plain_lines(text) if line]
    if not lines or (len(lines) > 1 and _DENIED.search(lines[-2])):
        return None
    cells = _one_column(lines)
    if cells:
        lines = cells
    match kind:
        case "number" if len(lines) > 1 and lines[-1].isdigit() and _NUMBERED.match(lines[-2]):
            return None
        case "number" | "quantity":
            return read_text(lines[-1], kind)
        case "record" | "table":
            return _read_closing_lines(text, lines, kind)
        case "boolean":
            return _read_closing_boolean(lines)
        case "names" | "path":
            return _read_closing_list(lines, kind)
        case "text":
            return _read_closing_text(lines)
        case "choice":
            return _read_closing_choice(lines)
        case _:
            assert_never(kind)


def _read_closing_lines(text: str, lines: list[str], kind: AnswerKind) -> Reading:
    paragraph = last_paragraph(text)
    lead = [line for line in lines[-len(paragraph) - 1 :] if line.endswith(":") and _DENIAL.search(line)]
    if lead or ("```" in text and _DENIED_BEHIND.search(text.rpartition("```")[2])):
        return None
    return read_text("\n".join(paragraph), kind) or read_text(lines[-1], kind)


def is_denied(before: str, behind: str) -> bool:
    """Tell whether words beside a list say that it is not the answer.

    Args:
        before: All that stands before the list. Only the sentence that leads to it can deny it:
            `I did not use views.` says nothing of the list behind it.
        behind: All that stands behind it. A denial there speaks of `these`, or begins a line with `not`.
    """
    lead = before.rstrip().rsplit("\n", 1)[-1].rstrip("`*_ ")
    sentence = _SENTENCES.split(lead)[-1] if not lead.endswith((".", "!", "?")) else ""
    return _DENIAL.search(sentence) is not None or _DENIED_BEHIND.search(behind) is not None


def _read_closing_boolean(lines: list[str]) -> Reading:
    last = read_text(lines[-1], "boolean")
    first = read_text(lines[0], "boolean")
    if isinstance(first, Boolean) and isinstance(last, Boolean) and first != last:
        return Unparsed("ambiguous: yes and no")
    return last if last is not None else first


def _read_closing_text(lines: list[str]) -> Reading:
    """Read a text that is one line, or whose last line is a bold or quoted value."""
    line = lines[-1]
    if len(lines) == 1 and line.count(" ") < _MOST_WORDS:
        return read_text(line, "text")
    return read_text(line, "text") if len(line) < _LONGEST_VALUE and _MARKED_LINE.fullmatch(line) else None


def _read_closing_choice(lines: list[str]) -> Reading:
    """Read the last lone letter; a line that begins with one may be an option told again."""
    if len(lines) == 1:
        return read_text(lines[0], "choice")
    last = _OPTION.match(lines[-1])
    if last and not any(_OPTION.match(line) for line in lines[:-1]):
        return read_text(lines[-1], "choice")
    lone = next((line for line in (lines[-1], lines[0]) if is_lone_letter(line)), None)
    return read_text(lone, "choice") if lone else None


def _read_closing_list(lines: list[str], kind: AnswerKind) -> Reading:
    whole = read_text("\n".join(lines), kind)
    if whole is not None and any(map(_DENIAL.search, lines)):
        return None
    if whole is not None:
        return whole if len(lines) > 1 or _is_list(whole, least=1) else None
    bullets = last_bullets(lines)
    if bullets:
        first = lines.index(bullets[0])
        last_at = len(lines) - 1 - lines[::-1].index(bullets[-1])
        denied = is_denied("\n".join(lines[:first]) + "\n", "\n".join(lines[last_at + 1 :]))
        return None if denied or any(map(_DENIAL.search, bullets)) else read_text("\n".join(bullets), kind)
    if _DENIAL.search(lines[-1]) or is_denied("\n".join(lines[:-1]) + "\n", ""):
        return None
    last = read_text(_SUBJECT.sub("", lines[-1], count=1), kind)
    return last if _is_list(last, least=2) else None


def _one_column(lines: list[str]) -> list[str]:
    """Return the cells of a Markdown table of one column, without its header; else none."""
    rows = [found[1].strip() for line in lines if (found := _ROW.fullmatch(line))]
    is_table = len(rows) == len(lines) > 2 and not rows[1].strip("-: ")
    return rows[2:] if is_table else []


def _is_list(reading: Reading, least: int) -> bool:
    """Tell a closing list from closing words such as `Good luck`, which look like one name."""
    match reading:
        case NameSet(names) | Path(names):
            return not names or (len(names) >= least and (len(names) > 1 or " " not in names[0]))
        case _:
            return True
