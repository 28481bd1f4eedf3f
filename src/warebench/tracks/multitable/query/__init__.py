"""Declarative queries, and two interpreters of them that share no code: SQL and Python."""
