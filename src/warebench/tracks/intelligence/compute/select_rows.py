"""The second method's rows: those of a slice, with rules and parameters applied row by row."""

from dataclasses import dataclass, replace

import numpy as np

from warebench.tracks.intelligence.compute.evaluate import evaluate
from warebench.tracks.intelligence.compute.joins import Joined, find_column, join_tables, locate
from warebench.tracks.intelligence.compute.rows import Rows, Store, open_rows
from warebench.tracks.intelligence.compute.rules import Applied, applied_operations, in_days, periods
from warebench.tracks.intelligence.compute.values import Truths, Values, choose, constant
from warebench.tracks.intelligence.knowledge.grammar import read_formula
from warebench.tracks.intelligence.knowledge.model import (
    Exclude,
    Filter,
    Knowledge,
    Measure,
    Metric,
    Override,
    Threshold,
    Weight,
)
from warebench.tracks.intelligence.slice import Slice


@dataclass(frozen=True, slots=True)
class Task:
    """One metric of a slice."""

    knowledge: Knowledge
    store: Store
    slice: Slice
    metric: Metric

    @property
    def operations(self) -> tuple[Applied, ...]:
        """What the slice's rules do to the metric."""
        return applied_operations(self.knowledge, self.slice, self.metric)

    @property
    def row_measures(self) -> dict[str, Measure]:
        """The measures over rows: the metric's own, or those of its entity."""
        return self.metric.entity.measures if self.metric.entity else self.metric.measures


def open_task(knowledge: Knowledge, store: Store, wanted: Slice) -> Task:
    """Return what a slice asks of its metric."""
    (metric,) = [item for item in knowledge.metrics if item.id == wanted.metric]
    return Task(knowledge, store, wanted, metric)


@dataclass(frozen=True, slots=True)
class Selection:
    """Rows, what groups them, and what tells units apart."""

    rows: Rows
    keys: list[Values]
    units: list[Values]

    def keep(self, mask: Truths) -> "Selection":
        """Return the rows for which a mask is true."""
        seen = np.flatnonzero(mask)
        kept = [[column.take(seen) for column in columns] for columns in (self.keys, self.units)]
        return Selection(self.rows.keep(mask), *kept)


def select_rows(task: Task) -> tuple[Selection, int]:
    """Return the rows under the rules, and how many there are under none.

    Args:
        task: A metric that is no composite.
    """
    found = _slice_rows(task)
    found = replace(found, rows=replace(found.rows, parameters=_parameters(task, found.rows)))
    standard = np.ones(found.rows.count, bool)
    for text in task.metric.relation.where if task.metric.relation else ():
        standard &= evaluate(text, found.rows).true()
    return found.keep(standard & _stays(task, found.rows)), int(standard.sum())


def _slice_rows(task: Task) -> Selection:
    """Return the rows of a slice, before any condition of the metric."""
    places, where = _places(task)
    rows = open_rows(task.store, places)
    mask = np.ones(rows.count, bool)
    for name, stored in task.slice.filters:
        mask &= _equals(rows(*where[name]), stored)
    keys = [rows(*where[name]) for name in task.slice.group]
    window, grain, calendar = task.slice.window, task.slice.grain, task.metric.calendar
    if window or grain:
        time = rows(*locate(task.metric.time))
        first, last = (window.first, window.last) if window else ("", "")
        mask &= in_days(time, calendar, first, last)
        keys += [periods(time, calendar, grain)] if grain else []
    units = [rows(*locate(key)) for key in task.metric.entity.key] if task.metric.entity else []
    for key in (*keys, *units):
        mask &= key.there
    return Selection(rows, keys, units).keep(mask)


def _places(task: Task) -> tuple[tuple[Joined, ...], dict[str, tuple[str, str]]]:
    """Return the relation as wide as the slice needs it, and where each dimension is."""
    catalog = task.store.database.catalog
    places = join_tables(task.metric.relation, catalog) if task.metric.relation else ()
    dimensions = {item.id: item for item in task.knowledge.dimensions}
    where: dict[str, tuple[str, str]] = {}
    for name in (*task.slice.group, *(name for name, _ in task.slice.filters)):
        if name not in where:
            places, where[name] = find_column(places, catalog, dimensions[name])
    return places, where


def _equals(column: Values, stored: str) -> Truths:
    """Return where a column holds a stored value that is written as text."""
    if column.words is not None:
        same = np.array([word == stored for word in column.words] or [False])[column.data]
    elif column.kind == "truth":
        same = column.data.astype(bool) == (stored.lower() == "true")
    else:
        same = np.asarray(column.data == float(stored))
    return np.asarray(same & column.there)


def _parameters(task: Task, rows: Rows) -> dict[str, Values]:
    """Return the parameters that expressions over rows read, as each row sees them."""
    given = dict(task.slice.parameters)
    nodes = (node for text in _texts(task) if text for node in read_formula(text).walk())
    read = {node.word for node in nodes if node.name == "parameter"}
    found = {
        name: constant(float(given.get(name, value)))
        for name, value in task.metric.parameters.items()
        if name in read
    }
    for applied in task.operations:
        match applied.operation:
            case Threshold(parameter=name, value=value) | Weight(parameter=name, value=value):
                if name in found and name not in given:
                    found[name] = choose(applied.rows(rows), constant(float(value)), found[name])
    return found


def _texts(task: Task) -> list[str]:
    """Return every expression over rows that this metric has in this slice."""
    texts = list(task.metric.relation.where) if task.metric.relation else []
    texts += [text for measure in task.row_measures.values() for text in (measure.value, measure.where)]
    for applied in task.operations:
        match applied.operation:
            case Filter(where=text) | Exclude(where=text):
                texts.append(text)
            case Override(measure=measure, expression=text) if measure in task.row_measures:
                texts.append(text)
    return texts


def _stays(task: Task, rows: Rows) -> Truths:
    """Return the rows that filters and exclusions leave."""
    kept = np.ones(rows.count, bool)
    for applied in task.operations:
        match applied.operation:
            case Filter(where=text):
                kept &= evaluate(text, rows).true() | ~applied.rows(rows)
            case Exclude(where=text):
                kept &= ~(evaluate(text, rows).true() & applied.rows(rows))
    return kept
