"""Business metrics whose answers change with rule documents (DI-Bench, arXiv 2609.05776).

The task is loaded when it is asked for: building and checking sets must not import Inspect.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from warebench.tracks.intelligence.tasks import warebench_intelligence

__all__ = ["warebench_intelligence"]


def __getattr__(name: str) -> object:
    """Load the task."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.tasks"), name)
