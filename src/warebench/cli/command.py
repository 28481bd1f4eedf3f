"""What every command has: an example, settings from a file, quiet, verbose, colour."""

from pathlib import Path
from typing import Any

import click

from warebench.cli.options import CONFIG, common_options
from warebench.cli.output import is_verbose, say
from warebench.config import Settings, read_settings
from warebench.secrets import learn

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
        self.params += common_options(_use_file)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, under -v after saying where each value came from."""
        _learn_secrets(ctx)
        if is_verbose():
            _say_settings(ctx)
        return super().invoke(ctx)


def settings() -> Settings:
    """Return the settings of the running command's file."""
    found: Settings = click.get_current_context().meta[SETTINGS]
    return found


def _use_file(ctx: click.Context, param: click.Parameter, value: Path | None) -> None:
    found = read_settings(value or ctx.meta.get(CONFIG))
    ctx.meta[SETTINGS] = found
    ctx.default_map = found.of_command(ctx.info_name or "")


def _learn_secrets(ctx: click.Context) -> None:
    """Have the passwords and keys that the command was given hidden from now on."""
    for source in settings().sources.values():
        learn(source.path)
    for value in ctx.params.values():
        for word in value if isinstance(value, tuple) else (value,):
            name, text = word if isinstance(word, tuple) else ("", word)
            if isinstance(text, str):
                learn(text, name=name)


def _say_settings(ctx: click.Context) -> None:
    for name, value in ctx.params.items():
        source = ctx.get_parameter_source(name)
        origin = ORIGINS.get(source.name if source else "", "default")
        if origin == "file":
            origin = str(settings().path)
        say(f"{name} = {value!r}  ({origin})")
