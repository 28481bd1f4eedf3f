"""Queries over several tables as data: two interpreters that share no code, templates, and composing them."""
