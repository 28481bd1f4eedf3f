"""No password and no key in a log: what a server says may repeat the key that it was sent.

Inspect writes what a model's provider raises and returns into the log, word for word. The provider is
therefore wrapped once, before its first request.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from inspect_ai.model import Model
from pydantic import BaseModel

from warebench.errors import RunError
from warebench.secrets import HIDDEN, has_secret, is_secret, mask, mask_values

LEFT_OUT = ("api_key",)
LEFT_OUT_FAMILY = "aws_"
"""Arguments of a provider that Inspect itself leaves out of a log."""

_SEALED = "warebench_sealed"
_DEEPEST = 20


def seal_model(model: Model) -> None:
    """Have everything that a model's provider says masked before Inspect keeps it."""
    if hasattr(model.api, _SEALED):
        return
    generate = model.api.generate

    async def sealed(*args: Any, **kwargs: Any) -> Any:
        try:
            return _cleaned(await generate(*args, **kwargs), mask_values)
        except Exception as error:
            raise _cleaned(error, mask)  # noqa: B904  the same error, its own cause

    setattr(model.api, "generate", sealed)  # noqa: B010  mypy forbids to assign a method
    setattr(model.api, _SEALED, True)


def refuse_stored(arguments: Mapping[str, Any]) -> None:
    """Refuse an argument of a provider that would lie in the log for everybody to read.

    Args:
        arguments: What -M gave.

    Raises:
        RunError: One is secret by its name, or is an address with a password.
    """
    for name, value in arguments.items():
        stored = name not in LEFT_OUT and not name.startswith(LEFT_OUT_FAMILY)
        if stored and (is_secret(name) or has_secret(str(value))):
            raise RunError(
                f"-M {name}={HIDDEN} would be stored in the log, where everybody reads it",
                fix="Put it into the environment variable that the provider reads, or give -M api_key=...",
            )


def seal_logging() -> None:
    """Have every line that a library logs masked, on the screen and in Inspect's log."""
    make = logging.getLogRecordFactory()
    if hasattr(make, _SEALED):
        return

    def sealed(*args: Any, **kwargs: Any) -> logging.LogRecord:
        record = make(*args, **kwargs)
        if (said := mask(whole := record.getMessage())) != whole:
            record.msg, record.args = said, None
        return record

    setattr(sealed, _SEALED, True)
    logging.setLogRecordFactory(sealed)


def _cleaned(value: Any, clean: Callable[[str], str], depth: int = 0) -> Any:
    """Return a value without secrets; what holds none is the same object."""
    if depth > _DEEPEST:
        return value
    match value:
        case str():
            return clean(value)
        case BaseException():
            return _clean_error(value, clean, depth)
        case BaseModel() if clean(text := value.model_dump_json()) != text:
            fields = {name: _cleaned(part, clean, depth + 1) for name, part in value if part is not None}
            return value.model_copy(update=fields)
        case dict():
            return {name: _cleaned(part, clean, depth + 1) for name, part in value.items()}
        case list() | tuple():
            return type(value)([_cleaned(part, clean, depth + 1) for part in value])
        case _:
            return value


def _clean_error(error: BaseException, clean: Callable[[str], str], depth: int) -> BaseException:
    """Mask what an error, and those it came from, say; a provider's own class stays, as retries go by it."""
    error.args = tuple(_cleaned(list(error.args), clean, depth + 1))
    for name, part in list(vars(error).items()):
        if isinstance(part, str | dict | list):
            setattr(error, name, _cleaned(part, clean, depth + 1))
    for cause in (error.__cause__, error.__context__):
        if cause is not None:
            _cleaned(cause, clean, depth + 1)
    return error
