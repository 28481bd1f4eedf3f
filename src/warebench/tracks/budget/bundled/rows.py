"""The rows of a domain, in its canonical names."""

from collections.abc import Collection

from warebench.catalog.model import Column, Table
from warebench.engine.database import Database
from warebench.catalog.model import Catalog
from warebench.engine.synthetic.columns import to_table
from warebench.engine.synthetic.plan import Plan
from warebench.tracks.budget.bundled.domain import Domain, TableSpec
from warebench.tracks.budget.bundled.recipes import RECIPES, Setting, make

FEWEST, MOST = 5, 2_000
"""Rows of a table."""


def fill(domain: Domain, plan: Plan, reference: Plan, scale: float) -> Database:
    """Return rows for every table of a domain; keys hold.

    Args:
        domain: What is kept.
        plan: Seeds of the tables that reference others.
        reference: Seeds of those that do not; two databases with one plan for them share these rows.
        scale: Rows against those of the domain.
    """
    counts: dict[str, int] = {}
    tables = {}
    for spec in domain.tables.values():
        mine = plan if spec.references else reference
        counts[spec.name] = _rows(spec, mine, scale)
        made: dict[str, object] = {}
        for column in spec.columns:
            rng = mine.generator(spec.name, column.name)
            at = Setting(rng=rng, rows=counts[spec.name], made=made, parents=counts.get(column.parent, 0))
            made[column.name] = make(column.recipe, column.missing, at)
        tables[spec.name] = to_table(describe_table(spec), made)
    catalog = Catalog(name=domain.name, tables=tuple(map(describe_table, domain.tables.values())))
    return Database(catalog=catalog, tables=tables)


def describe_table(spec: TableSpec, left_out: Collection[str] = ()) -> Table:
    """Return the catalog's table of a spec."""
    columns = tuple(
        Column(name=item.name, type=RECIPES[item.recipe[0]].type, nullable=bool(item.missing))
        for item in spec.columns
        if item.name not in left_out
    )
    return Table(name=spec.name, columns=columns, primary_key=(spec.key,))


def _rows(spec: TableSpec, plan: Plan, scale: float) -> int:
    growth = plan.generator(spec.name, "rows").uniform(0.7, 1.4)
    return max(FEWEST, min(MOST, round(spec.rows * growth * scale)))
