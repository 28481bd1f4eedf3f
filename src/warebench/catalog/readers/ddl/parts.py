"""The small pieces of SQL that statements are made of: names, lists, groups, and the error for them."""

from warebench.catalog.assemble import TableName
from warebench.catalog.readers.ddl.tokens import Script, Token, split_at
from warebench.errors import SourceError

Tokens = list[Token]

NAMES = frozenset({"word", "quoted", "string"})
"""Tokens that can be a name: SQLite and MySQL also take 'orders' for one."""


def is_open(token: Token) -> bool:
    """Tell whether a token is an opening parenthesis."""
    return token.kind == "symbol" and token.text == "("


def table_name(tokens: Tokens, script: Script, start: int) -> tuple[TableName, Tokens]:
    """Read `database.schema.table` and return it with the tokens after it.

    Raises:
        SourceError: No name stands there.
    """
    parts = [""]
    position = 0
    while position < len(tokens):
        token = tokens[position]
        if token.kind in NAMES and not parts[-1]:
            parts[-1] = name_text(token)
        elif token.text == "." and token.kind == "symbol":
            parts.append("")
        else:
            break
        position += 1
    if not parts[-1]:
        raise fault("a table's name is missing", script, tokens[0].start if tokens else start)
    return TableName(*["", "", *parts][-3:]), tokens[position:]


def name_text(token: Token) -> str:
    """Return a name without the single quotes it may stand in."""
    return token.text[1:-1].replace("''", "'") if token.kind == "string" else token.text


def first_list(tokens: Tokens, script: Script, name: TableName) -> tuple[str, ...]:
    """Return the column names in the first parentheses; prefix lengths and sort orders are let pass.

    Raises:
        SourceError: There is no list, or it holds something else than names.
    """
    opening = next((position for position, token in enumerate(tokens) if is_open(token)), None)
    if opening is None:
        raise fault("a key names no column", script, tokens[0].start, name)
    body, _ = group(tokens[opening:], script, name)
    columns = list(split_at(body, ","))
    if not all(column and column[0].kind in NAMES for column in columns):
        raise fault("a key's column list cannot be read", script, tokens[opening].start, name)
    return tuple(name_text(column[0]) for column in columns)


def group(tokens: Tokens, script: Script, name: TableName) -> tuple[Tokens, Tokens]:
    """Split tokens that begin with a parenthesis into its content and what follows it.

    Raises:
        SourceError: The parenthesis is not closed.
    """
    depth = 0
    for position, token in enumerate(tokens):
        if token.kind == "symbol":
            depth += (token.text == "(") - (token.text == ")")
        if depth == 0:
            return tokens[1:position], tokens[position + 1 :]
    raise fault("a parenthesis is not closed: the script is torn", script, tokens[0].start, name)


def skip(tokens: Tokens, *words: str) -> Tokens:
    """Return the tokens without these leading words, or unchanged when others stand there."""
    if [token.word for token in tokens[: len(words)]] == list(words):
        return tokens[len(words) :]
    return tokens


def fault(what: str, script: Script, offset: int, name: TableName | None = None) -> SourceError:
    """Return the error for a statement that cannot be read, naming file, line and table."""
    table = f", table {'.'.join(part for part in name if part)}" if name else ""
    return SourceError(
        what,
        where=f"{script.at(offset)}{table}",
        fix="correct the script, or let the database dump its schema (as with `pg_dump --schema-only`)",
    )
