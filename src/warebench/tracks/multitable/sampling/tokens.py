"""Tokenizers by name, and what Markdown tables cost in them.

The length of a database is the sum of the lengths of its parts, exactly. Both tokenizers first cut a text
into pieces by a pattern that looks ahead but never back, and then split each piece by itself. Every part (a
row, or a table's heading with its header rows) ends in ` |` and a line feed. No cell holds a line end (they
are escaped) and a blank stands before the last pipe, so the cut always makes ` |` and the line ends after it
one piece: a symbol after an optional blank, with all line ends that follow (in o200k_base, slashes too). The
next part starts with `|` or `#`, which that piece cannot take. So a cut falls on every boundary between
parts, the parts are cut the same way alone as together, and only the blank line between two tables changes a
piece: from ` |` with one line feed to ` |` with two, for which `gap_tokens` gives the difference.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial

from warebench.errors import BuildError, did_you_mean

Count = Callable[[str], int]
"""Returns the number of tokens of a text, in which nothing is a control token."""


@cache
def _load(name: str) -> Count:
    # Importing the package reads three vocabularies, half a second. Its public wrapper refuses long texts,
    # and texts that look like a control token; the bindings below it do not.
    from bpe_openai._bindings import tokenizer_for_encoding  # type: ignore[import-untyped]  # noqa: PLC0415

    count: Count = tokenizer_for_encoding(name).count
    return count


DEFAULT_TOKENIZER = "cl100k_base"
"""The tokenizer of the paper's code."""

TOKENIZERS: Mapping[str, Callable[[], Count]] = {
    name: partial(_load, name) for name in (DEFAULT_TOKENIZER, "o200k_base")
}
"""Tokenizers in which the lengths of Markdown rows add up; each is loaded when first used."""


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


def gap_tokens(count: Count) -> int:
    """Return what the blank line between two tables adds to the tokens of both."""
    return count(" |\n\n") - count(" |\n")
