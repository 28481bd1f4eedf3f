"""The letter of an option as models state it."""

import re

from warebench.answers.markup import unmarked
from warebench.answers.model import Choice
from warebench.answers.outcome import Reading, Unparsed

_LONGEST_STATEMENT = 2_000
_LEAD = re.compile(
    r"(?:(?:definitely|clearly|probably|most likely|likely) )?(?:the )?(?:(?:correct|right|best) )?"
    r"(?:(?:option|choice|letter|answer) ?(?:is |: ?)?)?(?=[(\[{]?[A-Za-z](?![A-Za-z]))",
    re.IGNORECASE,
)
_LONE = re.compile(r"[(\[{]?([A-Za-z])[)\]}]?[.:,;!]?")
_JOINT = (
    r"(?: ?(?:[/,;&|+]|[-\u2013\u2014]|\b[oO][rR]\b|\b[aA][nN][dD]\b|\bto\b) ?(?:maybe |possibly |perhaps )?)"
)
_SEVERAL = re.compile(rf"[(\[]?[A-Z](?:[)\].]?{_JOINT}| )[(\[]?[A-Z](?![\w'\u2019])")
_SECOND = re.compile(r"(?:\b(?:or|and|OR|AND)|[,;/|]) ?\(?[A-Z](?:\)|: )")
_TAKEN_BACK = re.compile(
    r"\b(?:or|no|wait|actually|maybe|possibly|perhaps|rather)\b[ ,]*(?:\w+[ ,]+)?\(?[A-Z]\b(?!\w| \w)"
    r"|\balso (?:possible|right|correct)\b"
)
_NOT_BUT = re.compile(r"not \(?[A-Z]\)?,? but (?:rather )?\(?([A-Z])\)?[.!]?")
_BOTH = re.compile(r"(?:both|either|neither) ", re.IGNORECASE)
_LETTERED = re.compile(
    r"(?:[(\[{]([A-Za-z])[)\]}](?![A-Za-z])"
    r"|([A-Za-z])\)"
    r"|([A-Z])(?::|\. | ?= ?| \(| (?:because|since|as|is (?:the )?(?:correct|right|best))\b)"
    # A pronoun before a comma is no option.
    r"|(?!I)([A-Z])(?:[,;]| [-\u2013\u2014]) )"
)
_OPTION_LIST = re.compile(r"\s*+[(\[<]?A(?: ?[/|,] ?[B-Z])++[)\]>]?\s*+")


def read_choice(text: str) -> Reading:
    """Return the letter that a statement begins with, such as `(B)`, `B.` or `B) 42`.

    Args:
        text: The statement, without its label.

    Returns:
        The choice; `Unparsed` for a statement that names several letters; None for one that begins
        with a word, such as `Charlotte` or `A table`.
    """
    words = _plain(text)
    corrected = _NOT_BUT.fullmatch(words)
    if corrected:
        return Choice(corrected[1].upper())
    lone = _LONE.fullmatch(words)
    if lone:
        return Choice(lone[1].upper())
    several = Unparsed(f"ambiguous: several letters: {words[:40]!r}")
    paired = _BOTH.match(words)
    if paired:
        return several if _LONE.match(words, paired.end()) else None
    if _SEVERAL.match(words):
        return several
    found = _LETTERED.match(words)
    if not found:
        return None
    if _SECOND.search(words, found.end()) or _TAKEN_BACK.search(words, found.end()):
        return several
    return Choice(next(filter(None, found.groups())).upper())


def is_option_list(text: str) -> bool:
    """Tell `A/B/C/D`, the form of the answer, from an answer."""
    return len(text) < _LONGEST_STATEMENT and _OPTION_LIST.fullmatch(text) is not None


def is_lone_letter(line: str) -> bool:
    """Tell a line that is nothing but a letter from one that begins with an option's letter."""
    return _LONE.fullmatch(_plain(line)) is not None


def _plain(text: str) -> str:
    words = unmarked(unmarked(text[:_LONGEST_STATEMENT]).strip("$. "))
    return _LEAD.sub("", words.replace("\\(", "(").replace("\\)", ")"), count=1)
