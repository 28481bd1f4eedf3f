"""Tokenizers by name: the exact number of tokens of a text, without a model."""

import sys
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from typing import Any

from warebench.errors import BuildError, did_you_mean

Count = Callable[[str], int]
"""Returns the number of tokens of a text, in which nothing is a control token."""


BINDINGS = "bpe_openai._bindings"


@cache
def _load(name: str) -> Count:
    count: Count = _bindings().tokenizer_for_encoding(name).count
    return count


def _bindings() -> Any:
    """Return the compiled part of bpe-openai.

    Importing the package reads three vocabularies, half a second. Its public wrapper refuses long texts, and
    texts that look like a control token; the bindings below it do not.
    """
    package = find_spec("bpe_openai")
    spec = PathFinder.find_spec(BINDINGS, package.submodule_search_locations) if package else None
    if BINDINGS in sys.modules or not spec or not spec.loader:
        return import_module(BINDINGS)
    module = sys.modules[BINDINGS] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


DEFAULT_TOKENIZER = "cl100k_base"
"""The tokenizer of TQA-Bench's code."""

TOKENIZERS: Mapping[str, Callable[[], Count]] = {
    name: partial(_load, name) for name in (DEFAULT_TOKENIZER, "o200k_base")
}
"""Tokenizers that need no download; each is loaded when first used."""


def find_tokenizer(name: str) -> Count:
    """Return the function that counts tokens.

    Raises:
        BuildError: There is no such tokenizer.
    """
    if name not in TOKENIZERS:
        raise BuildError(f"no tokenizer `{name}`", fix=did_you_mean(name, TOKENIZERS))
    return TOKENIZERS[name]()


def count_tokens(text: str, tokenizer: str = DEFAULT_TOKENIZER) -> int:
    """Return the number of tokens of a text.

    Raises:
        BuildError: There is no such tokenizer.
    """
    return find_tokenizer(tokenizer)(text)
