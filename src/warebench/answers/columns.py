"""One order of columns under which two results have the same rows.

Each pair of columns is first looked at alone: it is possible only if the two hold the same values. Its
numbers are then put into classes, such that numbers within tolerance of each other share one; equal rows
are in equal classes column by column. The search takes one column of gold after the other and keeps only
choices under which as many rows of both sides are in every combination of classes so far.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from warebench.answers.matching import most_pairs
from warebench.answers.sql_value import Value

Finding = Literal["equal", "values", "rows", "undecided"]
"""An order was found; some column has no counterpart; none exists; or it would take too long to tell."""

Row = tuple[Value, ...]

_FREE_STEPS = 10_000_000
"""Steps for choices that lead nowhere, some seconds; one step is one value looked at."""

_FLOAT_ROUNDING = 2.0**-52


@dataclass(frozen=True, kw_only=True, slots=True)
class Tolerance:
    """How far a number may be off."""

    relative: float
    absolute: float

    def allows(self, gold: float, said: float) -> bool:
        """Tell whether a number is within tolerance of gold's."""
        bound = max(self.absolute, self.relative * abs(gold))
        if gold == said or not bound or math.isinf(gold) or math.isinf(said):
            return gold == said
        # 1.1 is within 0.1 of 1, but its float is not.
        return abs(gold - said) <= bound + _FLOAT_ROUNDING * (abs(gold) + abs(said))


EXACT = Tolerance(relative=0.0, absolute=0.0)


class Content(NamedTuple):
    """What a column holds, wherever it stands; columns often hold the same."""

    numbers: tuple[int | float, ...]
    """Sorted."""
    others: frozenset[tuple[Value, int]]
    """Other values, and how often each occurs."""
    whole: bool
    """Whether all numbers are whole by type."""


class Column(NamedTuple):
    """A column's values, and the number of its content among all columns of both sides."""

    values: tuple[Value, ...]
    content: int


class Classes(NamedTuple):
    """The class of each number of either side; none where nothing is near but the number itself."""

    gold: Mapping[Value, Value]
    got: Mapping[Value, Value]
    tolerance: Tolerance


class Split(NamedTuple):
    """Gold's rows by combination of classes."""

    numbers: dict[tuple[int, Value], int]
    """Earlier combination and class of one more column to the number of the new combination."""
    rows: list[int]
    counts: Counter[int]


class State(NamedTuple):
    """Columns of the result chosen for gold's first ones, and the combination of classes of each row."""

    gold: Sequence[int]
    got: Sequence[int]
    chosen: tuple[int, ...] = ()


@dataclass(kw_only=True, slots=True)
class Search:
    """Both results by columns, with what was found out so far."""

    gold: list[Column]
    got: list[Column]
    contents: list[Content]
    fixed: bool
    tolerance: Tolerance
    left: int
    """Steps that may still be taken. They count work, not time: a verdict never depends on the load."""
    classes: dict[tuple[int, int], Classes | None]


def find_columns(
    gold: Sequence[Row], got: Sequence[Row], places: Sequence[int], tolerance: Tolerance, *, fixed: bool
) -> Finding:
    """Return whether some order of columns makes two results equal.

    Args:
        gold: Rows of the gold query, all of one width.
        got: As many rows of that width.
        places: For each place a number; rows may change places within equal numbers.
        tolerance: How far numbers may be off.
        fixed: Whether columns must stand in gold's order.

    Complexity:
        O(c^2 * n log n) for c columns and n rows, plus a bounded number of steps for wrong choices.
        Columns in gold's own order are tried first, so they are never `undecided`.
    """
    numbers: dict[Content, int] = {}
    search = Search(
        gold=[_column(values, numbers) for values in zip(*gold, strict=True)],
        got=[_column(values, numbers) for values in zip(*got, strict=True)],
        contents=list(numbers),
        fixed=fixed,
        tolerance=tolerance,
        left=_FREE_STEPS + 4 * len(gold[0]) * len(gold),
        classes={},
    )
    fitting = [
        [other for other in _others(search, at) if _classes(search, at, other)] for at in range(len(gold[0]))
    ]
    if most_pairs(fitting) < len(fitting):
        return "values"
    if all(content.whole for content in search.contents) and _bags(gold) != _bags(got):
        return "rows"
    return _search(search, State(places, places))


def _bags(rows: Sequence[Row]) -> Counter[frozenset[tuple[Value, int]]]:
    """Count the rows by what is in them, wherever it stands: where nothing is near, an order keeps that."""
    return Counter(frozenset(Counter(row).items()) for row in rows)


def _search(search: Search, start: State) -> Finding:
    """Try choices depth first; a stack instead of recursion, since results may have many columns."""
    stack = [iter((start,))]
    while stack:
        if search.left < 0:
            return "undecided"
        state = next(stack[-1], None)
        if state is None:
            stack.pop()
        elif len(state.chosen) < len(search.gold):
            stack.append(_choices(search, state))
        elif _is_equal(search, state):
            return "equal"
    return "undecided" if search.left < 0 else "rows"


