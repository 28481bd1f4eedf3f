"""SQL text to one parsed query, or the reason why not."""

from sqlglot import exp, parse, tokenize
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from warebench.engine.nesting import TOO_DEEP, is_too_deep
from warebench.sql.labels.model import Dialect, Unlabelled

LONGEST = 100_000
"""Characters of SQL that are read; nobody asks for more, and parsing takes time by length."""

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
    if is_too_deep(tokens, dialect):
        return Unlabelled(reason="unsupported", detail=TOO_DEEP)
    first = tokens[0].text.upper()
    if first in STARTS:
        return None
    return Unlabelled(reason="write" if first in WRITES else "not_a_query", detail=first)


def _words(error: Exception) -> str:
    return str(error).split("\n")[0] or type(error).__name__
