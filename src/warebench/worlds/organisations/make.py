"""Organisations: many of a few kinds, with rows, or schemas alone."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice

from msgspec.structs import replace

from warebench.catalog.model import Catalog
from warebench.engine.database import Database
from warebench.errors import BuildError
from warebench.worlds.organisations.arrange import arrange, describe_layout
from warebench.worlds.organisations.domain import Domain
from warebench.worlds.organisations.grammar import DOMAINS, find_domain
from warebench.worlds.organisations.layout import Layout, draft
from warebench.worlds.organisations.rows import fill
from warebench.worlds.organisations.style import STYLES, Style
from warebench.worlds.synthetic.names import compounds
from warebench.worlds.synthetic.plan import Plan, check_scale

PLACES = compounds(
    """Alder Amber Arden Beech Bracken Cran Crow Drift Elder Ferry Fox Grey Haver Heron Iver Jes Kings Lark
    Maple Moor Nether Otter Pine Plover Queens Rams Rowan Sedge Silver Sparrow Thistle Under Vine Whit
    Wren Yew""",
    """bank beck burn cliff cross dean end fell garth grove hall hall heath hill hithe lea marsh mead moor
    nook park reach rise side stow water way wold""",
)
"""Where organisations are; no row names any of them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Outline:
    """One organisation before it has rows."""

    name: str
    title: str
    style: Style
    layout: Layout


@dataclass(frozen=True, kw_only=True, slots=True)
class Organisation:
    """One database of the pool."""

    title: str
    """What it is called in a question."""
    database: Database
    domain: Domain
    layout: Layout
    rows: Database
    """The same rows under the canonical names of its domain."""


def make_schemas(seed: int, tables: int = 100_000) -> list[Catalog]:
    """Return schemas of such organisations, sorted by name, with exactly so many tables together.

    Complexity: O(tables); 100,000 take some seconds.

    Args:
        seed: Of every random choice.
        tables: How many; the last database is cut off there.

    Raises:
        BuildError: Not one table is asked for.
    """
    if tables < 1:
        raise BuildError(f"{tables} tables", fix="ask for at least one")
    found: list[Catalog] = []
    left = tables
    for outline in _drafts(seed):
        catalog = _first_tables(describe_layout(outline.name, outline.layout), left)
        found.append(catalog)
        left -= len(catalog.tables)
        if not left:
            break
    return sorted(found, key=lambda catalog: catalog.name)


def _outlines(seed: int, databases: int) -> list[_Outline]:
    if not 1 <= databases <= len(PLACES):
        raise BuildError(
            f"the bundled pool cannot have {databases} databases", fix=f"ask for 1 to {len(PLACES)}"
        )
    return list(islice(_drafts(seed), databases))


def _drafts(seed: int) -> Iterator[_Outline]:
    """Yield organisations of all kinds in turn, no name of a database twice."""
    places = random.Random(f"{seed}:places").sample(PLACES, len(PLACES))  # noqa: S311 - repeatable choices
    used: set[str] = set()
    for number in count():
        # Each time the places are used up, the kinds move on by one, so that no place meets its kind again.
        turn, place = divmod(number, len(places))
        domain = find_domain(DOMAINS[(number + turn) % len(DOMAINS)])
        series = number // len(DOMAINS)
        title, pattern = domain.titles[(series + turn // len(DOMAINS)) % len(domain.titles)]
        name = pattern.format(place=places[place].casefold())
        if name in used:
            raise BuildError("names of databases are used up", where=name, fix="ask for fewer tables")
        used.add(name)
        rng = random.Random(f"{seed}:{name}:layout")  # noqa: S311 - repeatable choices
        yield _Outline(
            name=name,
            title=title.format(place=places[place]),
            style=STYLES[series % len(STYLES)],
            layout=draft(domain, STYLES[series % len(STYLES)], rng),
        )


def make_organisations(seed: int, databases: int, scale: float) -> list[Organisation]:
    """Return organisations of sixteen kinds with rows; equal for equal arguments.

    Databases of one kind keep the same things, under names and in tables that are alike, seldom equal. The
    first two of each kind nearly repeat each other and share their reference data (products, rooms, plans);
    all other rows differ. The title in a question holds a place that is in the name of its database alone:
    where names of databases are hidden, what is left to tell them apart are their tables and columns.

    Args:
        seed: Of every random choice.
        databases: How many, at most as many as there are names of places.
        scale: Rows against the usual ones: 1 gives tables of 5 to 2,000 rows.

    Raises:
        BuildError: There are not that many names, or the scale is not positive.
    """
    check_scale(scale)
    return [_fill(outline, seed, scale) for outline in _outlines(seed, databases)]


def _fill(outline: _Outline, seed: int, scale: float) -> Organisation:
    domain = outline.layout.domain
    own = Plan(twin=outline.name, seed=seed, rows={})
    shared = Plan(twin=domain.name, seed=seed, rows={}) if outline.style.shared else own
    rows = fill(domain, own, shared, scale)
    return Organisation(
        title=outline.title,
        database=arrange(outline.name, outline.layout, rows),
        domain=domain,
        layout=outline.layout,
        rows=rows,
    )


def _first_tables(catalog: Catalog, most: int) -> Catalog:
    """Return a catalog with at most so many tables; parents stand first, so keys hold."""
    if len(catalog.tables) <= most:
        return catalog
    tables = catalog.tables[:most]
    names = {table.name for table in tables}
    keys = tuple(key for key in catalog.foreign_keys if key.child in names and key.parent in names)
    return replace(catalog, tables=tables, foreign_keys=keys)
