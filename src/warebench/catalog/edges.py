"""The words for which edges of a schema count, and which way they are followed.

They stand below every method that finds gold, so that two methods can share the words and no code.
"""

from typing import Literal

FkDirection = Literal["undirected", "parent_to_child", "child_to_parent"]
"""Foreign keys followed either way, from the referenced table to the one that holds the key, or back."""

PathEdges = FkDirection | Literal["downstream", "any"]
"""Which edges a path may take: foreign keys, lineage edges from source to derived table, or both
types either way."""

ImpactDirection = Literal["undirected", "children"]
"""Foreign keys followed both ways, or only from a table to those that hold a key to it."""

SiloEdges = Literal["fk+lineage", "fk", "lineage"]
"""Which edges hold a silo together, all taken without direction."""
