"""A database with its knowledge base, on which figures are computed by either method and kept."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec
import pyarrow.compute as pc

from warebench.answers.model import Answer
from warebench.errors import GoldDisagreement
from warebench.tracks.intelligence.analyses.answers import answer
from warebench.tracks.intelligence.analyses.figures import figures
from warebench.tracks.intelligence.analyses.memory import remember
from warebench.tracks.intelligence.analyses.metrics import ROWS, part_of
from warebench.tracks.intelligence.analyses.model import Ask, Figure, Unfit
from warebench.tracks.intelligence.analyses.typed import member
from warebench.tracks.intelligence.compute.dialects import Dialect, to_dialect
from warebench.tracks.intelligence.compute.frame import Table, compute
from warebench.tracks.intelligence.compute.rewrite import apply_rules
from warebench.tracks.intelligence.compute.run import Opened, execute, same_values
from warebench.tracks.intelligence.compute.sql import base_sql
from warebench.tracks.intelligence.knowledge.links import find_dimension, find_metric, metric_tree
from warebench.tracks.intelligence.knowledge.model import Knowledge
from warebench.tracks.intelligence.slice import Key, Slice

SEPARATOR = ";\n\n"
"""Between the queries of one question."""

LONGEST = 1e13
"""Units of the last place: two orders of one sum do not agree on more digits."""


@dataclass(frozen=True, slots=True)
class Lab:
    """Where figures are computed. Nothing in it changes an answer: what is kept is only faster."""

    knowledge: Knowledge
    opened: Opened
    tables: dict[bytes, Table] = field(default_factory=dict)
    parts: dict[tuple[str, str], Knowledge] = field(default_factory=dict)
    frequencies: dict[str, dict[str, int]] = field(default_factory=dict)

    def table(self, figure: Figure) -> Table:
        """Return a figure as the second method finds it.

        Raises:
            StraddleError: A rule that is not about single rows holds for a part of the slice.
        """
        key = msgspec.json.encode([figure.slice, figure.part])
        if key not in self.tables:
            self.tables[key] = compute(self.knowledge_of(figure), self.opened.store, figure.slice)
        return self.tables[key]

    def sql(self, figure: Figure, dialect: Dialect = "duckdb") -> str:
        """Return the query of a figure: the standard definition's, rewritten by the rules."""
        knowledge, catalog = self.knowledge_of(figure), self.opened.database.catalog
        base = base_sql(knowledge, catalog, figure.slice)
        return to_dialect(apply_rules(base, knowledge, catalog, figure.slice), dialect)

    def knowledge_of(self, figure: Figure) -> Knowledge:
        """Return the knowledge base in which the figure's metric is the part that it is about."""
        key = figure.slice.metric, figure.part
        if key not in self.parts:
            self.parts[key] = part_of(self.knowledge, *key) if figure.part else self.knowledge
        return self.parts[key]

    def months(self, metric: str) -> list[str]:
        """Return the months, written 2017-03, in which a metric and all it is made of have rows.

        A metric without a time, or made of one without, has none.
        """
        found: set[str] | None = None
        for part in metric_tree(self.knowledge, metric):
            if part.relation is None:
                continue
            if not part.time:
                return []
            monthly = Figure(name="rows", slice=Slice(metric=part.id, grain="month"), part=ROWS)
            own = {str(key[0]) for key in self.table(monthly).values}
            found = own if found is None else found & own
        return sorted(found or ())

    def frequency(self, dimension: str) -> dict[str, int]:
        """Return how often each value of a dimension stands in its table, most frequent first."""
        if dimension not in self.frequencies:
            item = find_dimension(self.knowledge, dimension)
            counts = pc.value_counts(self.opened.database.tables[item.table].column(item.column)).to_pylist()
            # Groups are named by texts, whole numbers and truths only.
            usable = [pair for pair in counts if isinstance(pair["values"], str | int)]
            pairs = [(member(pair["values"]), pair["counts"]) for pair in usable]
            self.frequencies[dimension] = dict(sorted(pairs, key=lambda pair: (-pair[1], pair[0])))
        return self.frequencies[dimension]


def screen(lab: Lab, ask: Ask) -> tuple[Answer, dict[str, Mapping[Key, float]]]:
    """Return the answer as far as the second method's figures tell, and those: to choose by, not to certify.

    Raises:
        Unfit: A value that is asked for is missing.
        StraddleError: A rule that is not about single rows holds for a part of the slice.
    """
    found = {figure.name: lab.table(figure).values for figure in figures(ask)}
    most = LONGEST / 10 ** find_metric(lab.knowledge, ask.metric).decimals
    if not all(abs(value) < most for values in found.values() for value in values.values()):
        raise Unfit("a value is too large a number")
    return answer(lab.knowledge, ask, found), found


def certified(lab: Lab, ask: Ask) -> tuple[Answer, str]:
    """Return the answer found by executed SQL and again in memory, and the SQL.

    Raises:
        GoldDisagreement: The two differ: a bug of warebench.
    """
    asked = figures(ask)
    queries = [lab.sql(figure) for figure in asked]
    executed = {figure.name: execute(lab.opened, sql) for figure, sql in zip(asked, queries, strict=True)}
    for figure, sql in zip(asked, queries, strict=True):
        if not same_values(executed[figure.name], lab.table(figure).values):
            raise GoldDisagreement(f"two methods find other values of {figure.slice}\n{sql}")
    gold, again = answer(lab.knowledge, ask, executed), second_answer(lab, ask)
    if gold != again:
        raise GoldDisagreement(f"two methods make other answers of {ask}\n  SQL: {gold}\n  memory: {again}")
    return gold, SEPARATOR.join(queries)


def second_answer(lab: Lab, ask: Ask) -> Answer:
    """Return the answer by the second method alone.

    Raises:
        Unfit: A value that is asked for is missing.
    """
    return remember(
        lab.knowledge, lab.opened.store, ask, lambda wanted: lab.table(Figure(name="", slice=wanted))
    )
