"""How tables are written in a prompt, and what each costs in tokens."""

from warebench.tracks.budget.represent.naming import NAMES, Names, Naming, bare, prefixed
from warebench.tracks.budget.represent.render import REPRESENTATIONS, Representation, render
from warebench.tracks.budget.represent.texts import TOKENIZER, Texts, make_texts
from warebench.tracks.budget.represent.values import Values, sample_values

__all__ = [
    "NAMES",
    "REPRESENTATIONS",
    "TOKENIZER",
    "Names",
    "Naming",
    "Representation",
    "Texts",
    "Values",
    "bare",
    "make_texts",
    "prefixed",
    "render",
    "sample_values",
]
