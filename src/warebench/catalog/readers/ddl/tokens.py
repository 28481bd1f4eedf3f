"""Cut SQL text of any dialect into tokens that remember their line. Nothing is interpreted here."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from warebench.errors import SourceError

Dialect = Literal["tsql", "postgres", "duckdb", "sqlite", "mysql", "generic"]
Kind = Literal["word", "quoted", "string", "number", "symbol"]
KINDS: dict[str, Kind] = {
    "word": "word",
    "quoted": "quoted",
    "string": "string",
    "number": "number",
    "symbol": "symbol",
}


class Token(NamedTuple):
    """A piece of SQL: `text` is unquoted for quoted names, `word` is upper case for bare words."""

    kind: Kind
    text: str
    word: str
    start: int
    end: int
    starts_line: bool


@dataclass(frozen=True)
class Script:
    """The text of one SQL file with its name, to say where something stands."""

    text: str
    name: str
    is_utf8: bool = True

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def at(self, offset: int) -> str:
        """Return 'file, line n' of a character offset."""
        return f"{self.name}, line {bisect_right(self._line_starts, offset)}"


NAMES = {
    "double": r'"[^"]*(?:""[^"]*)*"',  # "order details"
    "backtick": r"`[^`]*(?:``[^`]*)*`",  # `order details`
    "bracket": r"\[[^\]\n]*(?:\]\][^\]\n]*)*\]",  # [order details]
}
COMMENT = r"--[^\n]*"
WORD = r"[@#]*(?:[^\W\d]|_)(?:[\w@#]|\$(?=\w))*|\d+[^\W\d]\w*"  # @schema, #temp, v$session, 3rd_party
NUMBER = r"\d+(?:\.\d+)?"
STRING = r"'[^']*(?:''[^']*)*'"
ESCAPED_STRING = r"'[^'\\]*(?:(?:''|\\.)[^'\\]*)*'"  # 'It\'s'
DOLLAR_STRING = r"\$(?P<tag>\w*)\$.*?\$(?P=tag)\$"  # $body$ ... $body$

NESTED_COMMENTS = ("tsql", "postgres", "duckdb")

# What a database's own shell understands but SQL does not: blanked, so that lines keep their numbers.
FOREIGN_LINES = {
    "tsql": r"^[ \t]*:\w+[^\n]*$",  # :setvar DatabaseName "AdventureWorks"
    "postgres": r"^\\[^\n]*$|^COPY\b[^;]*\bFROM\s+stdin\b[^;]*;\n(?:.*?\n)??\\\.$",  # \connect; COPY data
    "sqlite": r"^\.\w+[^\n]*$",  # .mode csv
}
MARKS: tuple[tuple[Dialect, str], ...] = (
    ("tsql", r"^[ \t]*GO[ \t]*;?[ \t]*\r?$|\bTABLE\s+\[[^\]\n]+\]\.\["),
    ("mysql", r"\)\s*ENGINE\s*=|\bAUTO_INCREMENT\b|^DELIMITER\s"),
    ("sqlite", r"\bAUTOINCREMENT\b|\bWITHOUT\s+ROWID\b|^PRAGMA\s"),
    ("sqlite", r"\bTABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?[\[`]"),
)
"""What only scripts of a dialect hold: `GO`, `ENGINE=InnoDB`, `AUTOINCREMENT`, `TABLE [orders]`."""

# ${catalog}, $(DatabaseName) and {{ schema }} stand for a name that is put in later.
PLACEHOLDER = re.compile(r"\$\{(\w+)\}|\$\((\w+)\)|\{\{\s*([\w.]+)\s*\}\}")


def read_tokens(script: Script, dialect: Dialect) -> list[Token]:
    """Return the tokens of a script, comments left out.

    Raises:
        SourceError: A quoted text or comment does not end: the script is torn.
    """
    pattern = _pattern(dialect)
    tokens: list[Token] = []
    line_pending, position = True, 0
    while match := pattern.search(script.text, position):
        kind, position = match.lastgroup or "", match.end()
        if kind == "open":
            position = _comment_end(script, match.start(), nested=dialect in NESTED_COMMENTS)
        elif kind == "unclosed":
            raise SourceError(
                f"a quoted text opens with {match[0]} and does not end",
                where=script.at(match.start()),
                fix="close the quote, restore the torn file, or name the right dialect",
            )
        elif kind not in {"comment", "newline"}:
            tokens.append(_token(match, starts_line=line_pending))
        line_pending = kind == "newline" or (line_pending and kind in {"comment", "open"})
    return _join_types(tokens, script)


NESTED_TYPES = frozenset({"ARRAY", "MAP", "STRUCT", "ROW", "TUPLE", "NESTED", "OBJECT", "RANGE"})
"""Types that name others between angle brackets: their commas part no columns."""


def _join_types(tokens: list[Token], script: Script) -> list[Token]:
    """Return the tokens with `MAP<STRING, ARRAY<INT>>` as one of them."""
    joined: list[Token] = []
    position = 0
    while position < len(tokens):
        token, end = tokens[position], position
        if token.word in NESTED_TYPES:
            end = _type_end(tokens, position)
        if end > position:
            text = script.text[token.start : tokens[end].end]
            token = token._replace(text=text, word="", end=tokens[end].end)
        joined.append(token)
        position = end + 1
    return joined


def _type_end(tokens: list[Token], position: int) -> int:
    """Return where the brackets behind a type close, or its own place where none do: `map < 5` is a sum."""
    depth, inner = 0, 0
    for end in range(position + 1, len(tokens)):
        token = tokens[end]
        symbol = token.text if token.kind == "symbol" else ""
        depth += (symbol == "<") - (symbol == ">")
        inner += (symbol == "(") - (symbol == ")")
        if inner < 0 or symbol == ";" or (depth == 0 and end == position + 1):
            return position
        if depth == 0:
            return end
    return position


def prepare(text: str, dialect: Dialect) -> str:
    """Return SQL text with shell commands blanked and placeholders turned into plain names."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if foreign := FOREIGN_LINES.get(dialect):
        lines = re.compile(foreign, re.MULTILINE | re.IGNORECASE | re.DOTALL)
        text = lines.sub(lambda match: "\n" * match[0].count("\n"), text)
    return PLACEHOLDER.sub(lambda match: match[1] or match[2] or match[3], text)


