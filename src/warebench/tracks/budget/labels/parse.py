"""SQL text to one parsed query, or the reason why not."""

from sqlglot import exp, parse, tokenize
from sqlglot.dialects.dialect import Dialect as Rules
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from warebench.tracks.budget.labels.model import Dialect, Unlabelled

LONGEST = 100_000
"""Characters of SQL that are read; nobody asks for more, and parsing takes time by length."""

DEEPEST = 6
"""Brackets within brackets after the name of a type, as in `DATE(DATE(1))`: the parser reads each of them as
a type and again as a call, so that its time doubles with every one."""

OPENING = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET})
CLOSING = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET})

STARTS = frozenset({"SELECT", "WITH", "VALUES", "FROM", "("})
"""First words of a query; anything else writes, sets or explains."""

WRITES = frozenset(
    [
        "ALTER",
        "ATTACH",
        "COPY",
        "CREATE",
        "DELETE",
        "DETACH",
        "DROP",
        "EXPORT",
        "IMPORT",
        "INSERT",
        "INSTALL",
        "LOAD",
        "MERGE",
        "REINDEX",
        "REPLACE",
        "TRUNCATE",
        "UPDATE",
        "VACUUM",
    ]
)
"""First words of statements that change the database or what it is connected to."""

CHANGES = (exp.DML, exp.DDL, exp.Into)


def parse_query(sql: str, dialect: Dialect) -> exp.Expr | Unlabelled:
    """Return the one query a text holds; a final semicolon and comments do not count.

    Identifiers keep their place in the text (`meta`), for rewriting without rendering anew.
    """
    if len(sql) > LONGEST:
        return Unlabelled(reason="too_long", detail=f"{len(sql)} characters")
    try:
        tokens = tokenize(sql, read=dialect)
        if refused := _refused(tokens, dialect):
            return refused
        statements = [tree for tree in parse(sql, read=dialect) if tree is not None]
    except (SqlglotError, RecursionError) as error:
        return Unlabelled(reason="unparsable", detail=_words(error))
    except (ValueError, TypeError, AttributeError, IndexError, KeyError) as error:
        # The parser's own slips on text that is no SQL: the text comes from a model, so it is an outcome.
        return Unlabelled(reason="unparsable", detail=f"{type(error).__name__}: {error}")
    return _checked(statements[0], dialect) if statements else Unlabelled(reason="empty")


def _checked(tree: exp.Expr, dialect: Dialect) -> exp.Expr | Unlabelled:
    if changing := tree.find(*CHANGES):
        # `WITH x AS (DELETE ...)` and `SELECT INTO` are queries by their first word only.
        return Unlabelled(reason="write", detail=changing.key.upper())
    if not isinstance(tree, exp.Query | exp.Values):
        return Unlabelled(reason="not_a_query", detail=tree.key)
    if dialect == "sqlite" and any(node.args.get("field") for node in tree.find_all(exp.In)):
        # `x IN t` reads a table that the parser takes for a column.
        return Unlabelled(reason="unsupported", detail="IN without brackets")
    return tree


def _refused(tokens: list[Token], dialect: Dialect) -> Unlabelled | None:
    while tokens and tokens[-1].token_type == TokenType.SEMICOLON:
        tokens = tokens[:-1]
    if not tokens:
        return Unlabelled(reason="empty")
    if any(token.token_type == TokenType.SEMICOLON for token in tokens):
        return Unlabelled(reason="several_statements")
    if _depth(tokens, dialect) > DEEPEST:
        return Unlabelled(
            reason="unsupported", detail=f"more than {DEEPEST} types or such calls in each other"
        )
    first = tokens[0].text.upper()
    if first in STARTS:
        return None
    return Unlabelled(reason="write" if first in WRITES else "not_a_query", detail=first)


def _depth(tokens: list[Token], dialect: Dialect) -> int:
    """Return how many brackets after the name of a type are open at once, at most."""
    types = Rules.get_or_raise(dialect).parser_class.TYPE_TOKENS
    deepest, before = 0, None
    is_type: list[bool] = []
    for kind in (token.token_type for token in tokens):
        if kind in OPENING:
            is_type.append(before in types)
            deepest = max(deepest, sum(is_type)) if is_type[-1] else deepest
        elif kind in CLOSING and is_type:
            is_type.pop()
        before = kind
    return deepest


def _words(error: Exception) -> str:
    return str(error).split("\n")[0] or type(error).__name__
