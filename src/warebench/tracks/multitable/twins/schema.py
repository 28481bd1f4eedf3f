"""What a twin is: its tables written down once, and one function a table that draws the rows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from warebench.catalog.model import Catalog
from warebench.engine.synthetic.plan import Plan
from warebench.engine.synthetic.schema import Columns, Mark, TableSpec, describe

Maker = Callable[[Plan], Columns]


@dataclass(frozen=True, kw_only=True, slots=True)
class Twin:
    """A database of the paper that can be made anew from a seed."""

    title: str
    catalog: Catalog
    marks: Mapping[str, Mapping[str, Mark]]
    """Column marks by table."""
    makers: Mapping[str, Maker]
    """The function that draws a table's rows, by table."""
    paper_rows: Mapping[str, int]
    """Rows by table at scale 1.

    TABLE II gives averages only. The seven databases from BIRD have the rows BIRD has; the rows of the other
    three are chosen so that average rows, average columns and cells are those of the paper."""
    scale: float
    """Scale when none is asked for: a database of some ten thousand rows."""


def declare(
    name: str,
    title: str,
    tables: tuple[tuple[TableSpec, int, Maker], ...],
    references: tuple[str, ...],
    scale: float,
) -> Twin:
    """Return a twin.

    Args:
        name: Of the database, as the paper spells it.
        title: What it is about, a few words.
        tables: Specification, rows at scale 1 and maker of each table.
        references: Foreign keys as `child(column) -> parent(column)`.
        scale: Scale when none is asked for.
    """
    specs = [spec for spec, _, _ in tables]
    return Twin(
        title=title,
        catalog=describe(name, specs, references, f"synthetic twin of TQA-Bench {name}"),
        marks={spec.table.name: spec.marks for spec in specs},
        makers={spec.table.name: maker for spec, _, maker in tables},
        paper_rows={spec.table.name: rows for spec, rows, _ in tables},
        scale=scale,
    )
