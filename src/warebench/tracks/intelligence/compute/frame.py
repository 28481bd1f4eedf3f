"""The second method: a metric from its structured definition, in memory, row by row and group by group.

It shares neither code nor SQL with `sql` and `rewrite`, and reads formulas and joins tables by itself.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from warebench.tracks.intelligence.compute.aggregate import Codes, aggregate, group_rows
from warebench.tracks.intelligence.compute.evaluate import Columns, evaluate
from warebench.tracks.intelligence.compute.rows import Store
from warebench.tracks.intelligence.compute.rules import Applied
from warebench.tracks.intelligence.compute.select_rows import Selection, Task, open_task, select_rows
from warebench.tracks.intelligence.compute.values import Truths, Values, choose, constant
from warebench.tracks.intelligence.knowledge.model import (
    Entity,
    Knowledge,
    Measure,
    Operation,
    Override,
    Threshold,
    Weight,
)
from warebench.tracks.intelligence.slice import Key, Slice


@dataclass(frozen=True, slots=True)
class Table:
    """Values of a metric by group, in the order of keys."""

    values: Mapping[Key, float]
    """Groups without a value are left out."""
    rows: int
    """Rows of the slice that the standard definition keeps; the fewest of a composite's components."""
    measures: Mapping[str, Mapping[Key, float]] = field(default_factory=dict)
    """What the formula is made of, by name: the aggregates of a metric over rows."""


def compute(knowledge: Knowledge, store: Store, wanted: Slice) -> Table:
    """Return a metric's values for a slice under its rules.

    Args:
        knowledge: The knowledge base, checked.
        store: The database.
        wanted: The slice, checked.

    Raises:
        StraddleError: A rule that is not about single rows holds for a part of the slice.
        KnowledgeError: A join fans out.
    """
    task = open_task(knowledge, store, wanted)
    return _composite(task) if task.metric.relation is None else _from_rows(task)


def _from_rows(task: Task) -> Table:
    selection, count = select_rows(task)
    codes, groups = group_rows(selection.keys, selection.rows.count)
    if task.metric.entity is None:
        names = _row_measures(task, selection, codes, len(groups))
        sizes = np.bincount(codes, minlength=len(groups))
    else:
        names, sizes = _of_units(task, task.metric.entity, selection, codes, len(groups))
    values = _formula(task, names, len(groups))
    # A group whose units are all left out is none; the one of everything always is.
    least = max(_minimum(task), 1.0 if selection.keys else 0.0)
    shown = sizes >= least
    measures = {name: _by_key(groups, value, value.there & shown) for name, value in names.items()}
    return Table(_by_key(groups, values, values.there & shown), count, measures)


def _composite(task: Task) -> Table:
    tables = {
        name: compute(task.knowledge, task.store, _of(task.slice, metric))
        for name, metric in task.metric.components.items()
    }
    first, *others = tables.values()
    groups = [key for key in first.values if all(key in other.values for other in others)]
    names = {
        name: Values("number", np.array([table.values[key] for key in groups]), np.ones(len(groups), bool))
        for name, table in tables.items()
    }
    values = _formula(task, names, len(groups))
    return Table(_by_key(groups, values, values.there), min(table.rows for table in tables.values()))


def _of(wanted: Slice, metric: str) -> Slice:
    return Slice(
        metric=metric,
        group=wanted.group,
        filters=wanted.filters,
        window=wanted.window,
        grain=wanted.grain,
        rules=wanted.rules,
        parameters=wanted.parameters,
    )


def _by_key(groups: list[Key], values: Values, shown: Truths) -> dict[Key, float]:
    return {key: float(values.data[place]) for place, key in enumerate(groups) if shown[place]}


@dataclass(frozen=True, slots=True)
class Grouped:
    """Rows or units, and the group of each."""

    columns: Columns
    codes: Codes
    groups: int
    replace: Callable[[Applied, Values, Values], Values]
    """What an override makes of old values, given the new ones."""


