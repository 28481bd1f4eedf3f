"""What a method may use: its budgets, all of them parameters of the task."""

from dataclasses import dataclass

from warebench.errors import RunError

READS: dict[str, tuple[str, ...]] = {
    "flat_text": ("structured",),
    "vector_rag": ("k", "structured"),
    "graph_augmented": ("hops", "structured"),
    "tool_use": ("calls", "structured"),
    "react_code": ("rounds", "structured", "unsafe_local"),
    # reports know the oracle by its bare name
    "question": (),
    "oracle": (),
}
"""Method to the settings that its name in a report carries where they differ from their defaults."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """Budgets of the methods; each method reads its own. Defaults are the paper's (section 4)."""

    k: int = 15
    """Chunks vector_rag retrieves."""
    hops: int = 3
    """Radius of graph_augmented's neighbourhood, in edges."""
    calls: int = 3
    """Tool calls tool_use grants."""
    rounds: int = 5
    """Rounds of code react_code grants."""
    structured: bool | None = None
    """Ask for schema-constrained output; None: for models of provider `local` only."""
    unsafe_local: bool = False
    """Let react_code run without a sandbox."""

    def __post_init__(self) -> None:
        """Refuse budgets that make no sense.

        Raises:
            RunError: A budget is too small.
        """
        for name, least in (("k", 1), ("hops", 0), ("calls", 0), ("rounds", 0)):
            value = getattr(self, name)
            if value < least:
                raise RunError(
                    f"{name} must be at least {least}, not {value}", fix=f"Give -T {name}={least}."
                )
