"""What `warebench run` hands to a track's Inspect task: from words on the command line to arguments."""

import contextlib
import inspect
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, get_type_hints

import click
import msgspec

from warebench.errors import RunError, SetError, did_you_mean
from warebench.questions.track import Track
from warebench.questions.values import in_words

ALL = "all"
ALONE = "question"
"""The method that shows nothing: for agents, so not among all that are asked of a model."""
ORACLE = "policy/oracle"
FLAGS = ("questions", "method", "limit_per_subtype", "unsafe_local", "compare")
"""Task arguments that have a flag of their own."""


def task_arguments(track: Track[Any], asked: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the task's arguments for every question set and every method, or run of an experiment.

    Args:
        track: The track.
        asked: The command's options by name.

    Raises:
        RunError: A method or an experiment is unknown, an argument has a flag of its own, or `policy/oracle`
            is to write queries.
        click.UsageError: Not exactly one of --method and --experiment is given.
    """
    extra = {name: value_of(text) for name, text in asked["task_arg"]}
    for name in extra:
        if name in FLAGS:
            raise RunError(f"`{name}` has a flag of its own", fix=f"Give --{name.replace('_', '-')}.")
    fixed = {name: asked[name] for name in ("limit_per_subtype", "unsafe_local", "compare") if asked[name]}
    runs = [{**run, **fixed, **extra} for run in _runs(track, asked)]
    _check_oracle(track, asked["model"], runs)
    folders = [{"questions": folder} for folder in _distinct(asked["questions"])] or [{}]
    return _without_twins([{**folder, **run} for folder in folders for run in runs])


def _check_oracle(track: Track[Any], models: Sequence[str], runs: Sequence[Mapping[str, Any]]) -> None:
    """Refuse the policy that says gold where a query is asked for: it would be wrong everywhere."""
    for method in sorted({run["method"] for run in runs} & set(track.queries)):
        if ORACLE in models:
            raise RunError(
                f"`{ORACLE}` says the answer, and `{method}` asks for a query",
                fix=f"Give --model policy/{track.queries[method]}, or other methods by name.",
            )


def _runs(track: Track[Any], asked: Mapping[str, Any]) -> Sequence[dict[str, Any]]:
    if asked["method"] and asked["experiment"]:
        raise click.UsageError(
            "--method and --experiment exclude each other: an experiment names its methods."
        )
    if asked["experiment"]:
        return _experiment(track, asked["experiment"])
    if not asked["method"]:
        raise click.UsageError("Missing option '--method' or '--experiment'.")
    return [{"method": name} for name in _methods(track, asked["method"])]


def _experiment(track: Track[Any], name: str) -> Sequence[dict[str, Any]]:
    known = {experiment.name: experiment for experiment in track.experiments}
    if not known:
        raise RunError(f"the {track.name} track has no named experiments", fix="Give --method.")
    if name not in known:
        raise RunError(f"the {track.name} track has no experiment `{name}`", fix=did_you_mean(name, known))
    return known[name].runs


def _methods(track: Track[Any], names: Sequence[str]) -> Sequence[str]:
    if ALL in names:
        return tuple(name for name in track.methods if name != ALONE)
    for name in names:
        if name not in track.methods:
            raise RunError(f"no method `{name}`", fix=did_you_mean(name, [*track.methods, ALL]))
    return tuple(dict.fromkeys(names))


def _distinct(folders: Sequence[str]) -> list[str]:
    """Return each folder once, as it was first written."""
    return list({Path(folder).resolve(): folder for folder in reversed(folders)}.values())[::-1]


def _without_twins(runs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the runs without repetitions, which -T makes of an experiment that varies what it sets."""
    return [run for at, run in enumerate(runs) if run not in runs[:at]]


def check_words(track: Track[Any], arguments: Sequence[Mapping[str, Any]]) -> None:
    """Refuse what `read_words` would refuse, but build no set where none was given: that can take minutes.

    Raises:
        RunError: The task has no such argument, a value does not fit, or nothing is left to ask.
        SetError: A set cannot be read.
    """
    for run in arguments:
        if "questions" in run:
            read_words(track, [run])
            continue
        # Tasks look at their settings first and at the set last, and this one is not there.
        with contextlib.suppress(SetError):
            read_words(track, [{**run, "questions": os.devnull}])


def read_words(track: Track[Any], arguments: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Return the track's Inspect tasks, one for each run.

    Raises:
        RunError: The task has no such argument, or a value does not fit.
    """
    module, name = track.task.split(":")
    task = getattr(import_module(module), name)
    kinds = get_type_hints(inspect.unwrap(task))
    parameters = inspect.signature(task).parameters
    known = [word for word in parameters if word not in FLAGS]
    for word in (word for run in arguments for word in run if word not in parameters):
        if word in FLAGS:
            flag = f"--{word.replace('_', '-')}"
            raise RunError(f"the {track.name} track has no use for {flag}", fix=f"Leave {flag} out.")
        raise RunError(
            f"the {track.name} task has no argument `{word}`",
            fix=did_you_mean(word, known) or f"Known: {', '.join(known)}.",
        )
    return [task(**dict(_fitting(run, kinds))) for run in arguments]


def _fitting(run: Mapping[str, Any], kinds: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the arguments in the types of the task; what reads as a number may be meant as text."""
    for name, value in run.items():
        try:
            yield name, msgspec.convert(value, kinds[name])
        except msgspec.ValidationError as error:
            try:
                yield name, msgspec.convert(word_of(value), kinds[name])
            except msgspec.ValidationError:
                raise RunError(
                    f"`{name}={word_of(value)}` does not fit",
                    fix=f"Give {in_words(kinds[name])} with -T {name}=...",
                ) from error


def value_of(text: str) -> object:
    """Return what the text means as JSON, else the text."""
    try:
        return json.loads(text)
    except ValueError:
        return {"True": True, "False": False, "None": None}.get(text, text)


def word_of(value: object) -> str:
    """Return a value as `value_of` reads it back."""
    return value if isinstance(value, str) else json.dumps(value)
