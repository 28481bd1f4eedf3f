"""The 140 templates written for the ten databases of TQA-Bench: seven subcategories, two each."""

from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

from warebench.queries.template import Template
from warebench.queries.template_text import read_templates

DATABASES = (
    "airline",
    "food_inspection",
    "movie",
    "music_tracker",
    "restaurant",
    "university",
    "cookbook",
    "food_facility_inspections",
    "water_quality",
    "global_biodiversity",
)
"""In the order of the paper's TABLE II; each has a file of `data/questions`."""


@cache
def library() -> Mapping[str, tuple[Template, ...]]:
    """Return the templates by database, in the paper's order.

    Raises:
        BuildError: A file breaks the notation.
    """
    folder = resources.files("warebench.worlds") / "data" / "questions"
    texts = {name: (folder / f"{name}.txt").read_text(encoding="utf-8") for name in DATABASES}
    return MappingProxyType({name: read_templates(text, name, f"{name}.txt") for name, text in texts.items()})
