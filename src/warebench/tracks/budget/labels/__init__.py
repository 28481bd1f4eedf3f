"""Relevance labels from gold SQL: the tables it reads, its columns and their roles."""

from warebench.tracks.budget.labels.label import Coverage, Example, Gap, coverage, label
from warebench.tracks.budget.labels.model import ColumnLabel, Dialect, Labels, Role, Unlabelled
from warebench.tracks.budget.labels.observed import Observed, disagreement, observe

__all__ = [
    "ColumnLabel",
    "Coverage",
    "Dialect",
    "Example",
    "Gap",
    "Labels",
    "Observed",
    "Role",
    "Unlabelled",
    "coverage",
    "disagreement",
    "label",
    "observe",
]
