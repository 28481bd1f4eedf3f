"""Names and questions as words that can be compared."""

import re

_PARTS = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")
STOP_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "but",
        "by",
        "for",
        "if",
        "in",
        "into",
        "is",
        "it",
        "no",
        "not",
        "of",
        "on",
        "or",
        "such",
        "that",
        "the",
        "their",
        "then",
        "there",
        "these",
        "they",
        "this",
        "to",
        "was",
        "will",
        "with",
    ]
)
"""Lucene's English ones. Left out of questions and names alike: `is` of `is_active` is no evidence."""


def words(text: str) -> list[str]:
    """Return the words of a name or text in small letters and singular, without stop words.

    Names are cut at underscores and other marks, where the case changes and between letters and digits.

    Example:
        >>> words("orderItems_2 of the countries")
        ['order', 'item', '2', 'country']
    """
    found = (word.casefold() for part in _PARTS.findall(text) for word in _CAMEL.split(part))
    return [singular(word) for word in found if word not in STOP_WORDS]


def singular(word: str) -> str:
    """Return an English noun without the ending of its plural; other words stay.

    Source: Harman, How effective is suffixing? (JASIS 42, 1991), the S stemmer.
    """
    if len(word) <= 3 or not word.endswith("s"):
        return word
    if word.endswith("ies"):
        return word if word.endswith(("eies", "aies")) else word[:-3] + "y"
    if word.endswith("es"):
        return word if word.endswith(("aes", "ees", "oes")) else word[:-1]
    return word if word.endswith(("us", "ss")) else word[:-1]
