"""What a catalog is: tables, keys and edges, frozen, ordered and fingerprinted."""

import hashlib
import sys
from typing import Literal

import msgspec

Evidence = Literal["declared", "tested", "documented", "inferred"]
"""How an edge is known: enforced by the database, tested (dbt), written down, or guessed."""


TableKind = Literal["", "view"]
"""What holds the rows: the table itself, or a query, materialised or not."""

LeftOutKind = Literal["table", "key", "edge", "column", "rows"]
"""A table or view, or a whole schema of them; a foreign key; a lineage edge; one column; some rows."""


def _intern(part: "Table | ForeignKey | LineageEdge", field: str) -> None:
    # msgspec leaves out a default that is the same object, not one that is equal: without this an edge
    # that came out of a file or another process would be written, and fingerprinted, differently.
    msgspec.structs.force_setattr(part, field, sys.intern(getattr(part, field)))


class Column(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One column of a table."""

    name: str
    type: str = ""
    """Type as the source spells it; empty when unknown."""
    nullable: bool = True
    description: str = ""
    """What the source says it means."""


class Table(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One table. Its `name` is unique in the catalog, qualified as far as needed."""

    name: str
    database: str = ""
    columns: tuple[Column, ...] = ()
    primary_key: tuple[str, ...] = ()
    kind: TableKind = ""

    def __post_init__(self) -> None:
        _intern(self, "kind")


class ForeignKey(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`child` holds the key and references `parent`; column tuples are parallel."""

    child: str
    parent: str
    child_columns: tuple[str, ...] = ()
    parent_columns: tuple[str, ...] = ()
    name: str = ""
    evidence: Evidence = "declared"

    def __post_init__(self) -> None:
        _intern(self, "evidence")


class LineageEdge(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`downstream` derives from `upstream`."""

    downstream: str
    upstream: str
    evidence: Evidence = "documented"

    def __post_init__(self) -> None:
        _intern(self, "evidence")


class LeftOut(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something of a source that the catalog does not hold: never asserted about, always told."""

    kind: LeftOutKind
    what: str
    """What is missing, as a noun phrase: "foreign key (order_id)", "table", "column `photo`"."""
    where: str
    """Table, file or schema it belongs to, as the source names it."""
    why: str
    """The reason, as a clause: "its parent `raw.orders` cannot be read"."""
    touches: tuple[str, ...] = ()
    """Tables of this catalog whose keys, edges or rows may be more than it says."""

    def __str__(self) -> str:
        return f"{self.where}: {self.what} left out, {self.why}"

    @property
    def of_structure(self) -> bool:
        """Whether tables, keys or lineage edges are missing, not only columns or rows."""
        return self.kind in ("table", "key", "edge")


class Catalog(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A schema graph: tables in source order, foreign keys, lineage edges.

    Use `warebench.catalog.validate.validate` after assembling one by hand: it refuses dangling
    keys, duplicate names and self-lineage.
    """

    name: str
    tables: tuple[Table, ...]
    foreign_keys: tuple[ForeignKey, ...] = ()
    lineage: tuple[LineageEdge, ...] = ()
    source: str = ""
    """Where it was read from, in words; not part of the fingerprint."""
    left_out: tuple[LeftOut, ...] = ()
    """What of the source is not here."""
    remarks: tuple[str, ...] = ()
    """What was read otherwise than it stands in the source, in words; not part of the fingerprint."""

    @property
    def fingerprint(self) -> str:
        """SHA-256 (hex) of everything but `source` and `remarks`; equal catalogs have equal fingerprints."""
        content = msgspec.structs.replace(self, source="", remarks=())
        return hashlib.sha256(msgspec.json.encode(content)).hexdigest()

    @property
    def table_names(self) -> tuple[str, ...]:
        """Table names in catalog order."""
        return tuple(table.name for table in self.tables)

    @property
    def databases(self) -> tuple[str, ...]:
        """Distinct databases, sorted."""
        return tuple(sorted({table.database for table in self.tables}))

    @property
    def foreign_key_columns(self) -> int:
        """Foreign keys counted one per key column, as the DW-Bench paper's Table 1 does."""
        return sum(max(1, len(key.child_columns)) for key in self.foreign_keys)
