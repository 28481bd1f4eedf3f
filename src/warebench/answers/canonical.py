"""The canonical spelling of a table name, kept where catalogs are validated by it."""

from warebench.catalog.spelling import QUOTES, canonical

__all__ = ["QUOTES", "canonical"]
