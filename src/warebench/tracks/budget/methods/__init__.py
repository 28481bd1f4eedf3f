"""Ways to put a question of this track to a model."""

from warebench.tracks.budget.methods.solvers import METHODS, make_solver

__all__ = ["METHODS", "make_solver"]