def detect_dialect(text: str) -> Dialect:
    """Return the dialect a script is written in, by marks that no other dialect knows."""
    for dialect, mark in MARKS:
        if re.search(mark, text, re.MULTILINE | re.IGNORECASE):
            return dialect
    return "postgres"


def split_at(tokens: list[Token], symbol: str) -> Iterator[list[Token]]:
    """Yield the runs of tokens between a symbol that stands outside parentheses."""
    depth, run = 0, list[Token]()
    for token in tokens:
        if token.kind == "symbol":
            depth += (token.text == "(") - (token.text == ")")
        if depth == 0 and token.kind == "symbol" and token.text == symbol:
            yield run
            run = []
        else:
            run.append(token)
    yield run


def _pattern(dialect: Dialect) -> re.Pattern[str]:
    quoted = [NAMES["double"], NAMES["backtick"]]
    if dialect in {"tsql", "sqlite"}:
        quoted.append(NAMES["bracket"])
    strings = [ESCAPED_STRING if dialect == "mysql" else STRING]
    if dialect == "postgres":
        strings.insert(0, rf"[eE]{ESCAPED_STRING}")
    if dialect in {"postgres", "duckdb"}:
        strings.append(DOLLAR_STRING)
    comment = rf"{COMMENT}|#[^\n]*" if dialect == "mysql" else COMMENT
    groups = {
        "newline": r"\n",
        "comment": comment,
        "open": r"/\*",
        "string": "|".join(strings),
        "quoted": "|".join(quoted),
        "unclosed": r"['\"`]",
        "word": WORD,
        "number": NUMBER,
        "symbol": r"[^\s]",
    }
    return re.compile("|".join(f"(?P<{name}>{part})" for name, part in groups.items()), re.DOTALL)


def _token(match: re.Match[str], *, starts_line: bool) -> Token:
    text = match[0]
    kind = KINDS[match.lastgroup or ""]
    if kind == "quoted":
        closer = text[-1]
        text = text[1:-1].replace(closer * 2, closer)
    word = text.upper() if kind == "word" else ""
    return Token(kind, text, word, match.start(), match.end(), starts_line)


def _comment_end(script: Script, start: int, *, nested: bool) -> int:
    depth = 0
    for mark in re.finditer(r"/\*|\*/", script.text[start:]):
        if mark[0] == "*/":
            depth -= 1
        elif nested or depth == 0:
            depth += 1
        if depth == 0:
            return start + mark.end()
    raise SourceError(
        "a comment opens with /* and does not end",
        where=script.at(start),
        fix="close the comment, or restore the torn file",
    )
