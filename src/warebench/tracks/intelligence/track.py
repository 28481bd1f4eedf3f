"""The intelligence track's entry in TRACKS."""

from warebench.questions.track import Kind, Track
from warebench.tracks.intelligence.analyses.types import TYPES
from warebench.tracks.intelligence.build import Options, build
from warebench.tracks.intelligence.certify import prove_set

METHODS: dict[str, str] = {}
"""Ways to put a question to a model; none yet."""

INTELLIGENCE = Track(
    name="intelligence",
    title="business metrics whose answers change with rule documents",
    subtypes=tuple(
        Kind(
            name=kind.name,
            category=" ".join(kind.operators).lower(),
            difficulty=kind.difficulty,
            asks=kind.asks,
        )
        for kind in TYPES
    ),
    methods=METHODS,
    task="warebench.tracks.intelligence.tasks:warebench_intelligence",
    options=Options,
    build=build,
    prove=prove_set,
    rows=True,
)
"""DI-Bench (arXiv 2609.05776)."""
