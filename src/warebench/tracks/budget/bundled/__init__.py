"""Databases made without any download: invented organisations with their schemas, rows and gold SQL."""

from warebench.tracks.budget.bundled.pool import make_pool, make_schemas

__all__ = ["make_pool", "make_schemas"]
