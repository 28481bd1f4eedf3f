"""What a method may use, all of it parameters of the task."""

from dataclasses import dataclass

from warebench.errors import RunError, did_you_mean
from warebench.tracks.multitable.serialise import FORMATS


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """Form and budgets; each method reads its own."""

    serialisation: str = "markdown"
    """How tables are written: a key of `serialise.FORMATS`."""
    calls: int = 8
    """Tool calls sql_agent grants."""
    rounds: int = 5
    """Rounds of code code_agent grants."""
    structured: bool | None = None
    """Ask for schema-constrained output; None: for models of provider `local` only."""
    unsafe_local: bool = False
    """Let code_agent run without a sandbox."""

    def __post_init__(self) -> None:
        """Refuse what makes no sense.

        Raises:
            RunError: A budget is negative, or there is no such format.
        """
        if self.serialisation not in FORMATS:
            raise RunError(
                f"unknown serialisation `{self.serialisation}`", fix=did_you_mean(self.serialisation, FORMATS)
            )
        for name in ("calls", "rounds"):
            if getattr(self, name) < 0:
                raise RunError(
                    f"{name} must be at least 0, not {getattr(self, name)}", fix=f"Give -T {name}=0."
                )
