"""The second verdict on gold SQL: ties, NULL order, text-sorted numbers, the clock, empty results."""

from warebench.sql.lint.lint import lint
from warebench.sql.lint.model import FAULTS, Code, Execute, Fault

__all__ = ["FAULTS", "Code", "Execute", "Fault", "lint"]
