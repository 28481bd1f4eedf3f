import json
import math
import time
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta, timezone
from datetime import time as clock
from decimal import Decimal
from itertools import groupby, permutations
from pathlib import Path
from random import Random
from uuid import UUID

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warebench.answers import columns
from warebench.answers.result import STRICT, Comparison, compare_as_bird, compare_results
from warebench.answers.sql_value import canonical_value

Row = tuple[object, ...]
ORDERED = Comparison(ordered=True)
GIVEN = Comparison(columns="given")
ONCE = Comparison(duplicates=False)
LOOSE = Comparison(absolute=0.1)
BLANK = Comparison(nulls="blank")


def keyed(*keys: int) -> Comparison:
    return Comparison(ordered=True, order_keys=keys)


DAY = datetime.fromisoformat("2020-01-05T00:00:00")
PAIRS = [("a", 1), ("b", 2), ("c", 2), ("d", 3)]


@pytest.mark.parametrize(
    ("gold", "got", "how", "reason"),
    [
        ([], [], STRICT, "equal"),
        ([], [(1,)], STRICT, "row count"),
        ([(1,)], [], STRICT, "row count"),
        ([(None,)], [], STRICT, "row count"),
        ([(1, 2)], [(1,)], STRICT, "column count"),
        ([(1,)], [(1, 2), (3,)], STRICT, "column count"),
        # Types.
        ([(1,)], [(1.0,)], STRICT, "equal"),
        ([(1,)], [(Decimal("1.00"),)], STRICT, "equal"),
        ([(Decimal("0.1"),)], [(0.1,)], STRICT, "equal"),
        ([(1, 0)], [(True, False)], STRICT, "equal"),
        ([(1,)], [("1",)], STRICT, "values"),
        ([("a",)], [("A",)], STRICT, "values"),
        ([("a",)], [("a ",)], STRICT, "values"),
        ([("a",)], [(b"a",)], STRICT, "values"),
        ([(b"a",)], [(bytearray(b"a"),)], STRICT, "equal"),
        ([(None,)], [(None,)], STRICT, "equal"),
        ([(None,)], [(0,)], STRICT, "values"),
        ([(None,)], [("",)], STRICT, "values"),
        ([(math.nan,)], [(math.nan,)], STRICT, "equal"),
        ([(math.nan,)], [(None,)], STRICT, "values"),
        ([(math.inf,)], [(math.inf,)], STRICT, "equal"),
        ([(math.inf,)], [(1e308,)], STRICT, "values"),
        ([(1e308,)], [(math.inf,)], STRICT, "values"),
        ([(10**400,)], [(10**400,)], STRICT, "equal"),
        ([(10**400,)], [(10**400 + 1,)], STRICT, "values"),
        ([(Decimal("1e999999"),)], [(1,)], STRICT, "values"),
        ([(date(2020, 1, 5),)], [("2020-01-05",)], STRICT, "equal"),
        ([(date(2020, 1, 5),)], [(DAY,)], STRICT, "equal"),
        ([(DAY.replace(hour=7),)], [("2020-01-05 07:00:00",)], STRICT, "equal"),
        ([(date(2020, 1, 5),)], [("2020-01-05 00:00:00",)], STRICT, "equal"),
        ([([1, 2],)], [((1.0, 2),)], STRICT, "equal"),
        # Tolerance: for floats only, so that ids stay apart.
        ([(0.3,)], [(0.1 + 0.2,)], STRICT, "equal"),
        ([(0.0,)], [(1e-17,)], STRICT, "equal"),
        ([(12.34567,)], [(12.3457,)], STRICT, "values"),
        ([(10**12,)], [(10**12 + 1,)], STRICT, "values"),
        ([(float(10**12),)], [(10**12 + 1,)], STRICT, "equal"),
        # 1.1 would serve both.
        ([(1.0,), (1.1,)], [(1.19,), (1.1,)], LOOSE, "equal"),
        ([(1.0,), (1.1,)], [(1.21,), (1.1,)], LOOSE, "values"),
        ([(1.0, "x"), (1.05, "y")], [(1.05, "x"), (1.0, "y")], LOOSE, "equal"),
        ([(1.0, "x"), (1.2, "y"), (1.1, "z")], [(1.2, "x"), (1.0, "y"), (1.1, "z")], LOOSE, "rows"),
        # NULL, where it may have become the empty text.
        ([(None,)], [("",)], BLANK, "equal"),
        ([("",)], [(None,)], BLANK, "equal"),
        ([("",), (None,)], [(None,), (None,)], BLANK, "equal"),
        ([("",), (None,)], [(None,)], Comparison(nulls="blank", duplicates=False), "equal"),
        ([(None,)], [(" ",)], BLANK, "values"),
        ([(None,)], [(0,)], BLANK, "values"),
        ([(None,)], [(b"",)], BLANK, "values"),
        ([(None,)], [], BLANK, "row count"),
        (
            [(None, 1), ("", 2), ("a", 3)],
            [("", 2), (None, 1), ("a", 3)],
            Comparison(nulls="blank", ordered=True, order_keys=(0,)),
            "equal",
        ),
        # Rows.
        (PAIRS, PAIRS[::-1], STRICT, "equal"),
        (PAIRS, [("a", 2), ("b", 1), ("c", 2), ("d", 3)], STRICT, "rows"),
        ([(1,), (1,), (2,)], [(1,), (2,), (2,)], STRICT, "values"),
        ([(1,), (1,)], [(1,)], STRICT, "row count"),
        ([(1,), (1,)], [(1,)], ONCE, "equal"),
        ([(1,), (2,)], [(2,), (1,), (1.0,)], ONCE, "equal"),
        ([(1,), (2,)], [(1,)], ONCE, "row count"),
        # Columns.
        (PAIRS, [(n, name) for name, n in PAIRS], STRICT, "equal"),
        (PAIRS, [(n, name) for name, n in PAIRS], GIVEN, "values"),
        ([(1, 2), (2, 1)], [(2, 1), (1, 2)], GIVEN, "equal"),
        # One order for all rows.
        ([(1, 2), (3, 4)], [(1, 2), (4, 3)], STRICT, "values"),
        ([(1, 2), (2, 1), (1, 1)], [(2, 1), (1, 2), (1, 1)], ORDERED, "equal"),
        # Order.
        (PAIRS, PAIRS, ORDERED, "equal"),
        (PAIRS, PAIRS[::-1], ORDERED, "order"),
        (PAIRS, [PAIRS[0], PAIRS[2], PAIRS[1], PAIRS[3]], ORDERED, "order"),
        (PAIRS, [PAIRS[0], PAIRS[2], PAIRS[1], PAIRS[3]], keyed(1), "equal"),
        (PAIRS, [(n, name) for name, n in (PAIRS[0], PAIRS[2], PAIRS[1], PAIRS[3])], keyed(1), "equal"),
        (PAIRS, [PAIRS[0], PAIRS[2], PAIRS[1], PAIRS[3]], keyed(1, 0), "order"),
        (PAIRS, [PAIRS[1], PAIRS[0], PAIRS[2], PAIRS[3]], keyed(1), "order"),
        ([(1,), (1,), (2,)], [(1,), (2,)], Comparison(ordered=True, duplicates=False), "equal"),
    ],
)
def test_verdict(gold: list[Row], got: list[Row], how: Comparison, reason: str) -> None:
    verdict = compare_results(gold, got, how)
    assert verdict.reason == reason
    assert verdict.correct is (reason == "equal")
    assert verdict.explanation


