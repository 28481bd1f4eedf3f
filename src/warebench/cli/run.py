"""`warebench run`: models on question sets, through Inspect."""

import inspect
import json
import shlex
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from warebench.cli.command import Command, table_or_json
from warebench.cli.output import is_quiet, say, show, show_json
from warebench.cli.pairs import Pair
from warebench.errors import RunError, did_you_mean
from warebench.questions.track import Track
from warebench.tracks import TRACKS, find_track

if TYPE_CHECKING:
    from warebench.harness.run import RunResult

EXAMPLE = """
warebench run topology --questions sets/topology --model policy/planner --method tool_use --log-dir logs
warebench run topology --questions sets/topology --questions sets/topology-tables \\
    --model openai/gpt-5-mini --method all --limit-per-subtype 5
warebench run topology --questions sets/topology --model policy/random --method flat_text --dry-run"""

ALL = "all"
TASK_WORDS = ("questions", "method", "limit_per_subtype", "unsafe_local")
"""Task arguments that have a flag of their own."""


@click.command(cls=Command, example=EXAMPLE)
@click.argument("track", type=click.Choice([track.name for track in TRACKS]))
@click.option(
    "--questions",
    multiple=True,
    type=click.Path(exists=True, file_okay=False),
    help="Folder of a set; repeatable.",
)
@click.option("--model", multiple=True, required=True, help="As for Inspect, provider/model; repeatable.")
@click.option(
    "--method", multiple=True, required=True, help="See `warebench list methods`; repeatable, or all."
)
@click.option("--limit", type=click.IntRange(1), help="Ask only the first so many questions.")
@click.option(
    "--limit-per-subtype", type=click.IntRange(1), help="Ask at most so many of each subtype, drawn."
)
@click.option("--epochs", type=click.IntRange(1), help="Ask everything so many times.")
@click.option(
    "--log-dir", type=click.Path(path_type=Path, file_okay=False), default=Path("logs"), show_default=True
)
@click.option("-T", "task_arg", multiple=True, type=Pair(), help="Argument of the task; repeatable.")
@click.option("-M", "model_arg", multiple=True, type=Pair(), help="Argument of the model; repeatable.")
@click.option("--unsafe-local", is_flag=True, help="Let model-written Python run without a sandbox.")
@click.option("--dry-run", is_flag=True, help="Print the equal `inspect eval` commands, and run nothing.")
@table_or_json
@click.pass_context
def command(ctx: click.Context, /, track: str, **asked: Any) -> None:
    """Run models on a question set.

    A thin skin over Inspect: `--dry-run` prints what to type for the same without it. Without --questions a
    set is built from the bundled catalogs. Run again with the same --log-dir to resume. Exit code 1 when a
    sample errored.
    """
    chosen = find_track(track)
    arguments = list(_task_arguments(chosen, asked))
    if asked["dry_run"]:
        for one in arguments:
            show(_inspect_command(chosen, one, asked))
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


def _task_arguments(track: Track[Any], asked: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the task's arguments for every question set and method."""
    extra = {name: _value(text) for name, text in asked["task_arg"]}
    for name in extra:
        if name in TASK_WORDS:
            raise RunError(f"`{name}` has a flag of its own", fix=f"Give --{name.replace('_', '-')}.")
    fixed = {name: asked[name] for name in ("limit_per_subtype", "unsafe_local") if asked[name]}
    for folder in asked["questions"] or (None,):
        for method in _methods(track, asked["method"]):
            where = {"questions": folder} if folder else {}
            yield {**where, "method": method, **fixed, **extra}


def _methods(track: Track[Any], names: tuple[str, ...]) -> tuple[str, ...]:
    if ALL in names:
        return tuple(track.methods)
    for name in names:
        if name not in track.methods:
            raise RunError(f"no method `{name}`", fix=did_you_mean(name, [*track.methods, ALL]))
    return tuple(dict.fromkeys(names))


def _run(track: Track[Any], arguments: list[dict[str, Any]], asked: Mapping[str, Any]) -> "RunResult":
    from warebench.harness.run import run  # noqa: PLC0415  Inspect takes seconds to import

    module, name = track.task.split(":")
    task = getattr(import_module(module), name)
    known = [word for word in inspect.signature(task).parameters if word not in TASK_WORDS]
    for word in arguments[0]:
        if word not in (*TASK_WORDS, *known):
            raise RunError(f"the task has no argument `{word}`", fix=did_you_mean(word, known))
    options = {name: asked[name] for name in ("limit", "epochs") if asked[name] is not None}
    if asked["model_arg"]:
        options["model_args"] = {word: _value(text) for word, text in asked["model_arg"]}
    tasks = [task(**one) for one in arguments]
    display: Literal["rich", "none"] = "rich" if sys.stderr.isatty() and not is_quiet() else "none"
    return run(tasks, asked["model"], asked["log_dir"], display=display, options=options)


def _value(text: str) -> object:
    """Return what the text means as JSON, else the text."""
    try:
        return json.loads(text)
    except ValueError:
        return {"True": True, "False": False, "None": None}.get(text, text)


def _inspect_command(track: Track[Any], arguments: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
    """Return the shell line that does the same without warebench's command."""
    words = ["inspect", "eval", f"warebench/{track.task.split(':')[1]}", "--model", ",".join(asked["model"])]
    for name, value in arguments.items():
        words += ["-T", f"{name}={value if isinstance(value, str) else json.dumps(value)}"]
    for name, text in asked["model_arg"]:
        words += ["-M", f"{name}={text}"]
    for name in ("limit", "epochs"):
        if asked[name] is not None:
            words += [f"--{name}", str(asked[name])]
    return shlex.join([*words, "--log-dir", str(asked["log_dir"])])
