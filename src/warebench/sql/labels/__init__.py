"""Relevance labels from gold SQL: the tables it reads, its columns and their roles."""

from warebench.sql.labels.label import Coverage, Example, Gap, coverage, label
from warebench.sql.labels.model import ColumnLabel, Dialect, Labels, Role, Unlabelled
from warebench.sql.labels.observed import Observed, disagreement, observe

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
