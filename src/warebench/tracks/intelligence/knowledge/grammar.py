"""The second reader of the expression language: tokens by one pattern, then precedence climbing.

`expressions` reads the same texts with sqlglot, for the SQL. This one reads what the user wrote for the
method in memory, shares nothing with it, and refuses what the two could take differently: comparisons in a
row.

Source: V. R. Pratt, Top Down Operator Precedence, 1973; how tightly DuckDB's operators bind.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from warebench.errors import KnowledgeError

TOKEN = re.compile(
    r"""\s+|--[^\n]*|/\*.*?\*/
    |(?P<cast>::)
    |(?P<number>(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?![\w.]))
    |'(?P<text>(?:[^']|'')*)'
    |"(?P<quoted>(?:[^"]|"")+)"
    |[:$](?P<parameter>[a-z_]\w*)
    |(?P<word>[^\W\d]\w*)
    |(?P<sign>//|<>|!=|==|<=|>=|[-+*/%=<>(),.])""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
KEYWORDS = frozenset(
    ("AND", "OR", "NOT", "IS", "NULL", "IN", "BETWEEN", "LIKE", "CASE", "WHEN", "THEN", "ELSE", "END", "TRUE",
     "FALSE", "FROM", "AS", "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP")
)  # fmt: skip
SPELLINGS = {"!=": "<>", "==": "=", "IFNULL": "COALESCE", "NVL": "COALESCE", "DATEDIFF": "DATE_DIFF",
             "DAYOFWEEK": "DOW"}  # fmt: skip
UNITS = ("YEAR", "QUARTER", "MONTH", "DAY", "DOW", "HOUR")
COMPARED, SIGNED = 4, 7
BINDS = {
    "OR": 1, "AND": 2, "=": 4, "<>": 4, "<": 4, "<=": 4, ">": 4, ">=": 4, "IS": 4, "IN": 4, "BETWEEN": 4,
    "LIKE": 4, "NOT": 4, "+": 5, "-": 5, "*": 6, "/": 6, "//": 6, "%": 6, "::": 8,
}  # fmt: skip
"""How tightly each operator binds; NOT here is that of NOT IN, and before a condition it binds as 3."""

MANY = 10_000
ARGUMENTS = {
    "ABS": (1, 1), "NULLIF": (2, 2), "MOD": (2, 2), "COALESCE": (1, MANY), "LEAST": (1, MANY),
    "GREATEST": (1, MANY),
}  # fmt: skip
"""Fewest and most arguments of the plain functions."""


@dataclass(frozen=True, slots=True)
class Node:
    """A part of a formula: an operator or function by its name in capitals, over its parts."""

    name: str
    parts: tuple["Node", ...] = ()
    word: str = ""
    """Of a literal, parameter or column: as it is spelled; of EXTRACT: the unit."""
    alias: str = ""

    def walk(self) -> Iterator["Node"]:
        """Yield the node and all below it."""
        yield self
        for part in self.parts:
            yield from part.walk()


@lru_cache(maxsize=4096)
def read_formula(text: str) -> Node:
    """Return the tree of an expression of the language.

    Args:
        text: As a knowledge base writes it.

    Raises:
        KnowledgeError: It leaves the language.
    """
    reader = _Reader(text, list(_tokens(text)))
    try:
        found = reader.read(0)
    except RecursionError as error:
        raise reader.refuse() from error
    if reader.head != "end of text":
        raise reader.refuse()
    return found


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """Yield kind and spelling of each token; operators, keywords and functions are their own kind."""
    at = 0
    while at < len(text):
        found = TOKEN.match(text, at)
        if not found:
            raise KnowledgeError(f"`{text}`: `{text[at]}` is not known", fix="write plain SQL")
        at, kind = found.end(), found.lastgroup
        if kind is None:
            continue
        word = found[kind]
        if kind in ("sign", "cast") or (kind == "word" and word.upper() in KEYWORDS):
            yield SPELLINGS.get(word.upper(), word.upper()), word
        elif kind in ("text", "quoted"):
            sign = found[0][0]
            yield kind, word.replace(2 * sign, sign)
        else:
            yield kind, word
    yield "end of text", ""


@dataclass(slots=True)
class _Reader:
    text: str
    tokens: list[tuple[str, str]]
    at: int = field(default=0)

    @property
    def head(self) -> str:
        return self.tokens[self.at][0]

    def refuse(self) -> KnowledgeError:
        said = self.tokens[self.at][1] or self.head
        return KnowledgeError(
            f"`{self.text}`: `{said}` cannot stand where it does",
            fix="write it as the documents write expressions, with brackets where two readings are possible",
        )

    def take(self, *kinds: str) -> str:
        """Return the spelling of the next token, which must be of one of some kinds."""
        if self.head not in kinds:
            raise self.refuse()
        self.at += 1
        return self.tokens[self.at - 1][1]

    def accept(self, kind: str) -> bool:
        found = self.head == kind
        self.at += found
        return found

    def read(self, least: int) -> Node:
        """Return the longest expression whose operators bind at least so tightly."""
        left = self.first(least)
        while (power := BINDS.get(self.head, -1)) >= least:
            left = self.then(left)
            if power == COMPARED and BINDS.get(self.head) == COMPARED:
                raise self.refuse()
        return left

    def first(self, least: int) -> Node:
        match self.head:
            case "(":
                return self.bracketed()[0]
            case "-" | "+" as sign:
                self.at += 1
                inner = self.read(SIGNED)
                return Node("NEGATIVE", (inner,)) if sign == "-" else inner
            case "NOT" if least < COMPARED:
                self.at += 1
                return Node("NOT", (self.read(COMPARED - 1),))
            case "CASE":
                return self.case()
            case "number" | "text" | "parameter" | "NULL" | "TRUE" | "FALSE" as kind:
                return Node(kind, word=self.take(kind))
            case _:
                return self.name()

    def then(self, left: Node) -> Node:
        """Return what an operator makes of all that is left of it."""
        operator = self.head
        self.at += 1
        match operator:
            case "IS":
                negated = self.accept("NOT")
                self.take("NULL")
                found = Node("IS NULL", (left,))
                return Node("NOT", (found,)) if negated else found
            case "NOT":
                if self.head not in ("IN", "BETWEEN", "LIKE"):
                    raise self.refuse()
                return Node("NOT", (self.then(left),))
            case "IN":
                return Node("IN", (left, *self.bracketed(most=MANY, literal=True)))
            case "BETWEEN":
                low = self.read(COMPARED + 1)
                self.take("AND")
                return Node("BETWEEN", (left, low, self.read(COMPARED + 1)))
            case "LIKE":
                return Node("LIKE", (left,), word=self.take("text"))
            case "::":
                return self.day(left)
            case _:
                return Node(operator, (left, self.read(BINDS[operator] + 1)))

    def case(self) -> Node:
        """Return CASE: its subject (TRUE where there is none), ELSE, then WHEN and THEN by turns."""
        self.take("CASE")
        subject = Node("TRUE") if self.head == "WHEN" else self.read(0)
        branches: list[Node] = []
        while not branches or self.head == "WHEN":
            self.take("WHEN")
            branches.append(self.read(0))
            self.take("THEN")
            branches.append(self.read(0))
        other = self.read(0) if self.accept("ELSE") else Node("NULL")
        self.take("END")
        return Node("CASE", (subject, other, *branches))

    def name(self) -> Node:
        """Return a column, a bare name, DATE '...' or a call."""
        quoted = self.head == "quoted"
        first = self.take("word", "quoted")
        if not quoted and self.head == "(":
            return self.call(SPELLINGS.get(first.upper(), first.upper()))
        if not quoted and first.upper() == "DATE" and self.head == "text":
            return Node("day", word=self.take("text"))
        if not self.accept("."):
            return Node("column", word=first)
        self.at += 1  # after a dot a keyword is a name
        kind, word = self.tokens[self.at - 1]
        if kind not in ("word", "quoted", *KEYWORDS) or self.head == ".":
            raise self.refuse()
        return Node("column", word=word, alias=first)

    def call(self, name: str) -> Node:
        if name in ARGUMENTS:
            fewest, most = ARGUMENTS[name]
            parts = self.bracketed(fewest, most)
            return Node("%" if name == "MOD" else name, parts)
        start = self.at
        self.take("(")
        match name:
            case "EXTRACT" | "DATE_PART":
                unit = self.unit()
                self.take("FROM" if name == "EXTRACT" else ",")
                found = Node("EXTRACT", (self.read(0),), word=unit)
            case "DATE_DIFF" if self.take("text").upper() == "DAY":
                self.take(",")
                before = self.read(0)
                self.take(",")
                found = Node(name, (before, self.read(0)))
            case "CAST":
                inner = self.read(0)
                self.take("AS")
                found = self.day(inner)
            case _:
                self.at = start - 1
                raise self.refuse()
        self.take(")")
        return found

    def unit(self) -> str:
        """Return what EXTRACT takes out of a moment."""
        word = self.take("word", "text").upper()
        unit = SPELLINGS.get(word, word)
        if unit not in UNITS:
            raise self.refuse()
        return unit

    def day(self, inner: Node) -> Node:
        """Return a moment as its day."""
        if self.take("word").upper() != "DATE":
            raise self.refuse()
        return Node("day", word=inner.word) if inner.name == "text" else Node("DAY", (inner,))

    def bracketed(self, fewest: int = 1, most: int = 1, *, literal: bool = False) -> tuple[Node, ...]:
        """Return a list in brackets of so many expressions, or of literals."""
        self.take("(")
        found = [self.read(SIGNED if literal else 0)]
        while self.accept(","):
            found.append(self.read(SIGNED if literal else 0))
        if not fewest <= len(found) <= most:
            raise self.refuse()
        self.take(")")
        return tuple(found)
