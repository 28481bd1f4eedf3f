"""The four formats, and how to find one by name."""

from collections.abc import Mapping

from warebench.errors import BuildError, did_you_mean
from warebench.tracks.multitable.serialise.csv import CSV
from warebench.tracks.multitable.serialise.html import HTML
from warebench.tracks.multitable.serialise.json import JSON
from warebench.tracks.multitable.serialise.layout import Layout
from warebench.tracks.multitable.serialise.markdown import MARKDOWN

FORMATS: Mapping[str, Layout] = {layout.name: layout for layout in (MARKDOWN, CSV, JSON, HTML)}
"""Formats by name, in the order of TABLE VII of TQA-Bench."""


def find_format(name: str) -> Layout:
    """Return a format by name.

    Raises:
        BuildError: There is no such format.
    """
    if name not in FORMATS:
        raise BuildError(f"no table format `{name}`", fix=did_you_mean(name, FORMATS))
    return FORMATS[name]
