"""The `warebench` program: its table of commands and its exit codes.

Exit codes: 0 done; 1 done, but with findings, errored samples or a missed threshold; 2 could not do it;
130 Ctrl-C.
"""

import os
import sys
import traceback
from importlib import import_module
from io import StringIO
from typing import Any, NoReturn

import click

from warebench.cli.options import common_options, keep_file
from warebench.cli.output import is_verbose, say
from warebench.errors import UserError

COMMANDS: dict[str, str] = {
    "init": "Write a commented warebench.toml.",
    "catalog": "Read a source and show or save its catalog.",
    "audit": "Judge questions with SQL as gold, before any model sees them.",
    "build": "Build a question set from catalogs.",
    "check": "Prove question sets again and look for faults.",
    "diff": "Compare two builds of a set, question by question.",
    "run": "Run models on a question set.",
    "score": "Turn logs into a score table.",
    "report": "Write a report about a score table.",
    "compare": "Compare two models question by question.",
    "list": "List what there is to choose from.",
}
"""Command -> what it does. `warebench.cli.NAME` is imported when the command is used, so help is fast."""

COULD_NOT, INTERRUPTED = 2, 130

DUCKDB_INTERRUPTED = "Query interrupted"
"""DuckDB turns Ctrl-C during a query into a RuntimeError of this text."""

EXAMPLE = """\b
Example:
  warebench build topology --source shop.duckdb --out sets/shop
  warebench run topology --questions sets/shop --model policy/planner --method tool_use
  warebench score logs
  warebench report scores.parquet"""


class Program(click.Group):
    """A group that loads its commands late and never shows a user a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of the work."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command; None when there is no such command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"warebench.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command to run; an unknown one is an error that names the closest."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.exceptions.NoSuchCommand(args[0], possibilities=COMMANDS, ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table of commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; every way to fail has its exit code."""
        try:
            return super().invoke(ctx)
        except UserError as error:
            say(str(error), title="Error:", always=True)
        except (KeyboardInterrupt, click.Abort) as stopped:
            _stop(ctx, str(stopped))
        except click.exceptions.Exit:
            raise
        except click.ClickException as error:
            said = StringIO()
            error.show(said)
            say(said.getvalue().rstrip("\n"), always=True)
        except BrokenPipeError:
            # Whoever reads our output has had enough; a flush at exit must not complain about it.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(0)
        except (OSError, MemoryError) as error:
            _report_system(error)
        except Exception as error:
            if str(error) == DUCKDB_INTERRUPTED:
                _stop(ctx)
            _report_bug(error)
        ctx.exit(COULD_NOT)


def _stop(ctx: click.Context, how_to_go_on: str = "") -> NoReturn:
    say(f"Interrupted. {how_to_go_on}".rstrip(), always=True)
    ctx.exit(INTERRUPTED)


def _report_system(error: OSError | MemoryError) -> None:
    if isinstance(error, MemoryError):
        said = "there is not enough memory\n  fix: Give less at once, or run it where there is more."
        say(said, title="Error:", always=True)
    elif error.filename is None:
        _report_bug(error)
    else:
        say(f"{error.strerror}\n  where: {error.filename}", title="Error:", always=True)


def _report_bug(error: Exception) -> None:
    title = "This is a bug of warebench, please report it:"
    say(f"{type(error).__name__}: {error}", title=title, always=True)
    if is_verbose():
        say("".join(traceback.format_exception(error)), always=True)
    else:
        say("Add -v for the traceback.", always=True)


@click.command(
    cls=Program,
    params=list(common_options(keep_file)),
    epilog=EXAMPLE,
    context_settings={"auto_envvar_prefix": "WAREBENCH", "help_option_names": ["-h", "--help"]},
)
def main() -> None:
    """Benchmarks with provable answers from any data warehouse.

    Point it at a database, a script of CREATE TABLE statements or a catalog JSON, build questions whose
    answers are proved twice, run any model on them and report with honest statistics.
    """
