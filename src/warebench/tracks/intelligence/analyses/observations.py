"""The single rows behind an average, for tests that need them all: the second method's."""

import numpy as np

from warebench.tracks.intelligence.compute.aggregate import group_rows
from warebench.tracks.intelligence.compute.evaluate import evaluate
from warebench.tracks.intelligence.compute.rows import Store
from warebench.tracks.intelligence.compute.select_rows import Selection, Task, open_task, select_rows
from warebench.tracks.intelligence.compute.values import Array, Values, choose, constant
from warebench.tracks.intelligence.knowledge.model import Knowledge, Override
from warebench.tracks.intelligence.slice import Slice


def observations(knowledge: Knowledge, store: Store, wanted: Slice) -> dict[str, Array]:
    """Return the values of the metric's one measure, row by row, for each group of a slice under its rules.

    Args:
        knowledge: The knowledge base.
        store: The database.
        wanted: A slice with one grouping dimension, of a metric that is the average of one measure.
    """
    task = open_task(knowledge, store, wanted)
    selection, _ = select_rows(task)
    codes, groups = group_rows(selection.keys, selection.rows.count)
    value, counted = _measure(task, selection)
    kept = counted.spread(selection.rows.count).true() & value.there
    return {name_group(key[0]): value.data[kept & (codes == place)] for place, key in enumerate(groups)}


def name_group(cell: str | int | float | bool) -> str:
    """Return the value that a group is named by, as text."""
    return ("true" if cell else "false") if isinstance(cell, bool) else str(cell)


def _measure(task: Task, selection: Selection) -> tuple[Values, Values]:
    """Return the measure of each row, and whether the row counts."""
    name, rows = task.metric.formula, selection.rows
    measure = task.metric.measures[name]
    value = evaluate(measure.value, rows).spread(rows.count)
    counted = evaluate(measure.where, rows) if measure.where else constant(True)
    for applied in task.operations:
        operation = applied.operation
        if not isinstance(operation, Override) or operation.measure != name:
            continue
        new, where = evaluate(operation.expression, rows), applied.rows(rows)
        if operation.target == "value":
            value = choose(where, new, value).spread(rows.count)
        else:
            counted = choose(where, new, counted)
    return Values(value.kind, np.asarray(value.data), np.asarray(value.there), value.words), counted
