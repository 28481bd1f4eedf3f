"""Synthetic twins: the ten databases of TQA-Bench (TABLE II) by name, domain and shape, none of their data.

A new seed is a new benchmark: every entity and every row is drawn anew, so a model cannot have seen it.
"""

from warebench.tracks.multitable.twins.make import make_twin
from warebench.tracks.multitable.twins.registry import TWINS
from warebench.tracks.multitable.twins.schema import Twin

__all__ = ["TWINS", "Twin", "make_twin"]
