"""What a method may use, all of it parameters of the task."""

from dataclasses import dataclass

from warebench.errors import RunError, did_you_mean

CONDITIONS = {
    "whole": "every question of the benchmark",
    "rule": "questions under rules that have a matched variant",
    "oracle_rule": "the same, with the documents of the required rules in the prompt",
    "no_rule": "their matched variants, asked under the metrics' standard definition",
}
"""The last three are those of DI-Bench, section 5, Table 5."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """Condition and budget; each method reads its own."""

    condition: str = "whole"
    """A name in CONDITIONS."""
    turns: int = 20
    """Replies of the model, the last one with the answer (DI-Bench, section 4.1)."""
    structured: bool | None = None
    """Ask for schema-constrained output; None: for models of provider `local` only."""

    def __post_init__(self) -> None:
        """Refuse what makes no sense.

        Raises:
            RunError: There is no such condition, or not one turn.
        """
        if self.condition not in CONDITIONS:
            raise RunError(
                f"unknown condition `{self.condition}`", fix=did_you_mean(self.condition, CONDITIONS)
            )
        if self.turns < 1:
            raise RunError(f"turns must be at least 1, not {self.turns}", fix="Give -T turns=20.")
