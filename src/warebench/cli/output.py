"""Where output goes: results on stdout, talk on stderr."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

import click

from warebench.errors import UserError

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


def say(text: str, *, always: bool = False) -> None:
    """Write talk to stderr; under -q only what must be said."""
    if always or not is_quiet():
        click.echo(text, err=True, color=_color())


def show(text: str) -> None:
    """Write a result to stdout."""
    click.echo(text, color=_color())


def show_json(value: object) -> None:
    """Write a result to stdout as JSON."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False))


def table(headers: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return rows as aligned text, numbers to the right; nothing is ever cut off or wrapped."""
    cells = [[str(cell) for cell in row] for row in rows]
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
