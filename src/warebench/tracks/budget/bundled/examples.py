"""Questions about one database with gold SQL, proved by Python over the rows in canonical names."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from warebench.engine.collection import Example
from warebench.engine.database import Database
from warebench.errors import GoldDisagreement
from warebench.queries.bind import bind
from warebench.queries.model import Query
from warebench.queries.prove import agree
from warebench.queries.solve import join_rows
from warebench.queries.template import Template
from warebench.tracks.budget.bundled.domain import Domain, Family
from warebench.tracks.budget.bundled.gold_sql import Asked, write_sql
from warebench.tracks.budget.bundled.layout import Layout, needed_columns
from warebench.tracks.budget.bundled.nested import ask_nested, store
from warebench.tracks.budget.bundled.translate import translate

OPENINGS = ("At {title}, {text}", "In the records of {title}, {text}", "For {title}: {text}")


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


def make_examples(made: Organisation, seed: int, per_family: int) -> list[Example]:
    """Return examples about one database.

    Args:
        made: The database.
        seed: Of every random choice.
        per_family: Most questions of each family.

    Raises:
        GoldDisagreement: The SQL returns other rows than Python finds.
    """
    name = made.database.catalog.name
    rng = random.Random(f"{seed}:{name}:questions")  # noqa: S311 - repeatable choices, not secret ones
    found: dict[str, Asked] = {}
    for item in (*_plain(made, rng, per_family), *_nested(made, rng, per_family)):
        found.setdefault(item.text, item)
    _prove(made.database, found.values())
    return [
        Example(
            id=f"{name}-{number:02}",
            database=name,
            question=rng.choice(OPENINGS).format(title=made.title, text=_lowered(item.text)),
            sql=item.sql,
        )
        for number, item in enumerate(found.values(), start=1)
    ]


def _plain(made: Organisation, rng: random.Random, most: int) -> Iterator[Asked]:
    joined: dict[str, list[dict[str, Any]]] = {}
    for family in made.domain.families:
        moved = translate(family.query, made.layout)
        if moved is None:
            continue
        key = repr((family.query.table, family.query.joins))
        if key not in joined:
            joined[key] = join_rows(_needed(made, family.query), family.query)
        for bound in bind(_template(made.domain, family), joined[key], most, rng):
            if not bound.thin:
                sql = write_sql(moved, bound.bindings[0])
                yield Asked(text=bound.text, sql=sql, rows=((bound.outcome,),))


def _template(domain: Domain, family: Family) -> Template:
    return Template(
        database=domain.name,
        subcategory="EL",
        number=1,
        text=family.text,
        query=family.query,
        parameters=family.parameters,
    )


def _needed(made: Organisation, query: Query) -> Database:
    """Return the rows with the columns that questions read, and those that tie tables."""
    tables = {}
    for name in query.sources.values():
        spec = made.domain.tables[name]
        wanted = needed_columns(made.domain.name)
        kept = [c.name for c in spec.columns if c.parent or c.name == spec.key or f"{name}.{c.name}" in wanted]
        tables[name] = made.rows.tables[name].select(kept)
    return Database(catalog=made.rows.catalog, tables=tables)


def _nested(made: Organisation, rng: random.Random, most: int) -> Iterator[Asked]:
    stored = store(made.domain, made.layout, made.rows)
    for family in made.domain.nested:
        yield from islice(ask_nested(family, stored, rng), most)


def _prove(database: Database, questions: Iterable[Asked]) -> None:
    with database.connect() as connection:
        for item in questions:
            found = connection.execute(item.sql).fetchall()
            if not _same(item.rows, found):
                raise GoldDisagreement(
                    f"Python finds {item.rows[:3]}, SQL {found[:3]}",
                    where=f"{database.catalog.name}: {item.sql}",
                )


def _same(one: Sequence[Sequence[Any]], other: Sequence[Sequence[Any]]) -> bool:
    if len(one) == len(other) == 1:
        return agree(one[0][0], other[0][0]) and len(other[0]) == 1
    return Counter(map(tuple, one)) == Counter(map(tuple, other))


def _lowered(text: str) -> str:
    """Return a sentence as it goes on after a colon or comma."""
    return text[0].lower() + text[1:]
