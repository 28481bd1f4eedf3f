"""Text-to-SQL when the schema does not fit in the prompt (BudgetSchemaBench, arXiv 2610.00092).

The task is loaded when it is asked for: building and checking sets must not import Inspect.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from warebench.tracks.budget.tasks import warebench_budget

__all__ = ["warebench_budget"]


def __getattr__(name: str) -> object:
    """Load the task."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.tasks"), name)