def _choices(search: Search, state: State) -> Iterator[State]:
    """Yield what can be chosen for gold's next column; of equal columns one is enough."""
    at = len(state.chosen)
    tried: list[tuple[Value, ...]] = []
    splits: dict[int, Split] = {}
    for other in _others(search, at):
        values, content = search.got[other]
        classes = None if other in state.chosen else _classes(search, at, other)
        if classes is None or values in tried:
            continue
        tried.append(values)
        if content not in splits:
            search.left -= len(values)
            splits[content] = _split(state.gold, search.gold[at].values, classes.gold)
        got = _follow(search, splits[content], zip(state.got, values, strict=True), classes.got)
        if got:
            yield State(splits[content].rows, got, (*state.chosen, other))


def _split(rows: Sequence[int], values: Sequence[Value], classes: Mapping[Value, Value]) -> Split:
    """Return gold's combinations with one more column."""
    numbers: dict[tuple[int, Value], int] = {}
    found = [
        numbers.setdefault((row, classes.get(value, value)), len(numbers))
        for row, value in zip(rows, values, strict=True)
    ]
    return Split(numbers, found, Counter(found))


def _follow(
    search: Search, split: Split, rows: Iterable[tuple[int, Value]], classes: Mapping[Value, Value]
) -> list[int] | None:
    """Return the result's combinations, or None if it has not as many of each as gold."""
    found: list[int] = []
    for row, value in rows:
        number = split.numbers.get((row, classes.get(value, value)))
        if number is None:
            break
        found.append(number)
    search.left -= len(found) + 1
    return found if len(found) == len(split.rows) and Counter(found) == split.counts else None


def _others(search: Search, at: int) -> Iterator[int]:
    yield at
    if not search.fixed:
        yield from (other for other in range(len(search.got)) if other != at)


def _column(values: tuple[Value, ...], numbers: dict[Content, int]) -> Column:
    found = sorted(value for value in values if isinstance(value, int | float))
    others: Counter[Value] = Counter(value for value in values if not isinstance(value, int | float))
    content = Content(
        tuple(found), frozenset(others.items()), all(isinstance(number, int) for number in found)
    )
    return Column(values, numbers.setdefault(content, len(numbers)))


def _classes(search: Search, at: int, other: int) -> Classes | None:
    """Return the classes of a column of gold and one of the result, or None if they hold other values."""
    key = search.gold[at].content, search.got[other].content
    if key not in search.classes:
        gold, got = (search.contents[content] for content in key)
        # Ids are whole, and neighbouring large ones lie within any relative tolerance of each other.
        tolerance = EXACT if gold.whole and got.whole else search.tolerance
        alike = len(gold.numbers) == len(got.numbers) and gold.others == got.others
        search.classes[key] = _classify(gold.numbers, got.numbers, tolerance) if alike else None
    return search.classes[key]


def _classify(
    gold: Sequence[int | float], got: Sequence[int | float], tolerance: Tolerance
) -> Classes | None:
    """Return the class of each number of either side, or None if they cannot be matched one to one.

    Both are sorted. If any matching within tolerance exists, so does that of equal ranks, since both ends
    of the tolerance grow with the number. A class ends where no number crosses: then none farther does.
    """
    if tolerance is EXACT:
        return Classes({}, {}, tolerance) if gold == got else None
    if not all(map(tolerance.allows, gold, got)):
        return None
    of_gold: dict[Value, Value] = {}
    of_got: dict[Value, Value] = {}
    number = 0
    for rank, (wanted, said) in enumerate(zip(gold, got, strict=True)):
        crosses = rank and (tolerance.allows(gold[rank - 1], said) or tolerance.allows(wanted, got[rank - 1]))
        number += not crosses
        of_gold[wanted] = of_got[said] = number
    return Classes(of_gold, of_got, tolerance)


def _is_equal(search: Search, state: State) -> bool:
    """Tell whether rows match one to one; a class may hold numbers that are not within tolerance."""
    chosen = [_classes(search, at, other) for at, other in enumerate(state.chosen)]
    tolerances = [classes.tolerance for classes in chosen if classes]
    if all(tolerance is EXACT for tolerance in tolerances):
        return True
    sides: dict[int, tuple[list[Row], list[Row]]] = defaultdict(lambda: ([], []))
    for row, number in enumerate(state.gold):
        sides[number][0].append(tuple(column.values[row] for column in search.gold))
    for row, number in enumerate(state.got):
        sides[number][1].append(tuple(search.got[at].values[row] for at in state.chosen))
    return all(_match_rows(search, golds, replies, tolerances) for golds, replies in sides.values())


def _match_rows(search: Search, golds: list[Row], replies: list[Row], tolerances: list[Tolerance]) -> bool:
    """Tell whether rows of equal classes, whose values other than numbers are equal, match one to one."""

    def fits(gold: Row, said: Row) -> bool:
        numbers = zip(_numbers(gold), _numbers(said), kept, strict=True)
        return all(tolerance.allows(wanted, number) for wanted, number, tolerance in numbers)

    kept = [near for near, value in zip(tolerances, golds[0], strict=True) if isinstance(value, int | float)]
    if all(map(fits, sorted(golds, key=_numbers), sorted(replies, key=_numbers))):
        return True
    search.left -= len(golds) ** 2
    if search.left < 0:
        return False
    fitting = [[at for at, said in enumerate(replies) if fits(gold, said)] for gold in golds]
    return most_pairs(fitting) == len(golds)


def _numbers(row: Row) -> list[int | float]:
    return [value for value in row if isinstance(value, int | float)]
