"""Options that stand before a command or after it: settings file, quiet, verbose, colour, version."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from warebench._version import __version__
from warebench.cli.output import NO_COLOR, VERBOSITY

if TYPE_CHECKING:
    from warebench.catalog.select import Selection

CONFIG = "warebench.config"
"""Key of a click context's `meta`: the settings file that was named before the command."""


def common_options(
    use_file: Callable[[click.Context, click.Parameter, Path | None], None],
) -> list[click.Option]:
    """Return the options that the program and every command have.

    Args:
        use_file: Called with the settings file that --config names, or None.
    """
    return [
        click.Option(
            ["--config"],
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            is_eager=True,
            expose_value=False,
            callback=use_file,
            envvar="WAREBENCH_CONFIG",
            help="Settings file; else the nearest warebench.toml or pyproject.toml above.",
        ),
        _switch(["-q", "--quiet"], _set_verbosity(-1), "Say nothing but results and errors."),
        _switch(["-v", "--verbose"], _set_verbosity(1), "Say where each value came from; show tracebacks."),
        _switch(["--no-color"], _drop_color, "Do not colour the output."),
        _switch(["--version"], _show_version, "Show the version and exit."),
    ]


def keep_file(ctx: click.Context, param: click.Parameter, value: Path | None) -> None:
    """Keep the settings file for the command that follows."""
    ctx.meta[CONFIG] = value


def _switch(names: list[str], callback: Any, text: str) -> click.Option:
    # No environment variable: WAREBENCH_BUILD_VERSION is not a question anybody asks.
    return click.Option(
        names,
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=callback,
        help=text,
        allow_from_autoenv=False,
    )


def _set_verbosity(level: int) -> Any:
    def keep(ctx: click.Context, param: click.Parameter, value: bool) -> None:
        if value:
            ctx.meta[VERBOSITY] = level

    return keep


def _drop_color(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value:
        ctx.meta[NO_COLOR] = True
        ctx.color = False


def _show_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value:
        click.echo(f"warebench {__version__}")
        ctx.exit()


def select_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that say what of a source to read; `take_selection` reads them."""
    for name, text in (
        ("--exclude", "Leave out tables or columns, as raw.*, orders or *.photo; repeatable."),
        ("--include", "Read only tables like this, as mart.*; repeatable."),
        ("--schema", "Read only this schema of a server or DuckDB file; repeatable."),
    ):
        command = click.option(name, multiple=True, help=text)(command)
    return command


def take_selection(asked: dict[str, Any]) -> "Selection":
    """Return what of a source to read, and take its options from those given.

    Args:
        asked: Options of a command, by name; `schema`, `include` and `exclude` go.
    """
    from warebench.catalog.select import Selection  # noqa: PLC0415 - help needs no reader

    return Selection(schemas=asked.pop("schema"), include=asked.pop("include"), exclude=asked.pop("exclude"))
