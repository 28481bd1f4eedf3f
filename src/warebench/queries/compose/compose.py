"""Compose templates over a database: the most varied of those that are proved to yield questions."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

from warebench.engine.database import Database
from warebench.errors import BuildError
from warebench.queries.compose.drafts import Draft
from warebench.queries.compose.operators import MAKERS
from warebench.queries.compose.phrasing import reword
from warebench.queries.compose.profile import Profiles, profile
from warebench.queries.compose.routes import Links, find_links, find_routes
from warebench.queries.compose.scope import Scope, scope_of
from warebench.queries.compose.trial import WANTED, Trial
from warebench.queries.model import Count, Top
from warebench.queries.template import SUBCATEGORIES, Subcategory, Template
from warebench.questions.model import Shortfall

NUMBERS: tuple[Literal[1, 2], ...] = (1, 2)

TRIES = 24
"""Drafts tried for a template that yields all questions wanted, before the best so far is taken."""

NAMES = "nearly all of them short names without quotation marks and line breaks, no key and no code"
BESIDE = "with another column to filter by that the question does not use otherwise"
MISSING: dict[Subcategory, str] = {
    "EL": f"no table that a foreign key leads to has a text column with 4 or more values, {NAMES}, {BESIDE}",
    "TS": f"no table that a foreign key leads to has a text column with 4 or more values, {NAMES}, {BESIDE}",
    "CNT": "no table that a foreign key leads to has a column to filter by",
    "SUM": "no table with a foreign key has a number that is known to add up",
    "AVG": "no table with a foreign key has a number whose average is known to mean something",
    "CC": f"no table that a foreign key leads to has a text column of several values, {NAMES}",
    "COR": "no table with a foreign key has, with its parents, two quantities of 8 or more distinct values "
    'and a column to filter by without values such as "n/a"',
}
"""What a schema lacks when not one draft can be written."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Composition:
    """Templates, and why there are fewer than asked for."""

    templates: tuple[Template, ...]
    shortfalls: tuple[Shortfall, ...]


def compose(database: Database, *, seed: int, per_subcategory: int = 2) -> tuple[Template, ...]:
    """Return templates over a database: those of `compose_set`, which also says what is missing and why."""
    return compose_set(database, seed=seed, per_subcategory=per_subcategory).templates


def compose_set(
    database: Database, *, seed: int, per_subcategory: int = 2, by_name: bool = False
) -> Composition:
    """Return templates of the seven subcategories over a database's own foreign keys and columns.

    Joins go from the table that holds a foreign key to the tables it leads to, so that every row of the first
    occurs at most once and may be counted, summed and averaged. Filters, measures and groups are chosen by
    the statistics of the columns. Every template uses a column of each end of its joins that no other table
    repeats, has been bound on the rows of the database, and was answered alike by both interpreters.

    Args:
        database: The user's catalog and rows.
        seed: Of every random choice; equal arguments give equal templates.
        per_subcategory: 1 or 2 templates of each subcategory.
        by_name: Take for a quantity what its name does not exclude, as the bundled pool does.

    Returns:
        Templates in the order of the subcategories, and a shortfall for each subcategory that lacks some.

    Raises:
        BuildError: `per_subcategory` is out of range.
    """
    if per_subcategory not in NUMBERS:
        raise BuildError(f"{per_subcategory} templates of each subcategory", fix="ask for 1 or 2")
    profiles = profile(database, by_name=by_name)
    links = find_links(database)
    routes = find_routes(links.keys, _rng(seed, "routes"))
    scopes = [scope_of(database.catalog.name, route, profiles, strict=not by_name) for route in routes]
    templates: list[Template] = []
    shortfalls: list[Shortfall] = []
    used: Counter[str] = Counter()
    with Trial(database, profiles, seed) as trial:
        for subcategory in SUBCATEGORIES:
            drafts = _drafts(scopes, subcategory, seed)
            chosen = _choose(drafts, per_subcategory, trial, used)
            templates += [
                template if by_name else _worded(template, database, profiles) for template in chosen
            ]
            if len(chosen) < per_subcategory:
                reason = _reason(database, links, subcategory, len(drafts))
                shortfalls.append(
                    Shortfall(
                        catalog=database.catalog.name,
                        subtype=subcategory,
                        asked=per_subcategory,
                        made=len(chosen),
                        reason=reason,
                    )
                )
    return Composition(templates=tuple(templates), shortfalls=tuple(shortfalls))


def _worded(template: Template, database: Database, profiles: Profiles) -> Template:
    """Return a template in ordinary words where they have one reading."""
    sources = template.query.sources
    used = {
        column: profiles[sources[column.partition(".")[0]]][column.partition(".")[2]]
        for column in template.query.columns
    }
    want = template.query.want
    told = want.group if isinstance(want, Top) else want.distinct if isinstance(want, Count) else ""
    text = reword(
        template,
        database.catalog,
        moments=frozenset(column for column, item in used.items() if item.kind == "moment"),
        lacking=any(item.lacks for item in used.values()),
        unique=not told or used[told].distinct == used[told].present,
    )
    return msgspec.structs.replace(template, text=text)


def _rng(seed: int, part: str) -> random.Random:
    return random.Random(f"{seed}:{part}")  # noqa: S311 - repeatable choices, not secret ones


def _drafts(scopes: Sequence[Scope], subcategory: Subcategory, seed: int) -> list[Draft]:
    rng = _rng(seed, subcategory)
    drafts = [draft for scope in scopes for draft in MAKERS[subcategory](scope, rng)]
    return list({draft.template.text: draft for draft in drafts}.values())


def _choose(drafts: Sequence[Draft], wanted: int, trial: Trial, used: Counter[str]) -> list[Template]:
    """Return up to the wanted number of templates, the ones least like those chosen before."""
    chosen: list[Template] = []
    pool = list(drafts)
    while pool and len(chosen) < wanted:
        best = _best(pool, trial, used)
        if best is None:
            break
        pool.remove(best)
        if trial.confirm(best):
            number = NUMBERS[len(chosen)]
            chosen.append(msgspec.structs.replace(best.template, number=number))
            used.update(best.uses)
            pool = [draft for draft in pool if not _alike(draft, best)]
    return chosen


def _best(pool: list[Draft], trial: Trial, used: Counter[str]) -> Draft | None:
    """Return the first draft that yields all questions wanted, else the best tried; drop useless ones."""
    ordered = sorted(pool, key=lambda draft: draft.cost + sum(used[item] for item in draft.uses))
    best: tuple[int, Draft] | None = None
    for tried, draft in enumerate(ordered):
        if best and tried >= TRIES:
            break
        score = trial.score(draft)
        if score >= WANTED:
            return draft
        if not score:
            pool.remove(draft)
        elif best is None or score > best[0]:
            best = (score, draft)
    return best[1] if best else None


def _alike(one: Draft, other: Draft) -> bool:
    """Return whether two drafts want the same and filter by the same columns."""
    first, second = one.template.query, other.template.query
    same = (first.table, first.joins, first.want) == (second.table, second.joins, second.want)
    return same and {item.column for item in first.filters} == {item.column for item in second.filters}


def _reason(database: Database, links: Links, subcategory: Subcategory, drafts: int) -> str:
    if not database.catalog.foreign_keys:
        return (
            "the catalog declares no foreign keys, so tables cannot be joined: declare them in the source, "
            "or in a catalog.json beside CSV files"
        )
    if not links.keys:
        return "no foreign key can be followed: " + "; ".join(links.reasons[:3])
    if not drafts:
        return MISSING[subcategory]
    return f"of {drafts} templates tried, no more yield questions with one clear answer that needs the join"
