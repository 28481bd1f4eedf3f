"""The name of a method in logs and reports: it carries every setting that makes a run another condition."""

import json
from collections.abc import Iterable
from dataclasses import fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def method_label(method: str, settings: "DataclassInstance", reads: Iterable[str]) -> str:
    """Return a method's name with the settings that differ from their defaults, as `name=value`, by name.

    Runs under other settings are other conditions, and logs tell conditions apart by this name alone.

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


def _word(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)
