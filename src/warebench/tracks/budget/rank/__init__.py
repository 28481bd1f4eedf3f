"""Rankers: from a question to all tables of the pool, best first."""
