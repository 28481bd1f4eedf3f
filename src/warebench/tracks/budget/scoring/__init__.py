"""Judging a query: what it returns, where it reads, and whether it is right by accident."""
