"""What a run was made with: the name of a method, and the words that tell one condition from another.

A condition is all that made it. Whatever differs between two runs, however they were started, stands in one
of the columns that `conditions` returns, so that nothing is merged or overwritten.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from inspect_ai.log import EvalLog

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

LABEL: Final = "label"
EXPERIMENT: Final = "experiment"
"""Keys of a log's metadata, from `warebench run` or from `inspect eval --metadata`."""
PROBE: Final = "probe"
"""Key of a task's metadata: why a condition does not rank; empty for the benchmark."""

TRANSPORT: Final = frozenset(
    {
        "max_retries",
        "timeout",
        "attempt_timeout",
        "stream_idle_timeout",
        "max_connections",
        "adaptive_connections",
        "batch",
        "cache",
        "cache_prompt",
    }
)
"""Options that move requests and change no answer (the list by which Inspect resumes a run)."""
USUAL: Final[Mapping[str, object]] = MappingProxyType({"temperature": 0.0, "max_tool_output": 1 << 20})
"""Options that our tasks set: they go without saying."""
LIMITS: Final = (
    "message_limit",
    "token_limit",
    "token_limit_type",
    "turn_limit",
    "time_limit",
    "working_limit",
    "cost_limit",
)
SAMPLE_SECONDS: Final = 3600
"""Seconds that `run` grants a question unless it is told otherwise: they go without saying, too."""
LONGEST: Final = 40
"""Characters of a value that are shown; a longer one has its digest beside it."""
_SECRET = ("key", "token", "secret", "password", "header")


def method_label(method: str, settings: "DataclassInstance", reads: Iterable[str]) -> str:
    """Return a method's name with the settings that differ from their defaults, as `name=value`, by name.

    Runs under other settings are other conditions, and logs tell the settings of a method apart by this name.

    Args:
        method: Name of the method.
        settings: Settings of the run; the defaults are those of its class.
        reads: Names of the settings that the method reads; others change nothing and are left out.

    Example:
        >>> from dataclasses import dataclass
        >>> @dataclass
        ... class Settings:
        ...     calls: int = 3
        ...     rounds: int = 5
        >>> method_label("tool_use", Settings(calls=5, rounds=9), ["calls"])
        'tool_use calls=5'
    """
    defaults = {field.name: field.default for field in fields(settings)}
    given = {name: getattr(settings, name) for name in sorted(reads)}
    changed = [f"{name}={_word(value)}" for name, value in given.items() if value != defaults[name]]
    return " ".join([method, *changed])


def conditions(log: EvalLog) -> dict[str, str]:
    """Return what a log's rows share besides model, method and set: agent, label, options, experiment, probe.

    Args:
        log: A log, at least its header.
    """
    said = log.eval.metadata or {}
    return {
        "agent": _agent(log),
        "label": str(said.get(LABEL, "")),
        "options": words(_options(log)),
        "experiment": str(said.get(EXPERIMENT, "")),
        "probe": str(said.get(PROBE, "")),
    }


def words(options: Mapping[str, object]) -> str:
    """Return options as `name=value`, by name; other options always give other words.

    Example:
        >>> words({"top_p": 0.9, "seed": 7})
        'seed=7 top_p=0.9'
    """
    return " ".join(f"{name}={_short(value)}" for name, value in sorted(options.items()))


def _agent(log: EvalLog) -> str:
    """Return the solver that took the place of the task's own; empty for the task's own."""
    given = log.eval.solver
    if given is None:
        return ""
    return " ".join(filter(None, [given, words(log.eval.solver_args_passed or log.eval.solver_args or {})]))


def _options(log: EvalLog) -> dict[str, object]:
    config = log.eval.model_generate_config.merge(log.plan.config).model_dump(exclude_none=True)
    found = {name: value for name, value in config.items() if name not in TRANSPORT}
    found = {name: value for name, value in found.items() if USUAL.get(name) != value}
    limits = {name: getattr(log.eval.config, name) for name in LIMITS}
    if limits["time_limit"] == SAMPLE_SECONDS:
        limits["time_limit"] = None
    found |= {name: value for name, value in limits.items() if value is not None}
    if (log.eval.config.epochs or 1) > 1:
        found["epochs"] = log.eval.config.epochs
    if log.eval.model_roles:
        found["model_roles"] = {
            name: str(config.model if hasattr(config, "model") else config)
            for name, config in log.eval.model_roles.items()
        }
    if log.eval.config.approval:
        found["approval"] = log.eval.config.approval.model_dump(exclude_none=True)
    return found | {name: _unsaid(name, value) for name, value in log.eval.model_args.items()}


def _unsaid(name: str, value: object) -> object:
    """Return a model argument, of one that may be secret only that it is another one."""
    return f"#{_digest(value)}" if any(word in name.lower() for word in _SECRET) else value


def _short(value: object) -> str:
    r"""Return a value as one word.

    Example:
        >>> _short("You are a careful analyst who never guesses anything.")
        'You_are_a_careful_analyst_who_never_gues…#04b99e'
    """
    raw = _word(value)
    text = "_".join(raw.split())
    if text == raw and len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}{'…' if len(text) > LONGEST else ''}#{_digest(value)}"


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()[:6]


def _word(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)
