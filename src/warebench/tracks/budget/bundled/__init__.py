"""Databases made without any download: organisations of a few kinds, each with a schema, rows and gold SQL."""

from warebench.tracks.budget.bundled.pool import make_pool, make_schemas

__all__ = ["make_pool", "make_schemas"]