def _row_measures(task: Task, selection: Selection, codes: Codes, groups: int) -> dict[str, Values]:
    """Return the measures over rows, for each group."""
    rows = selection.rows

    def replace(applied: Applied, new: Values, old: Values) -> Values:
        return choose(applied.rows(rows), new, old)

    return _measures(task, task.row_measures, Grouped(rows, codes, groups, replace))


def _of_units(
    task: Task, entity: Entity, selection: Selection, codes: Codes, groups: int
) -> tuple[dict[str, Values], Codes]:
    """Return the metric's measures over units, and the number of units, for each group."""
    group = Values("whole", codes, np.ones(len(codes), bool))
    own, units = group_rows([group, *selection.units], selection.rows.count)
    names = _row_measures(task, selection, own, len(units))
    unit_group = np.array([key[0] for key in units], dtype=np.int64)
    keep = _text(task, "keep", entity.keep)
    kept = evaluate(keep, Whole(task, names)) if keep else constant(True)
    seen = np.flatnonzero(kept.spread(len(units)).true())
    columns = Whole(task, {name: value.take(seen) for name, value in names.items()})

    def replace(applied: Applied, new: Values, old: Values) -> Values:
        return new if applied.holds() else old

    grouped = Grouped(columns, unit_group[seen], groups, replace)
    return _measures(task, task.metric.measures, grouped), np.bincount(unit_group[seen], minlength=groups)


def _measures(task: Task, measures: Mapping[str, Measure], grouped: Grouped) -> dict[str, Values]:
    return {name: _measure(task, name, measure, grouped) for name, measure in measures.items()}


def _measure(task: Task, name: str, measure: Measure, grouped: Grouped) -> Values:
    columns = grouped.columns
    value = evaluate(measure.value, columns) if measure.value else None
    where = evaluate(measure.where, columns) if measure.where else constant(True)
    for applied in task.operations:
        match applied.operation:
            case Override(target="value", measure=target, expression=text) if target == name and value:
                value = grouped.replace(applied, evaluate(text, columns), value)
            case Override(target="where", measure=target, expression=text) if target == name:
                where = grouped.replace(applied, evaluate(text, columns), where)
    return aggregate(measure.aggregate, value, where.true(), grouped.codes, grouped.groups)


@dataclass(frozen=True, slots=True)
class Whole:
    """Names where no row is seen any more: measures, components, and parameters of the whole slice."""

    task: Task
    names: Mapping[str, Values]

    def __call__(self, alias: str, name: str) -> Values:
        """Return what a name stands for."""
        return (
            constant(_parameter(self.task, name)) if name in self.task.metric.parameters else self.names[name]
        )


def _formula(task: Task, names: Mapping[str, Values], groups: int) -> Values:
    text = _text(task, "formula", task.metric.formula)
    return evaluate(text, Whole(task, names)).spread(groups)


def _text(task: Task, target: str, standard: str) -> str:
    """Return the formula, or the condition that keeps units, as overridden."""
    for applied in task.operations:
        match applied.operation:
            case Override(target=found, expression=text) if found == target and applied.holds():
                standard = text
    return standard


def _parameter(task: Task, name: str) -> float:
    value = dict(task.slice.parameters).get(name)
    if value is not None:
        return float(value)
    found = float(task.metric.parameters[name])
    for applied in task.operations:
        if _sets(applied.operation, name) and applied.holds():
            found = float(applied.operation.value)  # type: ignore[union-attr]
    return found


def _sets(operation: Operation, name: str) -> bool:
    return isinstance(operation, Threshold | Weight) and operation.parameter == name


def _minimum(task: Task) -> float:
    """Return how many rows or units a group needs."""
    found = [value for name, value in task.slice.parameters if name == "minimum_rows"]
    if not found:
        for applied in task.operations:
            match applied.operation:
                case Threshold(parameter="minimum_rows", value=value) if applied.holds():
                    found.append(value)
    return max(found, default=0.0)
