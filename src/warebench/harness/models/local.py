"""`--model local/gemma-3-270m`: a real model and a real server, without a key or a network."""

from importlib import import_module

from inspect_ai.model import ModelAPI

from warebench.errors import MissingExtra
from warebench.harness.models.server import import_llama

GEMMA = "gemma-3-270m"
"""The one model this provider knows."""


def local_provider() -> type[ModelAPI]:
    """Return the provider class to register under the name `local`.

    Raises:
        MissingExtra: when `xllamacpp` or `openai` is not installed.
    """
    import_llama()
    try:
        module = import_module("warebench.harness.models.llama")
    except ImportError as error:
        raise MissingExtra(error.name or "openai", "local") from error
    provider: type[ModelAPI] = module.LocalAPI
    return provider
