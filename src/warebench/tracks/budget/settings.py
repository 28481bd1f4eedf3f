"""What of a run can be set, all of it parameters of the task."""

from collections.abc import Iterable
from dataclasses import dataclass

from warebench.errors import RunError, did_you_mean
from warebench.tracks.budget.comparison import COMPARES, Compare
from warebench.tracks.budget.conditions import CONDITIONS, Condition
from warebench.tracks.budget.rank.rankers import RANKERS
from warebench.tracks.budget.represent import NAMES, REPRESENTATIONS, Names, Representation

MOST_VARIANTS = 20
"""Perturbed databases to each real one; all of them are made, and every right query runs on each."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """One condition of the benchmark; literals are checked, as they come from a command line."""

    budget: float = 10
    """Percent of the tokens of the whole catalog, enriched, that the schema in the prompt may take."""
    ranker: str = "lexical"
    representation: Representation = "raw"
    condition: Condition = "end_to_end"
    names: Names = "prefixed"
    compare: Compare = "strict"
    """`strict`: as each question declares it. `bird`: as BIRD does, and on the real rows alone."""
    perturbed: int = 2
    """Variants of the database on which a right query must be right too; 0 for none."""
    structured: bool | None = None
    """Ask for schema-constrained output; None: for models of provider `local` only."""

    def __post_init__(self) -> None:
        """Refuse what makes no sense.

        Raises:
            RunError: A word is unknown or a number out of range.
        """
        for name, known in (
            ("ranker", RANKERS),
            ("representation", REPRESENTATIONS),
            ("condition", CONDITIONS),
            ("names", NAMES),
            ("compare", COMPARES),
        ):
            _check_word(name, getattr(self, name), known)
        if not _is_number(self.budget) or not 0 < self.budget <= 100:
            raise RunError(f"budget is percent of the catalog, not {self.budget}", fix="Give -T budget=10.")
        if not isinstance(self.perturbed, int) or self.perturbed not in range(MOST_VARIANTS + 1):
            raise RunError(
                f"perturbed is a whole number from 0 to {MOST_VARIANTS}, not {self.perturbed}",
                fix="Give -T perturbed=2.",
            )
        if self.structured not in (None, True, False):
            raise RunError(
                f"structured is true or false, not {self.structured}", fix="Give -T structured=true."
            )

    @property
    def variants(self) -> int:
        """Perturbed databases in use."""
        return 0 if self.compare == "bird" else self.perturbed


def _is_number(value: object) -> bool:
    """Return whether a value is one; from a command line anything comes."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _check_word(name: str, word: object, known: Iterable[str]) -> None:
    if word not in list(known):
        raise RunError(f"unknown {name} `{word}`", fix=did_you_mean(str(word), known))
