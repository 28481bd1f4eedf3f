"""What finds nothing in a database: metrics without a value, rules that touch no row, empty dimensions.

None of it makes a question, and without a word about it nobody would know why.
"""

from collections.abc import Container, Iterator
from dataclasses import dataclass, field, replace

import msgspec
import numpy as np

from warebench.errors import BuildError
from warebench.questions.check import Finding
from warebench.questions.model import QuestionSet
from warebench.tracks.intelligence.compute.evaluate import evaluate
from warebench.tracks.intelligence.compute.frame import compute
from warebench.tracks.intelligence.compute.joins import join_tables, locate
from warebench.tracks.intelligence.compute.rows import Rows, Store, open_rows
from warebench.tracks.intelligence.compute.rules import in_days
from warebench.tracks.intelligence.compute.values import Truths, constant
from warebench.tracks.intelligence.knowledge.conflicts import scope_of
from warebench.tracks.intelligence.knowledge.links import find_metric
from warebench.tracks.intelligence.knowledge.model import (
    Dimension,
    Exclude,
    Filter,
    Knowledge,
    Measure,
    Metric,
    Operation,
    Rule,
)
from warebench.tracks.intelligence.slice import Slice
from warebench.tracks.intelligence.stored import knowledge_name, stored_knowledge

COUNT = "rows_found"
VALUES = "compare with values that the column holds"
SHOWN = 3
"""Reasons that the error about an empty database gives."""


class Void(msgspec.Struct, frozen=True, kw_only=True):
    """Something that finds nothing."""

    where: str
    """Metric, rule or dimension, and the part of it."""
    what: str
    fix: str

    def __str__(self) -> str:
        return f"{self.what}; {self.fix}"


def remark_set(question_set: QuestionSet) -> Iterator[Finding]:
    """Yield a warning for everything in a set's knowledge bases that finds nothing in its database.

    Raises:
        SetError: The set lacks a knowledge base.
    """
    for name, database in question_set.databases.items():
        bases = dict.fromkeys(
            knowledge_name(question) for question in question_set.questions if question.context == name
        )
        for base in bases:
            for void in find_voids(stored_knowledge(question_set, base), Store(database)):
                yield Finding(
                    code="WB012",
                    where=f"{base}: {void.where}",
                    message=str(void),
                    severity="warning",
                )


def refuse_empty(knowledge: Knowledge, store: Store) -> None:
    """Refuse a database on which no metric has a value.

    Raises:
        BuildError: None has; with the first reasons.
    """
    data = Data(knowledge, store)
    found = [list(_metric_voids(data, metric)) for metric in knowledge.metrics]
    if all(found):
        first = [void for voids in found for void in voids][:SHOWN]
        said = "".join(f"\n- {void.where}: {void.what}" for void in first)
        raise BuildError(
            f"no metric of {knowledge.name} has a value: nothing can be asked about rows{said}",
            where=f"database {store.database.catalog.name}",
            fix="Give the database that holds the rows, or correct the metrics.",
        )


def find_voids(knowledge: Knowledge, store: Store) -> Iterator[Void]:
    """Yield what finds nothing, in the order of the knowledge base, which is assumed to be checked."""
    data, void_metrics = Data(knowledge, store), set()
    for dimension in knowledge.dimensions:
        yield from _dimension_voids(dimension, store)
    for metric in knowledge.metrics:
        for void in _metric_voids(data, metric):
            void_metrics.add(metric.id)
            yield void
    for rule in knowledge.rules:
        yield from _rule_voids(data, rule, void_metrics)


@dataclass(frozen=True, slots=True)
class Data:
    """A knowledge base on its database, with the rows that standard definitions keep."""

    knowledge: Knowledge
    store: Store
    kept: dict[str, Rows] = field(default_factory=dict)

    def rows(self, metric: Metric) -> Rows:
        """Return the rows of a metric that is no composite, under its standard definition."""
        if metric.id not in self.kept:
            rows = self.all_rows(metric)
            for text in metric.relation.where if metric.relation else ():
                rows = rows.keep(self.passing(rows, text))
            self.kept[metric.id] = rows
        return self.kept[metric.id]

    def all_rows(self, metric: Metric) -> Rows:
        """Return the rows of its relation, before any filter."""
        places = join_tables(metric.relation, self.store.database.catalog) if metric.relation else ()
        parameters = {name: constant(float(value)) for name, value in metric.parameters.items()}
        return replace(open_rows(self.store, places), parameters=parameters)

    def passing(self, rows: Rows, *conditions: str) -> Truths:
        """Return the rows for which conditions are true; an empty one always is."""
        mask = np.ones(rows.count, bool)
        for text in conditions:
            if text:
                mask &= evaluate(text, rows).true()
        return mask

    def has_value(self, metric: Metric) -> bool:
        """Return whether the standard definition has a value over all rows."""
        return bool(compute(self.knowledge, self.store, Slice(metric=metric.id)).values)

    def count_units(self, metric: Metric, where: str = "") -> int:
        """Return how many units of a metric's entity are kept, and pass a condition."""
        counted = {COUNT: Measure(aggregate="count", where=where)}
        probe = msgspec.structs.replace(metric, measures=counted, formula=COUNT)
        metrics = tuple(probe if item.id == metric.id else item for item in self.knowledge.metrics)
        knowledge = msgspec.structs.replace(self.knowledge, metrics=metrics)
        return int(compute(knowledge, self.store, Slice(metric=metric.id)).values.get((), 0))


