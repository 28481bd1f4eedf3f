"""dbt projects."""

from warebench.catalog.readers.dbt.read import MARK, find_manifest, read

__all__ = ["MARK", "find_manifest", "read"]
