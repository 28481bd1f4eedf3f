"""Databases as text for a prompt: four formats that keep every cell exactly."""

from warebench.tracks.multitable.serialise.formats import FORMATS, find_format
from warebench.tracks.multitable.serialise.write import serialise

__all__ = ["FORMATS", "find_format", "serialise"]
