"""Text that people read as a number: with separators, currency, percent sign, or as minutes and seconds."""

import re

MISSING = frozenset(
    {"", "-", "--", "?", ".", "n/a", "#n/a", "n.a.", "na", "nan", "nil", "none", "null", "tbd", "unknown"}
)
"""Words that stand for no value, in small letters."""

PLAIN = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*")
GROUPED = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?")
CLOCK = re.compile(r"(\d+:)?\d{1,2}:\d{2}(\.\d+)?")
"""Hours, minutes and seconds; without the first, minutes and seconds."""

MARKS = ("$", "€", "£", "¥", "%")
"""What stands before or behind a number without changing which of two is larger."""


def read_number(text: str) -> float | None:
    """Return the number a text means to a reader, or None: `1,650`, `$5.00`, `12 %`, `007`, `17:12.3`."""
    bare = text.strip()
    for mark in MARKS:
        bare = bare.removeprefix(mark).removesuffix(mark).strip()
    if CLOCK.fullmatch(bare):
        seconds = 0.0
        for part in bare.split(":"):
            seconds = seconds * 60 + float(part)
        return seconds
    if GROUPED.fullmatch(bare):
        bare = bare.replace(",", "")
    return float(bare) if PLAIN.fullmatch(bare) else None


def as_number(column: str, words: list[str], texts: list[str], kind: str) -> str:
    """Return SQL that reads a column by value, in both dialects.

    Args:
        column: SQL of the column.
        words: Its words for no value; they become NULL.
        texts: Its other values, all of them numbers to a reader.
        kind: Type of the result.
    """
    value = column
    for word in words:
        value = f"NULLIF({value}, '{word.replace(chr(39), chr(39) * 2)}')"
    for mark in (*MARKS, ","):
        if any(mark in text for text in texts):
            value = f"REPLACE({value}, '{mark}', '')"
    whole = f"CAST({value} AS {kind})"
    if not any(":" in text for text in texts):
        return whole
    # Minutes before the first colon, seconds behind it; a second colon makes the first part hours.
    head, rest = _split(value)
    middle, last = _split(rest)
    two = f"CAST({head} AS {kind}) * 60 + CAST({rest} AS {kind})"
    three = f"CAST({head} AS {kind}) * 3600 + CAST({middle} AS {kind}) * 60 + CAST({last} AS {kind})"
    longer = f"CASE WHEN INSTR({rest}, ':') = 0 THEN {two} ELSE {three} END"
    return f"(CASE WHEN INSTR({value}, ':') = 0 THEN {whole} ELSE {longer} END)"


def _split(text: str) -> tuple[str, str]:
    """Return SQL of what stands before and behind the first colon."""
    return f"SUBSTR({text}, 1, INSTR({text}, ':') - 1)", f"SUBSTR({text}, INSTR({text}, ':') + 1)"
