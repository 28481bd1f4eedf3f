"""Rankers: from a question to all tables of the pool, best first."""

from warebench.tracks.budget.rank.rankers import NAME_ONLY, RANKERS, Rank, Ranked, find_ranker

__all__ = ["NAME_ONLY", "RANKERS", "Rank", "Ranked", "find_ranker"]
