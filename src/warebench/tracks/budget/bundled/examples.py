"""Questions about one database with gold SQL, proved by Python over the rows in canonical names."""

import dataclasses
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import duckdb
from msgspec.structs import replace

from warebench.engine.collection import Example
from warebench.engine.database import Database
from warebench.errors import GoldDisagreement
from warebench.queries.bind import Bound, bind, evaluate
from warebench.queries.model import Count, Query, Top, Value
from warebench.queries.project import narrow
from warebench.queries.prove import agree
from warebench.queries.solve import Row, join_rows
from warebench.queries.template import Template
from warebench.tracks.budget.bundled.gold_sql import Asked, write_sql
from warebench.tracks.budget.bundled.nested import ask_nested, is_stored, store
from warebench.tracks.budget.bundled.translate import translate
from warebench.tracks.budget.pairs import compose_examples
from warebench.worlds.organisations.domain import Family, NestedFamily
from warebench.worlds.organisations.make import Organisation

PLAIN = 0.65
"""Share of questions in the words of the schema; the others are in ordinary words."""

CHOICES = 8
"""Bindings tried for one that tells the right query from one with a slip."""

OPENINGS = ("At {title}, {text}", "In the records of {title}, {text}", "For {title}: {text}")

COMPOSED = "Take the records of {title}. {text}"
"""How a question of the schema-driven operators opens; its text is several sentences."""


def make_examples(made: Organisation, seed: int, connection: duckdb.DuckDBPyConnection) -> list[Example]:
    """Return examples about one database, one of each family of its domain that it can answer.

    Args:
        made: The database.
        seed: Of every random choice.
        connection: An empty database in memory; it is empty again afterwards.

    Raises:
        GoldDisagreement: The SQL returns other rows than Python finds.
    """
    name = made.database.catalog.name
    rng = random.Random(f"{seed}:{name}:questions")  # noqa: S311 - repeatable choices, not secret ones
    found = {item.text: item for item in (*_plain(made, rng), *_nested(made, rng))}
    _prove(made.database, found.values(), connection)
    return [
        Example(
            id=f"{name}-{number:02}",
            database=name,
            question=rng.choice(OPENINGS).format(title=made.title, text=item.text),
            sql=item.sql,
        )
        for number, item in enumerate(found.values(), start=1)
    ]


def compose_more(made: Organisation, seed: int) -> list[Example]:
    """Return examples of the schema-driven operators about one database; their texts spell out all names.

    Args:
        made: The database.
        seed: Of every random choice.

    Raises:
        GoldDisagreement: The two interpreters disagree.
    """
    return [
        replace(example, question=COMPOSED.format(title=made.title, text=example.question))
        for example in compose_examples(made.database, seed=seed, per_subcategory=1)
    ]


def _plain(made: Organisation, rng: random.Random) -> Iterator[Asked]:
    for family in made.domain.families:
        moved = translate(family.query, made.layout)
        if moved is None:
            continue
        rows = join_rows(narrow(made.rows, family.query), family.query)
        slips = list(_slips(family.query))
        found = bind(_template(made, family, rng), rows, CHOICES if slips else 1, rng)
        clear = [bound for bound in found if not bound.thin]
        telling = (bound for bound in clear if _tells(bound, slips, rows))
        if chosen := next(telling, clear[0] if clear else None):
            sql = write_sql(moved, chosen.bindings[0])
            yield Asked(text=chosen.text, sql=sql, rows=((chosen.outcome,),))


def _slips(query: Query) -> Iterator[Query]:
    """Yield queries with one thing forgotten whose answer may well be the right one all the same."""
    if isinstance(query.want, Top):
        for left_out in query.filters:
            yield replace(query, filters=tuple(item for item in query.filters if item != left_out))
    if isinstance(query.want, Count) and query.want.distinct:
        yield replace(query, want=Count())


def _tells(bound: Bound, slips: Iterable[Query], rows: Sequence[Row]) -> bool:
    return all(evaluate(slip, rows, bound.bindings) != bound.outcome for slip in slips)


def _template(made: Organisation, family: Family, rng: random.Random) -> Template:
    return Template(
        database=made.domain.name,
        subcategory="EL",
        number=1,
        text=_word(made, family, rng),
        query=family.query,
        parameters=family.parameters,
    )


def _nested(made: Organisation, rng: random.Random) -> Iterator[Asked]:
    stored = store(made.domain, made.layout, made.rows)
    for family in made.domain.nested:
        if is_stored(family, made.layout):
            worded = dataclasses.replace(family, text=_word(made, family, rng))
            yield from islice(ask_nested(worded, stored, rng), 1)


def _word(made: Organisation, family: Family | NestedFamily, rng: random.Random) -> str:
    """Return the question, and what to give where it asks for things that could be told by name or by key."""
    text = family.plain if rng.random() < PLAIN else family.text
    told = _told(family)
    vague = told and "which" in text.split() and f"[{told}]" not in text
    return made.layout.speak(f"{text} Give the [{told}]." if vague else text)


def _told(family: Family | NestedFamily) -> str:
    """Return the column that an answer names, empty where it is a number."""
    if isinstance(family, NestedFamily):
        return family.parts[0] if family.kind in ("never", "both") else ""
    want = family.query.want
    return want.column if isinstance(want, Value) else want.group if isinstance(want, Top) else ""


def _prove(database: Database, questions: Iterable[Asked], connection: duckdb.DuckDBPyConnection) -> None:
    for name, table in database.tables.items():
        connection.register(name, table)
    for item in questions:
        found = connection.execute(item.sql).fetchall()
        if not _same(item.rows, found):
            raise GoldDisagreement(
                f"Python finds {item.rows[:3]}, SQL {found[:3]} in {database.catalog.name}: {item.sql}"
            )
    for name in database.tables:
        connection.unregister(name)


def _same(one: Sequence[Sequence[Any]], other: Sequence[Sequence[Any]]) -> bool:
    if len(one) == len(other) == 1:
        return agree(one[0][0], other[0][0]) and len(other[0]) == 1
    return Counter(map(tuple, one)) == Counter(map(tuple, other))
