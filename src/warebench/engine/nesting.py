"""SQL that takes its parser for ever, told by its tokens alone."""

from collections.abc import Iterable

from sqlglot.dialects.dialect import Dialect as Rules
from sqlglot.tokenizer_core import Token, TokenType

from warebench.engine.worker import Dialect

DEEPEST = 6
"""Brackets within brackets after the name of a type, as in `DATE(DATE(1))`: the parser reads each of them as
a type and again as a call, so that its time doubles with every one."""

TOO_DEEP = f"more than {DEEPEST} types, or calls named like types, within each other"

OPENING = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET})
CLOSING = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET})


def is_too_deep(tokens: Iterable[Token], dialect: Dialect) -> bool:
    """Return whether more than `DEEPEST` brackets after the name of a type are open at once, O(tokens).

    Args:
        tokens: Of the SQL.
        dialect: Whose types count.
    """
    types = Rules.get_or_raise(dialect).parser_class.TYPE_TOKENS
    before, deep = None, 0
    is_type: list[bool] = []
    for kind in (token.token_type for token in tokens):
        if kind in OPENING:
            is_type.append(before in types)
            deep += is_type[-1]
            if deep > DEEPEST:
                return True
        elif kind in CLOSING and is_type:
            deep -= is_type.pop()
        before = kind
    return False