@pytest.mark.parametrize(
    ("gold", "got", "reason"),
    [
        # Python's sets, so order and duplicates are lost and columns stay.
        ([(1,), (1,), (2,)], [(2.0,), (True,)], "equal"),
        (PAIRS, [(n, name) for name, n in PAIRS], "rows"),
        ([(0.3,)], [(0.1 + 0.2,)], "rows"),
        ([("2020-01-05",)], [(date(2020, 1, 5),)], "rows"),
        ([(None,)], [("",)], "rows"),
        ([([1],)], [([1],)], "equal"),
        ([([1],)], [([2],)], "rows"),
        ([], [], "equal"),
    ],
)
def test_verdict_of_bird(gold: list[Row], got: list[Row], reason: str) -> None:
    verdict = compare_as_bird(gold, got)
    assert (verdict.reason, verdict.correct) == (reason, reason == "equal")
    assert verdict.explanation


CELLS: st.SearchStrategy[object] = st.sampled_from((0, 1, 1.0, 1.25, 1.5, 1.75, 2, "x", "1", "", None, b"x"))
TIGHT = Comparison(absolute=0.0, relative=0.0)
WIDE = Comparison(absolute=0.25, relative=0.0)


@st.composite
def two_results(draw: st.DrawFn) -> tuple[list[Row], list[Row]]:
    """Return two results that are often the same up to order, noise and a swapped value."""
    width = draw(st.integers(1, 3))
    gold = draw(st.lists(st.tuples(*[CELLS] * width), min_size=1, max_size=4))
    order = draw(st.permutations(range(width)))
    rows = draw(st.permutations(gold)) if draw(st.booleans()) else gold
    got = [[row[at] for at in order] for row in rows]
    for _ in range(draw(st.integers(0, 2))):
        at, other = draw(st.integers(0, len(got) - 1)), draw(st.integers(0, len(got) - 1))
        place = draw(st.integers(0, width - 1))
        got[at][place], got[other][place] = got[other][place], got[at][place]
    if draw(st.booleans()):
        noise = draw(st.sampled_from((-0.25, 0.25)))
        at, place = draw(st.integers(0, len(got) - 1)), draw(st.integers(0, width - 1))
        cell = got[at][place]
        got[at][place] = cell + noise if isinstance(cell, float) else cell
    return gold, list(map(tuple, got))


