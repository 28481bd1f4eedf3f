"""Small databases drawn from large ones: whole references, original order, a length in exact tokens."""

from warebench.catalog.tokens import TOKENIZERS, count_tokens
from warebench.tracks.multitable.sampling.references import Dangling
from warebench.tracks.multitable.sampling.sample import Sample, sample, sample_many
from warebench.tracks.multitable.sampling.windows import WINDOWS, Window, WindowError

__all__ = [
    "TOKENIZERS",
    "WINDOWS",
    "Dangling",
    "Sample",
    "Window",
    "WindowError",
    "count_tokens",
    "sample",
    "sample_many",
]
