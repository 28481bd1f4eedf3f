"""Rules by rows: which rows an operation touches, as a mask. The second method; it knows nothing of SQL."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

import numpy as np

from warebench.errors import StraddleError
from warebench.tracks.intelligence.compute.evaluate import evaluate
from warebench.tracks.intelligence.compute.joins import locate
from warebench.tracks.intelligence.compute.rows import Rows
from warebench.tracks.intelligence.compute.values import DAY, Array, Truths, Values
from warebench.tracks.intelligence.knowledge.model import (
    Calendar,
    Knowledge,
    Metric,
    Operation,
    Rule,
    Weight,
)
from warebench.tracks.intelligence.slice import Slice


@dataclass(frozen=True, slots=True)
class Applied:
    """One operation of an applied rule on a metric."""

    knowledge: Knowledge
    slice: Slice
    metric: Metric
    rule: Rule
    operation: Operation

    def rows(self, rows: Rows) -> Truths:
        """Return the rows that the operation touches."""
        touched = _touched(self.rule, self.operation, self.metric, rows)
        for rule, operation in self._displacing():
            touched &= ~_touched(rule, operation, self.metric, rows)
        return touched

    def holds(self) -> bool:
        """Return whether the operation is on, where it is not about single rows.

        Raises:
            StraddleError: It is for a part of the slice.
        """
        if self._days(self.rule) == "outside":
            return False
        for rule, operation in self._displacing():
            days = self._days(rule)
            if days == "outside":
                continue
            if days == "inside" and not _scope(operation):
                return False
            raise self._straddle()
        if self._days(self.rule) == "straddling" or _scope(self.operation):
            raise self._straddle()
        return True

    def _displacing(self) -> Iterator[tuple[Rule, Operation]]:
        for other in self.knowledge.rules:
            if other.id in self.slice.rules and self.rule.id in other.supersedes:
                for operation in other.operations:
                    if self.metric.id in operation.metrics:
                        yield other, operation

    def _days(self, rule: Rule) -> str:
        """Return how the days of the slice lie to the days of a rule."""
        window = self.slice.window
        if not rule.effective_from and not rule.effective_to:
            return "inside"
        if window is None:
            return "straddling"
        first, last = rule.effective_from or "0001-01-01", rule.effective_to or "9999-12-31"
        if first <= window.first and window.last <= last:
            return "inside"
        return "outside" if window.last < first or last < window.first else "straddling"

    def _straddle(self) -> StraddleError:
        return StraddleError(
            f"the slice straddles rule {self.rule.id}, which is not about single rows",
            fix="ask for days that lie wholly inside or outside its dates",
        )


def applied_operations(knowledge: Knowledge, wanted: Slice, metric: Metric) -> tuple[Applied, ...]:
    """Return the operations that the rules of a slice have on a metric."""
    return tuple(
        Applied(knowledge, wanted, metric, rule, operation)
        for rule in knowledge.rules
        if rule.id in wanted.rules
        for operation in rule.operations
        if metric.id in operation.metrics
    )


def in_days(time: Values, calendar: Calendar, first: str, last: str) -> Truths:
    """Return the moments that are in some days, both included; an empty day is no bound."""
    day = time.data if calendar == "yymmdd" else np.floor_divide(time.data, DAY)
    found = time.there.copy()
    if first:
        found &= np.asarray(day >= _code(first, calendar))
    if last:
        found &= np.asarray(day <= _code(last, calendar))
    return found


def _code(day: str, calendar: Calendar) -> int:
    moment = date.fromisoformat(day)
    if calendar == "yymmdd":
        return int(f"{moment.year - 1900:02d}{moment.month:02d}{moment.day:02d}")
    return (moment - date(1970, 1, 1)).days


def _touched(rule: Rule, operation: Operation, metric: Metric, rows: Rows) -> Truths:
    found = np.ones(rows.count, bool)
    if rule.effective_from or rule.effective_to:
        time = rows(*locate(metric.time))
        found &= in_days(time, metric.calendar, rule.effective_from, rule.effective_to)
    if scope := _scope(operation):
        found &= evaluate(scope, rows).true()
    return found


def _scope(operation: Operation) -> str:
    return "" if isinstance(operation, Weight) else operation.scope


def periods(time: Values, calendar: Calendar, grain: str) -> Values:
    """Return the month, quarter or year of moments as texts."""
    if calendar == "yymmdd":
        year, month = 1900 + time.data // 10000, time.data // 100 % 100
    else:
        months = (
            np.floor_divide(time.data, DAY).astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
        )
        year, month = months // 12 + 1970, months % 12 + 1
    number = _numbered(year, month, grain)
    distinct, codes = np.unique(number, return_inverse=True)
    words = [_written(int(item), grain) for item in distinct]
    return Values("text", codes.astype(np.int64), time.there, np.array(words, dtype=object))


def _numbered(year: Array, month: Array, grain: str) -> Array:
    part = {"year": 0, "quarter": (month + 2) // 3, "month": month}[grain]
    return np.asarray(year * 100 + part).astype(np.int64)


def _written(number: int, grain: str) -> str:
    year, part = divmod(number, 100)
    return {"year": f"{year:04d}", "quarter": f"{year:04d}-Q{part}", "month": f"{year:04d}-{part:02d}"}[grain]
