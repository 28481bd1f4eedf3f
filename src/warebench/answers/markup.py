"""Markdown and LaTeX around short statements."""

import re
from collections.abc import Iterator

_EMPHASISED = re.compile(r"(?<!\w)(\*{1,3}|`)([^*`]++)\1(?!\w)")
_HALF = re.compile(r"(?<![\w *])\*+(?=\w)|(?<=[\w.)])\*+(?=[ .,:;)]|$)")
"""One of two marks: the other stands before the label."""
_LATEX = re.compile(r"\\(?:text|texttt|textbf|mathrm|mathbf|mathtt|textsf)\s?\{([^{}]*+)\}")
_AROUND = "*`#_\"'\u201c\u201d "


def without_latex_fonts(text: str) -> str:
    r"""Return a text with `\text{...}` and its kin replaced by what they hold."""
    return _LATEX.sub(r"\1", text)


def one_line(text: str) -> str:
    """Return a text with whitespace collapsed and half surrogate pairs, which no file can hold, replaced."""
    words = " ".join(text.replace("\0", " ").split())
    return words.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def unmarked(text: str) -> str:
    """Return a statement on one line, without Markdown emphasis, quotes and LaTeX fonts around its parts.

    Marks between digits stay: in `2*3*4` they mean something else.
    """
    words = " ".join(text.replace("\0", " ").split())
    plain = _HALF.sub("", _EMPHASISED.sub(r"\2", words))
    return without_latex_fonts(plain).strip(_AROUND)


def plain_lines(text: str) -> Iterator[str]:
    """Yield lines with whitespace collapsed and code fences dropped."""
    for raw in text.splitlines():
        line = " ".join(raw.split())
        if not line.startswith(("```", "~~~")):
            yield line
