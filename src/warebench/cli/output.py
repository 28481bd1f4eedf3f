"""Where output goes: results on stdout, talk on stderr; nothing secret, and nothing that moves the cursor."""

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path

import click

from warebench.errors import UserError
from warebench.secrets import mask, mask_values

VERBOSITY = "warebench.verbosity"
NO_COLOR = "warebench.no_color"
"""Keys of a click context's `meta`, which a command shares with the program."""


def is_verbose() -> bool:
    """Return whether -v was given."""
    return _verbosity() > 0


def is_quiet() -> bool:
    """Return whether -q was given."""
    return _verbosity() < 0


def wants_color() -> bool:
    """Return whether neither --no-color nor NO_COLOR (https://no-color.org) was given."""
    context = click.get_current_context(silent=True)
    refused = bool(context and context.meta.get(NO_COLOR))
    return not refused and not os.environ.get("NO_COLOR")


def say(text: str, *, title: str = "", always: bool = False) -> None:
    """Write talk to stderr; under -q only what must be said.

    Args:
        text: What to say.
        title: Word before it, in red.
        always: Also under -q.
    """
    if always or not is_quiet():
        red = f"{click.style(title, fg='red')} " if title else ""
        click.echo(red + printable(mask(text)), err=True, color=_color())


def show(text: str) -> None:
    """Write a result to stdout."""
    click.echo(printable(mask_values(text)), color=_color())


def show_json(value: object) -> None:
    """Write a result to stdout as JSON."""
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    # what JSON does not escape itself, a terminal may obey all the same
    click.echo(_CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", mask_values(text)))


_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""What a terminal obeys in place of showing it (escapes, returns, the direction of writing), and halves of
characters, which have no bytes."""


def printable(text: str) -> str:
    """Return text of which a terminal shows every character; a name may hold sequences that it would obey."""
    return _CONTROL.sub(lambda found: ascii(found[0])[1:-1], text)


def table(headers: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return rows as aligned text, numbers to the right; nothing is ever cut off or wrapped."""
    cells = [[printable(str(cell)) for cell in row] for row in rows]
    widths = [max(len(cell) for cell in column) for column in zip(headers, *cells, strict=True)]
    numeric = [
        bool(rows) and all(isinstance(row[i], int | float) or _is_number(str(row[i])) for row in rows)
        for i in range(len(headers))
    ]

    def line(row: Sequence[str]) -> str:
        fitted = (
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        )
        return "  ".join(fitted).rstrip()

    return "\n".join([line(list(headers)), line(["-" * width for width in widths]), *map(line, cells)])


def _is_number(text: str) -> bool:
    """Return whether a cell reads as a number, a bound on one, or a dash in place of one."""
    digits = text.strip(" <+-%\N{MINUS SIGN}\N{EN DASH}").replace(".", "")
    return digits.isdigit() or not digits


def _verbosity() -> int:
    context = click.get_current_context(silent=True)
    return int(context.meta.get(VERBOSITY, 0)) if context else 0


def _color() -> bool | None:
    return None if wants_color() else False


def write_text(path: Path, text: str) -> None:
    """Write a text file, whole or not at all.

    Raises:
        UserError: It cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():  # a device or a pipe, such as /dev/stdout
            path.write_text(text, encoding="utf-8", newline="\n")
            return
        target = path.resolve()
        partial = target.with_name(f".{target.name}.partial")
        try:
            partial.write_text(text, encoding="utf-8", newline="\n")
            os.replace(partial, target)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:
        raise UserError(
            f"cannot write: {error.strerror}", where=str(path), fix="Give a place you may write to."
        ) from error
