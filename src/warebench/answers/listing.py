"""Lists of names written as text: arrow chains, bullets, lines and commas."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from warebench.answers.lenient import Fault, read_value
from warebench.answers.words import PROSE


class Listing(NamedTuple):
    """Names in the order they are written."""

    names: tuple[str, ...]
    chained: bool = False
    """Joined by arrows."""
    elided: bool = False
    """Some names were left out, by `...` or because the text ends."""
    ambiguous: bool = False
    """Several chains, of which none is the answer."""


ARROW = re.compile(
    r"-{1,3}>|={1,2}>|\u2500{0,3}[\u2192\u2194\u27f6\u2794\u279c\u21d2\u27a1\u2b95]\ufe0f?"
    r"|\\(?:long)?(?:rightarrow|Rightarrow|to)\b| > "
)
_ARROW_END = re.compile(rf"(?:{ARROW.pattern}) ?$")
_BACKWARDS = re.compile(r"<-|<=|[\u2190\u21d0]")
_BULLET = re.compile(r"(?:[-*+\u2022\u2023\u25aa\u00b7\u2013]|\(?\d{1,6}[.)]) (.+)")
_STEPS = re.compile(r"[\w.`\"]+(?: (?:to|-|\u2013|\u2014) [\w.`\"]+){2,}")
_TICKED = re.compile(r"^(\s*[-*] )\[[xX]\] ", re.MULTILINE)
_UNTICKED = re.compile(r"[-*] \[ \] ")
_SENTENCE = re.compile(r"\. (?=[A-Z])")
_TABLES = re.compile(r"\A(?:the )?(?:\w+ ){0,2}tables?: ", re.IGNORECASE)
_ASIDES = re.compile(
    r"[*_# ]*(?:explanation|reason(?:ing)?|notes?|why|justification|evidence|details?)\b", re.IGNORECASE
)
_HOPS = re.compile(r" ?\(\d+ [a-z ]{3,20}\)$")
_QUOTED_ITEM = r"(?:\"[^\"]+\"|`[^`]+`|\u201c[^\u201d]+\u201d)"
_SEPARATOR = r"(?:, ?(?:and )?|; ?| and )"
_QUOTED_LINE = re.compile(rf"{_QUOTED_ITEM}(?:{_SEPARATOR}(?:{_QUOTED_ITEM}|[\w.]+))*")
_ITEM = re.compile(rf"{_QUOTED_ITEM}|[\w.]+(?={_SEPARATOR}|$)")
_COMMA = re.compile(r", ?(?:and )?|; ?| and | / ")
_QUOTED = re.compile(r"(\*\*|`|\"|\u201c|')(.{1,256}?)(\*\*|`|\"|\u201d|')(?=$|[ .,:;(]|\u2014|\u2013)")
_GLOSS = re.compile(r": | \(| [-\u2013\u2014] ")
_ELISION = re.compile(r"\.{2,}|\u2026|<[^<>]*+>")
_AND_MORE = re.compile(r"etc\.?|and so on|and \d+ more|\d+ more", re.IGNORECASE)
_UNQUOTED = re.compile(r"[^{}<>=!?|\"]++")
_PART = r"(?:\"[^\"]*+\"|'[^']*+'|`[^`]*+`|\[[^\[\]]*+\]|\u201c[^\u201d]*+\u201d|\w++)"
_QUOTED_NAME = re.compile(rf"{_PART}(?:\.{_PART})*+")
_TITLE = re.compile(r"\w++(?: \w++){0,3}: ")
_MOST_WORDS = 4
_LONGEST_NAME = 256
_CLOSING = {"**": "**", "`": "`", '"': '"', "\u201c": "\u201d", "'": "'"}


def read_listing(text: str, *, ordered: bool = False) -> Listing | None:
    """Return the names a text lists, or None where any part of it looks like prose.

    Args:
        text: A JSON list, an arrow chain, bullets, one name a line, or names between commas. A single
            name is a list of one.
        ordered: Whether it is a path, whose steps `to` and dashes may join.
    """
    if ordered and (steps := _STEPS.fullmatch(" ".join(text.split()).strip("*. "))):
        return _listing(re.split(r" (?:to|-|\u2013|\u2014) ", steps[0]))
    stripped = text.strip().strip("$").strip().removesuffix(".").rstrip()
    if stripped[:1] == "[":
        inner = _read_brackets(stripped)
        if inner is not None:
            return inner
    ticked = _TICKED.sub(r"\1", stripped) if _TICKED.search(stripped) else stripped
    lines = [" ".join(raw.split()) for raw in ticked.splitlines()]
    lines = [line for line in lines if line and not _UNTICKED.match(line)]
    bulleted = [_BULLET.fullmatch(line) for line in lines]
    if lines and all(bulleted):
        return _listing(_gloss_free(found[1]) for found in bulleted if found)
    if len(lines) > 1:
        if _is_broken_chain(lines):
            return _read_line(" ".join(lines))
        if all(map(ARROW.search, lines)):
            return Listing((), ambiguous=True)
        return _listing((line.rstrip(",") for line in lines), most_words=1)
    return _read_line(lines[0]) if lines else None


def is_elision(item: str) -> bool:
    """Tell whether an item stands for items left out, such as `...`."""
    return len(item) < _LONGEST_NAME and _ELISION.fullmatch(item.strip()) is not None


def last_bullets(lines: Iterable[str]) -> list[str]:
    """Return the last unbroken run of bullet lines; blank lines do not break it.

    Args:
        lines: Lines with whitespace collapsed.
    """
    run: list[str] = []
    broken = False
    for line in lines:
        if run and _ASIDES.match(line):
            break
        if not _BULLET.fullmatch(line):
            broken = broken or bool(line)
            continue
        if broken:
            run = []
        run.append(line)
        broken = False
    return run


def clean_name(item: str) -> str:
    """Return a name without the Markdown or whitespace around it; quotes are left to `canonical`."""
    name = " ".join(item.replace("\0", " ").split())
    if name.startswith("**") and name.endswith("**"):
        name = name.strip("*").strip() or name
    # Half a surrogate pair cannot be written to any file.
    return name.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _read_brackets(text: str) -> Listing | None:
    value, end = read_value(text, 0)
    if value is Fault.TRUNCATED:
        return Listing((), elided=True)
    if not isinstance(value, tuple) or end != len(text):
        return None
    return _listing(value, most_words=_LONGEST_NAME)


def _is_broken_chain(lines: list[str]) -> bool:
    """Tell a chain whose line breaks stand beside arrows."""
    starts = [ARROW.match(f"{line} ") is not None for line in lines[1:]]
    ends = [_ARROW_END.search(f"{line[-30:]} ") is not None for line in lines[:-1]]
    return all(start or end for start, end in zip(starts, ends, strict=True))


def _read_line(line: str) -> Listing | None:
    line = _HOPS.sub("", line.replace("**", ""))
    if _BACKWARDS.search(line):
        return None
    quoted = _quoted_names(line)
    if quoted:
        return Listing(quoted)
    if ARROW.search(line):
        # A chain may have a title: "Path: A -> B".
        chain = _SENTENCE.split(_TITLE.sub("", line, count=1))[0]
        listing = _listing(ARROW.split(chain))
        return listing._replace(chained=True) if listing else None
    return _listing(_COMMA.split(_TABLES.sub("", line, count=1)))


def _quoted_names(line: str) -> tuple[str, ...]:
    """Return names of which the first is quoted: a comma or `and` inside quotes belongs to the name."""
    if not _QUOTED_LINE.fullmatch(line):
        return ()
    found = [part[1:-1] if re.match(_QUOTED_ITEM, part) else part for part in _ITEM.findall(line)]
    return tuple(map(clean_name, found))


def _listing(items: Iterable[str], most_words: int = _MOST_WORDS) -> Listing | None:
    names: list[str] = []
    elided = False
    for item in items:
        if is_elision(item) or _AND_MORE.fullmatch(item.strip()):
            elided = True
            continue
        name = clean_name(item)
        if not _is_name(name, most_words):
            return None
        names.append(name)
    if not names and elided:
        return None
    return Listing(tuple(names), elided=elided)


def _gloss_free(item: str) -> str:
    """Return a bullet's name without the explanation behind it."""
    item = item.replace("**", "")
    quoted = _QUOTED.match(item)
    if quoted and _CLOSING[quoted[1]] == quoted[3]:
        return quoted[2]
    return _GLOSS.split(item, maxsplit=1)[0].rstrip(".,;")


def _is_name(name: str, most_words: int) -> bool:
    if not name or len(name) > _LONGEST_NAME:
        return False
    if _QUOTED_NAME.fullmatch(name):
        return True
    if not _UNQUOTED.fullmatch(name) or name.endswith((":", ".")):
        return False
    words = name.casefold().split()
    return len(words) == 1 or (len(words) <= most_words and PROSE.isdisjoint(words))
