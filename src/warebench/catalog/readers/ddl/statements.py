"""Find the statements of a script that are about tables; skip routines, data and everything else."""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Literal, NamedTuple

from warebench.catalog.readers.ddl.tokens import Token

Verb = Literal["create", "alter", "drop", "misspelt"]


class Statement(NamedTuple):
    """The tokens of CREATE, ALTER or DROP TABLE, or what is almost one, from the word after TABLE on."""

    verb: Verb
    tokens: list[Token]
    start: int
    """Offset of its first character."""
    modifiers: frozenset[str]
    """The words between CREATE and TABLE: TEMPORARY, EXTERNAL, ..."""


MODIFIERS = frozenset(
    re.findall(
        r"\w+",
        """OR REPLACE GLOBAL LOCAL TEMP TEMPORARY UNLOGGED EXTERNAL FOREIGN VIRTUAL TRANSIENT COLUMN ROW
        HYBRID DYNAMIC MULTISET SET VOLATILE LIVE STREAMING""",
    )
)
"""Words that may stand between CREATE and TABLE."""
ROUTINES = frozenset({"PROCEDURE", "PROC", "FUNCTION", "TRIGGER", "EVENT", "PACKAGE", "RULE"})
STARTERS = frozenset(
    re.findall(r"\w+", "CREATE INSERT UPDATE DELETE SELECT DECLARE PRINT EXEC EXECUTE USE GRANT TRUNCATE")
)
"""Words that begin a statement when they begin a line: T-SQL needs no semicolon before them."""
PERMISSIONS = frozenset({"GRANT", "DENY", "REVOKE"})
VERBS: dict[str, Verb] = {"CREATE": "create", "ALTER": "alter", "DROP": "drop"}
ALIKE = 0.75
"""Share of letters by which a word is another one misspelt."""
BLOCK_TAILS = frozenset({"IF", "LOOP", "WHILE", "REPEAT", "FOR"})


def table_statements(tokens: list[Token]) -> Iterator[Statement]:
    """Yield the statements about tables, in order."""
    batched = any(_is_batch_end(tokens, position) for position in range(len(tokens)))
    position = 0
    while position < len(tokens):
        if _is_routine(tokens, position):
            position = _routine_end(tokens, position, batched=batched)
            continue
        end = _statement_end(tokens, position)
        if head := _table_head(tokens, position):
            words = frozenset(token.word for token in tokens[position + 1 : head - 1])
            verb = VERBS[tokens[position].word]
            yield Statement(verb, tokens[head:end], tokens[position].start, words)
        elif head := _misspelt_head(tokens, position):
            yield Statement("misspelt", tokens[head:end], tokens[position].start, frozenset())
        position = max(end, position + 1)


def _table_head(tokens: list[Token], position: int) -> int:
    """Return the position after CREATE ... TABLE, ALTER TABLE or DROP TABLE; 0 when none stands here."""
    if tokens[position].word not in VERBS:
        return 0
    for ahead in range(position + 1, min(position + 8, len(tokens))):
        if tokens[ahead].word == "TABLE":
            return ahead + 1
        if tokens[ahead].word not in MODIFIERS:
            return 0
    return 0


def _misspelt_head(tokens: list[Token], position: int) -> int:
    """Return the position after what was to be CREATE TABLE, `CREAT TABLE` or `CREATE TABEL`; 0 when none."""
    words = [token.word for token in tokens[position : position + 8]]
    if not words[0] or (words[0] not in VERBS and not get_close_matches(words[0], VERBS, 1, ALIKE)):
        return 0
    behind = next((n for n, word in enumerate(words[1:], 1) if word not in MODIFIERS), 0)
    alike = behind and words[behind] and get_close_matches(words[behind], ["TABLE"], 1, ALIKE)
    return position + behind + 1 if alike else 0


def _statement_end(tokens: list[Token], position: int) -> int:
    permission = tokens[position].word in PERMISSIONS
    depth = 0
    for end in range(position, len(tokens)):
        token = tokens[end]
        if token.kind == "symbol":
            depth += (token.text == "(") - (token.text == ")")
            if token.text == ";":
                return end
        elif end > position and token.kind == "word":
            if _is_batch_end(tokens, end) or (not permission and _table_head(tokens, end)):
                return end
            if depth <= 0 and _starts_statement(tokens, end):
                return end
    return len(tokens)


def _starts_statement(tokens: list[Token], position: int) -> bool:
    # A line of `ON <newline> DELETE CASCADE` begins no statement.
    token = tokens[position]
    return token.starts_line and token.word in STARTERS and tokens[position - 1].word != "ON"


def _is_batch_end(tokens: list[Token], position: int) -> bool:
    """Tell whether GO stands alone on its line (a repeat count may follow it)."""
    if tokens[position].word != "GO" or not tokens[position].starts_line:
        return False
    following = tokens[position + 1 : position + 3]
    after = following[1:] if following and following[0].kind == "number" else following
    return not after or after[0].starts_line or after[0].text == ";"


def _is_routine(tokens: list[Token], position: int) -> bool:
    if tokens[position].word not in {"CREATE", "ALTER"}:
        return False
    for token in tokens[position + 1 : position + 10]:
        if token.word in ROUTINES:
            return True
        # What stands between: OR REPLACE, DEFINER = `root`@`localhost`. Then it was no routine:
        if token.text == "(" or token.word in {"TABLE", "VIEW", "INDEX", "TYPE", "SCHEMA", "ON", "AS"}:
            return False
    return False


def _routine_end(tokens: list[Token], position: int, *, batched: bool) -> int:
    """Return where a routine ends: at the batch's end, or after its last END."""
    depth = 0
    for end in range(position, len(tokens)):
        token = tokens[end]
        if batched and _is_batch_end(tokens, end):
            return end
        if token.word in {"BEGIN", "CASE"} and tokens[end - 1].word != "END":
            depth += 1
        elif token.word == "END" and not (end + 1 < len(tokens) and tokens[end + 1].word in BLOCK_TAILS):
            depth -= 1
        elif token.text == ";" and token.kind == "symbol" and depth <= 0 and not batched:
            return end
    return len(tokens)
