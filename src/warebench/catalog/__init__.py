"""Catalogs: tables, keys and lineage edges, read from a source, checked, written and renamed."""

from warebench.catalog.model import Catalog, Column, ForeignKey, LineageEdge, Table
from warebench.catalog.read import read_catalog
from warebench.catalog.validate import validate
from warebench.catalog.write import write_catalog

__all__ = [
    "Catalog",
    "Column",
    "ForeignKey",
    "LineageEdge",
    "Table",
    "read_catalog",
    "validate",
    "write_catalog",
]