def by_force(gold: Sequence[Row], got: Sequence[Row], how: Comparison) -> bool:
    """Compare by trying every order of columns and rows."""
    if not how.duplicates:
        gold, got = list(dict.fromkeys(gold)), list(dict.fromkeys(got))
    if len(gold) != len(got):
        return False
    width = range(len(gold[0]))
    orders = [tuple(width)] if how.columns == "given" else list(permutations(width))
    return any(fit_in_order(gold, [tuple(row[at] for at in order) for row in got], how) for order in orders)


def fit_in_order(gold: Sequence[Row], got: Sequence[Row], how: Comparison) -> bool:
    exact = [not any(isinstance(row[at], float) for row in (*gold, *got)) for at in range(len(gold[0]))]

    def fits(wanted: Row, said: Row) -> bool:
        return all(map(same, wanted, said, exact))

    def same(wanted: object, said: object, whole: bool) -> bool:
        numbers = isinstance(wanted, int | float) and isinstance(said, int | float)
        near = numbers and abs(wanted - said) <= (0 if whole else how.absolute)  # type: ignore[operator]
        return near or (not numbers and wanted == said)

    runs = [len(gold)]
    if how.ordered:
        keys = [
            tuple(row[key] for key in how.order_keys) if how.order_keys else n for n, row in enumerate(gold)
        ]
        runs = [len(list(run)) for _, run in groupby(keys)]
    start = 0
    for size in runs:
        part, other = gold[start : start + size], got[start : start + size]
        if not any(all(map(fits, part, order)) for order in permutations(other)):
            return False
        start += size
    return True


@given(two_results(), st.sampled_from((TIGHT, WIDE)), st.booleans(), st.booleans(), st.booleans())
@settings(max_examples=500, deadline=None)
def test_it_finds_what_trying_everything_finds(
    pair: tuple[list[Row], list[Row]], how: Comparison, ordered: bool, by_key: bool, given_order: bool
) -> None:
    gold, got = pair
    how = msgspec.structs.replace(
        how,
        ordered=ordered,
        order_keys=(0,) if by_key else (),
        columns="given" if given_order else "permuted",
    )
    verdict = compare_results(gold, got, how)
    assert verdict.reason != "undecided"
    assert verdict.correct is by_force(gold, got, how), verdict


@given(two_results(), st.sampled_from((STRICT, ORDERED, GIVEN, ONCE, WIDE, BLANK, keyed(0))))
@settings(max_examples=150, deadline=None)
def test_gold_is_right(pair: tuple[list[Row], list[Row]], how: Comparison) -> None:
    assert compare_results(pair[0], pair[0], how).correct


HOWS = st.sampled_from((STRICT, ORDERED, GIVEN, ONCE, WIDE, keyed(0)))


def with_nulls(rows: Sequence[Row]) -> list[Row]:
    return [tuple(None if cell == "" else cell for cell in row) for row in rows]


@given(two_results(), HOWS, st.booleans(), st.booleans())
@settings(max_examples=300, deadline=None)
def test_blank_is_equal_where_every_empty_text_is_null(
    pair: tuple[list[Row], list[Row]], how: Comparison, of_gold: bool, of_got: bool
) -> None:
    gold, got = pair
    blank = msgspec.structs.replace(how, nulls="blank")
    wanted = compare_results(with_nulls(gold), with_nulls(got), how)
    # Which of the two stands where does not matter, on neither side.
    swapped = with_nulls(gold) if of_gold else gold, with_nulls(got) if of_got else got
    assert compare_results(*swapped, blank).correct is wanted.correct


@given(two_results())
@settings(max_examples=150, deadline=None)
def test_bird_is_equality_of_sets(pair: tuple[list[Row], list[Row]]) -> None:
    assert compare_as_bird(*pair).correct == (set(pair[0]) == set(pair[1]))


ROWS, COLUMNS = 10_000, 20


def columns_of_equal_values(seed: int) -> list[list[object]]:
    rng = Random(seed)  # noqa: S311 - reproducible
    values: list[object] = [rng.random() for _ in range(ROWS)]
    return [rng.sample(values, ROWS) for _ in range(COLUMNS)]


def shuffled(rows: Sequence[Row], seed: int) -> list[Row]:
    """Return rows and columns in another order."""
    rng = Random(seed)  # noqa: S311 - reproducible
    order = rng.sample(range(COLUMNS), COLUMNS)
    return [tuple(row[at] for at in order) for row in rng.sample(rows, len(rows))]


