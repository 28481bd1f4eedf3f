"""Topology: foreign key paths, lineage impact and silos of a schema graph (DW-Bench).

The task is loaded when it is asked for: building and checking sets must not import Inspect.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from warebench.tracks.topology.tasks import warebench_topology

__all__ = ["warebench_topology"]


def __getattr__(name: str) -> object:
    """Load the task."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.tasks"), name)
