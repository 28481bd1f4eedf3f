"""The rows of a domain, in its canonical names."""

from warebench.catalog.model import Catalog, Column, Table
from warebench.engine.database import Database
from warebench.worlds.organisations.domain import Domain, TableSpec
from warebench.worlds.organisations.recipes import RECIPES, Setting, make
from warebench.worlds.synthetic.columns import to_table
from warebench.worlds.synthetic.plan import Plan

FEWEST, MOST = 5, 2_000
"""Rows of a table."""

EVENTS = 600
"""Rows from which a table records events."""


def fill(domain: Domain, plan: Plan, reference: Plan, scale: float) -> Database:
    """Return rows for every table of a domain; keys hold.

    Args:
        domain: What is kept.
        plan: Seeds of most tables.
        reference: Seeds of reference data; two databases with one plan for it share these rows.
        scale: Rows against those of the domain.
    """
    referenced = reference_tables(domain)
    counts: dict[str, int] = {}
    tables = {}
    for spec in domain.tables.values():
        mine = reference if spec.name in referenced else plan
        counts[spec.name] = _rows(spec, mine, scale)
        made: dict[str, object] = {}
        for column in spec.columns:
            rng = mine.generator(spec.name, column.name)
            at = Setting(rng=rng, rows=counts[spec.name], made=made, parents=counts.get(column.parent, 0))
            made[column.name] = make(column.recipe, column.missing, at)
        tables[spec.name] = to_table(describe_table(spec), made)
    catalog = Catalog(name=domain.name, tables=tuple(map(describe_table, domain.tables.values())))
    return Database(catalog=catalog, tables=tables)


def reference_tables(domain: Domain) -> frozenset[str]:
    """Return the tables of a domain that hold neither people nor events, and reference no other than such."""
    found: set[str] = set()
    for name, spec in domain.tables.items():
        has_people = any(column.recipe[0] == "people" for column in spec.columns)
        if spec.rows < EVENTS and not has_people and {c.parent for c in spec.references} <= found:
            found.add(name)
    return frozenset(found)


def describe_table(spec: TableSpec) -> Table:
    """Return the catalog's table of a spec, in canonical names."""
    columns = tuple(
        Column(name=item.name, type=RECIPES[item.recipe[0]].type, nullable=bool(item.missing))
        for item in spec.columns
    )
    return Table(name=spec.name, columns=columns, primary_key=(spec.key,))


def _rows(spec: TableSpec, plan: Plan, scale: float) -> int:
    growth = plan.generator(spec.name, "rows").uniform(0.7, 1.4)
    return max(FEWEST, min(MOST, round(spec.rows * growth * scale)))