def one_hot(marks: Sequence[int]) -> list[Row]:
    return [tuple(int(at == mark) for at in range(COLUMNS)) for mark in marks]


EQUAL = [(value,) * COLUMNS for value in columns_of_equal_values(0)[0]]
ALIKE = list(zip(*columns_of_equal_values(1), strict=True))
SCRAMBLED = list(zip(*columns_of_equal_values(1)[:-1], columns_of_equal_values(2)[0], strict=True))
ONE_HOT = one_hot([number % COLUMNS for number in range(ROWS)])


@pytest.mark.parametrize(
    ("gold", "got", "reason"),
    [
        (EQUAL, shuffled(EQUAL, 0), "equal"),
        (ALIKE, shuffled(ALIKE, 0), "equal"),
        (ALIKE, shuffled(SCRAMBLED, 0), "values"),
        (ONE_HOT, shuffled(ONE_HOT, 0), "equal"),
        # Two marks in one row and none in the next.
        (ONE_HOT, [(1, 1, *ONE_HOT[0][2:]), (0,) * COLUMNS, *ONE_HOT[2:]], "rows"),
    ],
    ids=["equal", "alike", "scrambled", "one-hot", "one-hot-spoiled"],
)
def test_twenty_columns_of_ten_thousand_rows(gold: list[Row], got: list[Row], reason: str) -> None:
    started = time.process_time()
    assert compare_results(gold, got).reason == reason
    # About 2 s; trying orders of twenty columns would take centuries.
    assert time.process_time() - started < 20


def test_columns_too_alike_are_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "_FREE_STEPS", 100_000)
    gold = [(*row, 0.5) for row in ONE_HOT]
    got = [(1, 1, *ONE_HOT[0][2:], 0.5), (*(0,) * COLUMNS, 0.5), *gold[2:]]
    assert compare_results(gold, got).reason == "undecided"
    assert compare_results(gold, gold[::-1]).reason == "equal"


def test_hundreds_of_columns() -> None:
    row = tuple(range(300))
    assert compare_results([row], [row[::-1]]).reason == "equal"


def test_order_keys_are_columns_of_gold() -> None:
    with pytest.raises(ValueError, match="2 columns"):
        compare_results(PAIRS, PAIRS[::-1], keyed(2))
    with pytest.raises(ValueError, match="counted from 0"):
        keyed(-1)


@pytest.mark.parametrize("how", [{"relative": 1.0}, {"relative": -0.1}, {"absolute": math.inf}])
def test_tolerances_are_checked(how: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="tolerance"):
        Comparison(**how)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("cell", "want"),
    [
        (Decimal("NaN"), ("nan",)),
        (Decimal("-Infinity"), -math.inf),
        (Decimal("12.50"), 12.5),
        (Decimal("12"), 12),
        (memoryview(b"x"), b"x"),
        (clock(7, 30), "07:30:00"),
        (datetime(2020, 1, 1, 1, tzinfo=timezone(timedelta(hours=1))), "2020-01-01"),
        (datetime(2020, 1, 1, tzinfo=UTC), "2020-01-01"),
        ("2020-01-05 00:00:00", "2020-01-05"),
        ("2020-01-05T10:15:00.500Z", "2020-01-05 10:15:00.500000"),
        ("2020-02-30 00:00:00", "2020-02-30 00:00:00"),
        ("2020-01-05 00:00", "2020-01-05 00:00"),
        (timedelta(days=1, seconds=2), ("interval", 1, 2, 0)),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        ({"b": 1, "a": [Decimal("2")]}, ("struct", ("a", ("list", 2)), ("b", 1))),
        (slice(1), ("slice", "slice(None, 1, None)")),
    ],
)
def test_canonical_value(cell: object, want: object) -> None:
    assert canonical_value(cell) == want


_TYPES = {
    "float": float,
    "decimal": Decimal,
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "time": clock.fromisoformat,
}
_PAIRS_FILE = Path(__file__).parents[1] / "fixtures" / "answers" / "result_pairs.jsonl"
_JUDGED = [json.loads(line) for line in _PAIRS_FILE.read_text("utf-8").splitlines()]


def _rows(stored):
    """Return rows as a driver gives them: what JSON has no type for stands under its name."""
    return [
        tuple(
            _TYPES[next(iter(cell))](next(iter(cell.values()))) if isinstance(cell, dict) else cell
            for cell in row
        )
        for row in stored
    ]


@pytest.mark.parametrize("pair", _JUDGED, ids=[pair["id"] for pair in _JUDGED])
def test_pair(pair):
    # By our rules, where a fair person may say otherwise: x31, texts of a day and of its midnight, are one
    # moment; x52 and x55, ties and duplicates are told by exact values, not within tolerance.
    verdict = compare_results(_rows(pair["gold"]), _rows(pair["got"]), Comparison(**pair["comparison"]))
    assert verdict.correct is pair["equal"]