def _dimension_voids(dimension: Dimension, store: Store) -> Iterator[Void]:
    cells = store.database.tables[dimension.table].column(dimension.column)
    if cells.null_count == len(cells):
        yield Void(
            where=f"dimension {dimension.id}",
            what=f"no row has a value of {dimension.table}.{dimension.column}",
            fix="take the dimension out, or give the column values",
        )


def _metric_voids(data: Data, metric: Metric) -> Iterator[Void]:
    """Yield why a metric, or a part of it, never has a value; one reason only where rows are missing."""
    if metric.relation is None:
        yield from _composite_voids(data, metric)
        return
    if lost := list(_lost_rows(data, metric)):
        yield from lost
        return
    dead = [*_dead_rows(data, metric), *(_dead_units(data, metric) if metric.entity else ())]
    yield from dead
    # One measure alone has a value where it is not dead.
    if not dead and metric.formula not in metric.measures and not data.has_value(metric):
        yield Void(
            where=f"metric {metric.id}, formula",
            what="it has no value, though all measures have one: a division by zero, or NULL",
            fix=f"correct `{metric.formula}`",
        )


def _composite_voids(data: Data, metric: Metric) -> Iterator[Void]:
    if data.has_value(metric):
        return
    parts = [find_metric(data.knowledge, name) for name in metric.components.values()]
    empty = " and ".join(part.id for part in parts if any(_metric_voids(data, part)))
    if empty:
        what, fix = f"it has no value, as {empty} finds nothing", f"mend {empty}"
        yield Void(where=f"metric {metric.id}", what=what, fix=fix)
    else:
        yield Void(
            where=f"metric {metric.id}, formula",
            what="it has no value, though all components have one: a division by zero, or NULL",
            fix=f"correct `{metric.formula}`",
        )


def _lost_rows(data: Data, metric: Metric) -> Iterator[Void]:
    """Yield where the rows of a relation get lost."""
    where, rows = f"metric {metric.id}, relation", data.all_rows(metric)
    if not rows.count:
        fix = "fill it, or take the metric out"
        yield Void(where=where, what=f"table `{rows.places[0].table}` has no rows", fix=fix)
        return
    for alias, positions in rows.positions.items():
        if (positions < 0).all():
            fix = "join columns that hold the same values, or take the join out"
            yield Void(where=where, what=f"the join to `{alias}` finds no row", fix=fix)
    for text in metric.relation.where if metric.relation else ():
        rows = rows.keep(data.passing(rows, text))
        if not rows.count:
            yield Void(where=where, what=f"no row passes the filter `{text}`", fix=VALUES)
            return


def _dead_rows(data: Data, metric: Metric) -> Iterator[Void]:
    """Yield measures over rows that no row is in."""
    rows = data.rows(metric)
    for name, measure in (metric.entity.measures if metric.entity else metric.measures).items():
        place, passing = f"metric {metric.id}, measure {name}", data.passing(rows, measure.where)
        if not passing.any():
            yield Void(where=place, what=f"no row passes its filter `{measure.where}`", fix=VALUES)
        elif measure.value and not (passing & evaluate(measure.value, rows).there).any():
            fix = "take a column that holds values"
            yield Void(where=place, what=f"`{measure.value}` is NULL in every row", fix=fix)


def _dead_units(data: Data, metric: Metric) -> Iterator[Void]:
    """Yield a condition that keeps no unit, and filters of measures that no unit passes."""
    keep = metric.entity.keep if metric.entity else ""
    if not data.count_units(metric):
        place, said = f"metric {metric.id}, entity.keep", f"no unit passes `{keep}`"
        yield Void(where=place, what=said if keep else "no row has a key", fix="lower what it asks for")
        return
    for name, measure in metric.measures.items():
        if measure.where and not data.count_units(metric, measure.where):
            place, what = (
                f"metric {metric.id}, measure {name}",
                f"no unit passes its filter `{measure.where}`",
            )
            yield Void(where=place, what=what, fix="lower what it asks for")


def _rule_voids(data: Data, rule: Rule, void_metrics: Container[str]) -> Iterator[Void]:
    """Yield operations that touch no row of a metric, or leave none."""
    for number, operation in enumerate(rule.operations, 1):
        for name in dict.fromkeys(operation.metrics):
            metric = find_metric(data.knowledge, name)
            if metric.relation is not None and name not in void_metrics:
                for what, fix in _untouched(data, rule, operation, metric):
                    yield Void(where=f"rule {rule.id}, operation {number}", what=what, fix=fix)


def _untouched(data: Data, rule: Rule, operation: Operation, metric: Metric) -> Iterator[tuple[str, str]]:
    rows = data.rows(metric)
    held = np.ones(rows.count, bool)
    if rule.effective_from or rule.effective_to:
        time = rows(*locate(metric.time))
        held = in_days(time, metric.calendar, rule.effective_from, rule.effective_to)
    if not held.any():
        yield f"it holds on no day of a row of {metric.id}", "correct its dates, or take the rule out"
        return
    scope = scope_of(operation)
    held = held & data.passing(rows, scope)
    if not held.any():
        yield f"no row of {metric.id} is in its scope `{scope}`", VALUES
    elif isinstance(operation, Filter | Exclude):
        met = held & data.passing(rows, operation.where)
        keeps = isinstance(operation, Filter)
        if not met.any():
            yield f"`{operation.where}` {'keeps' if keeps else 'excludes'} no row of {metric.id}", VALUES
        elif keeps and (met == held).all():
            yield f"`{operation.where}` keeps every row of {metric.id}", VALUES
        elif met.all() and not keeps:
            yield f"`{operation.where}` excludes every row of {metric.id}", "exclude fewer"
