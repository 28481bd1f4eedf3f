"""What went wrong, as Inspect keeps it, in one line for a reader."""

import ast
import re
from contextlib import suppress

from warebench.secrets import mask

LONGEST = 300
"""Characters of a line."""
_RAISED = re.compile(r"(?P<kind>\w+)\((?P<text>(?:'.*'|\".*\"))\)", re.DOTALL)
_GIVEN_UP = re.compile(r"RetryError\(<Future at \w+ state=\w+ raised (\w+)>\)")
"""Of tenacity, with an address in memory: it would make each sample's reason another one."""


def first_line(message: str) -> str:
    r"""Return the first line that says something.

    Inspect keeps an exception as Python writes it: its text is read back, so that no `\n` stands in it.

    Example:
        >>> first_line("OSError('the wire broke\\nsecond line')")
        'OSError: the wire broke'
    """
    message = _GIVEN_UP.sub(r"\1, however often it was sent again", message)
    if raised := _RAISED.fullmatch(message.strip()):
        with suppress(SyntaxError, ValueError):
            message = f"{raised['kind']}: {ast.literal_eval(raised['text'])}"
    said = (line.strip() for line in message.splitlines() if line.strip())
    return mask(next(said, "unknown error"))[:LONGEST]
