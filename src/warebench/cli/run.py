"""`warebench run`: models on question sets, through Inspect."""

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click
from click.core import ParameterSource

from warebench.cli.command import Command, table_or_json
from warebench.cli.output import is_quiet, say, show, show_json, wants_color
from warebench.cli.task_words import check_words, read_words, task_arguments, value_of, word_of
from warebench.cli.values import Pair
from warebench.questions.track import Track
from warebench.tracks import TRACKS, find_track

if TYPE_CHECKING:
    from warebench.harness.run import RunResult

EXAMPLE = """
warebench run topology --questions sets/topology --model policy/planner --method tool_use --log-dir logs
warebench run topology --questions sets/topology --questions sets/topology-tables \\
    --model openai/gpt-5-mini --method all --limit-per-subtype 5
warebench run multitable --experiment single-or-multi --model openai/gpt-5-mini --log-dir logs
warebench run topology --questions sets/topology --model policy/random --method flat_text --dry-run"""

NEARNESS = (ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT, ParameterSource.DEFAULT_MAP)
"""Where a value may come from; a flag wins over the environment, and that over the file."""


@click.command(cls=Command, example=EXAMPLE)
@click.argument("track", type=click.Choice([track.name for track in TRACKS]))
@click.option(
    "--questions",
    multiple=True,
    type=click.Path(exists=True, file_okay=False),
    help="Folder of a set; repeatable.",
)
@click.option(
    "--model",
    multiple=True,
    required=True,
    help="As Inspect names it, see `warebench list models`; repeatable.",
)
@click.option("--method", multiple=True, help="See `warebench list methods`; repeatable, or all.")
@click.option(
    "--experiment",
    help="A named comparison, see `warebench list experiments`; -T overrides its arguments.",
)
@click.option(
    "--compare",
    metavar="HOW",
    help="How results of queries are judged (budget only): strict or bird. For models: `warebench compare`.",
)
@click.option("--limit", type=click.IntRange(1), help="Ask only the first so many questions.")
@click.option(
    "--limit-per-subtype", type=click.IntRange(1), help="Ask at most so many of each subtype, drawn."
)
@click.option("--epochs", type=click.IntRange(1), help="Ask everything so many times.")
@click.option(
    "--log-dir",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("logs"),
    show_default=True,
    help="Folder for Inspect's logs.",
)
@click.option(
    "-T", "task_arg", multiple=True, type=Pair(), help="Argument of the task, as in -T calls=5; repeatable."
)
@click.option(
    "-M", "model_arg", multiple=True, type=Pair(), help="Argument of the model's provider; repeatable."
)
@click.option("--unsafe-local", is_flag=True, help="Let model-written Python run without a sandbox.")
@click.option(
    "--dry-run",
    is_flag=True,
    help="Check what was asked and print the equal `inspect eval` commands; run nothing.",
)
@table_or_json
@click.pass_context
def command(ctx: click.Context, /, track: str, **asked: Any) -> None:
    """Run models on a question set.

    A thin skin over Inspect: `--dry-run` prints what to type for the same without it. Say what to run by
    --method or by --experiment. Without --questions a set is built from what is bundled. Run again with the
    same --log-dir to resume. Exit code 1 when a sample errored.
    """
    chosen = find_track(track)
    arguments = task_arguments(chosen, asked | _overruled(ctx, asked))
    if asked["dry_run"]:
        check_words(chosen, arguments)
        _show_commands([_inspect_command(chosen, one, asked) for one in arguments], asked["format"])
        return
    result = _run(chosen, arguments, asked)
    if asked["format"] == "json":
        logs = [str(log) for log in result.logs]
        show_json({"success": result.success, "logs": logs, "errors": list(result.errors)})
    else:
        show("\n".join(str(log) for log in result.logs))
    for error in result.errors:
        say(f"Failed: {error}", always=True)
    say(f"Next: warebench score {shlex.quote(str(asked['log_dir']))}")
    if not result.success:
        ctx.exit(1)


def _overruled(ctx: click.Context, asked: Mapping[str, Any]) -> dict[str, None]:
    """Return --method or --experiment as not given where the other was said nearer to the command line."""
    names = [name for name in ("method", "experiment") if asked[name]]
    sources = {name: ctx.get_parameter_source(name) for name in names}
    nearest = next((source for source in NEARNESS if source in sources.values()), None)
    return {name: None for name, source in sources.items() if source is not nearest}


def _show_commands(commands: list[str], format: str) -> None:
    if format == "json":
        show_json({"commands": commands})
    else:
        show("\n".join(commands))


def _run(track: Track[Any], arguments: list[dict[str, Any]], asked: Mapping[str, Any]) -> "RunResult":
    from warebench.harness.run import run  # noqa: PLC0415  Inspect takes seconds to import

    tasks = read_words(track, arguments)
    options = {name: asked[name] for name in ("limit", "epochs") if asked[name] is not None}
    if asked["model_arg"]:
        options["model_args"] = {word: value_of(text) for word, text in asked["model_arg"]}
    display = _display()
    tell = say if display == "none" else None
    try:
        return run(tasks, asked["model"], asked["log_dir"], display=display, options=options, tell=tell)
    except KeyboardInterrupt as stopped:
        raise KeyboardInterrupt(f"Run the same command again to go on; logs: {asked['log_dir']}") from stopped


def _display() -> Literal["rich", "plain", "none"]:
    if is_quiet() or not sys.stderr.isatty():
        return "none"
    # Inspect's rich display sends bold and dim whatever it is told about colour.
    return "rich" if wants_color() else "plain"


def _inspect_command(track: Track[Any], arguments: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
    """Return the shell line that does the same without warebench's command."""
    words = ["inspect", "eval", f"warebench/{track.task.split(':')[1]}", "--model", ",".join(asked["model"])]
    for name, value in arguments.items():
        words += ["-T", f"{name}={word_of(value)}"]
    for name, text in asked["model_arg"]:
        words += ["-M", f"{name}={text}"]
    for name in ("limit", "epochs"):
        if asked[name] is not None:
            words += [f"--{name}", str(asked[name])]
    return shlex.join([*words, "--log-dir", str(asked["log_dir"])])
