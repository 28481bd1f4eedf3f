"""What every command has: an example, settings from a file, quiet, verbose, colour."""

from pathlib import Path
from typing import Any

import click

from warebench._version import __version__
from warebench.cli.output import NO_COLOR, VERBOSITY, is_verbose, say
from warebench.config import FILE_NAME, Settings, read_settings

SETTINGS = "warebench.settings"
ORIGINS = {"COMMANDLINE": "flag", "ENVIRONMENT": "environment", "DEFAULT_MAP": "file"}

table_or_json = click.option(
    "--format", type=click.Choice(["table", "json"]), default="table", show_default=True
)
"""For commands that print data."""


class Command(click.Command):
    """A click command with the common options and an example at the end of its help.

    Args:
        example: Shell lines, shown under "Example:".
    """

    def __init__(self, name: str | None, *, example: str, **kwargs: Any) -> None:
        lines = "\n".join(f"  {line}" for line in example.strip().splitlines())
        super().__init__(name, **kwargs)
        self.epilog = f"\b\nExample:\n{lines}"
        self.params += _common()

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, under -v after saying where each value came from."""
        if is_verbose():
            _say_settings(ctx)
        return super().invoke(ctx)


def settings() -> Settings:
    """Return the settings of the running command's file."""
    found: Settings = click.get_current_context().meta[SETTINGS]
    return found


def _common() -> list[click.Parameter]:
    return [
        click.Option(
            ["--config"],
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            is_eager=True,
            expose_value=False,
            callback=_use_file,
            envvar="WAREBENCH_CONFIG",
            help=f"Settings file; else the nearest {FILE_NAME} or pyproject.toml above.",
        ),
        _switch(["-q", "--quiet"], _set_verbosity(-1), "Say nothing but results and errors."),
        _switch(["-v", "--verbose"], _set_verbosity(1), "Say where each value came from; show tracebacks."),
        _switch(["--no-color"], _drop_color, "Do not colour the output."),
        _switch(["--version"], _show_version, "Show the version and exit."),
    ]


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


def _use_file(ctx: click.Context, param: click.Parameter, value: Path | None) -> None:
    found = read_settings(value)
    ctx.meta[SETTINGS] = found
    ctx.default_map = found.of_command(ctx.info_name or "")


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


def _say_settings(ctx: click.Context) -> None:
    for name, value in ctx.params.items():
        source = ctx.get_parameter_source(name)
        origin = ORIGINS.get(source.name if source else "", "default")
        if origin == "file":
            origin = str(settings().path)
        say(f"{name} = {value!r}  ({origin})")
