"""Read the tables and keys of SQL scripts.

The stages, in order: `tokens` cuts the text, `statements` finds what is about tables, `grammar` reads
CREATE and ALTER TABLE with `elements` and `parts`, `read` puts the tables together.
"""

from warebench.catalog.readers.ddl.read import DIALECTS, read

__all__ = ["DIALECTS", "read"]
