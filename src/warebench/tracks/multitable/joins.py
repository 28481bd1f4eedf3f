"""How many questions of each template are proved to need more than one table."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from warebench.engine.database import Database
from warebench.queries.bind import Bound, bind
from warebench.queries.counterfactual import Witness, find_witnesses, needs_join
from warebench.queries.solve import join_rows
from warebench.queries.template import Template


@dataclass(frozen=True, kw_only=True, slots=True)
class Need:
    """A question and what shows that no one table answers it."""

    bound: Bound
    witnesses: tuple[Witness, ...]
    proved: bool


def find_needs(
    database: Database, templates: Sequence[Template], each: int, seed: int
) -> Iterator[tuple[Template, list[Need]]]:
    """Yield each template with up to `each` questions about a database, and whether they need a join.

    Args:
        database: An instance.
        templates: Templates of its source.
        each: Questions per template.
        seed: Of every random choice.
    """
    for template in templates:
        rng = random.Random(f"{seed}:{template.name}")  # noqa: S311 - repeatable
        bounds = bind(template, join_rows(database, template.query), each, rng)
        yield template, [_need(database, bound, rng) for bound in bounds]


def _need(database: Database, bound: Bound, rng: random.Random) -> Need:
    witnesses = find_witnesses(database, bound, rng)
    return Need(bound=bound, witnesses=witnesses, proved=needs_join(witnesses, database))
