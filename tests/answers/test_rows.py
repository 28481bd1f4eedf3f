from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from warebench.answers.model import Cell, Column, Table
from warebench.answers.rows import match_rows

COLUMNS = (Column("k"), Column("x", "quantity", 0.0, 0.1), Column("y", "quantity", 0.1, 0.0))
TENTHS = st.integers(8, 13).map(lambda tenths: tenths / 10)
ROWS = st.lists(st.tuples(st.sampled_from("ab"), TENTHS | st.none(), TENTHS), max_size=5).map(tuple)


def near(gold: Cell, said: Cell, relative: float, absolute: float) -> bool:
    if not isinstance(gold, float) or not isinstance(said, float):
        return gold is said
    return abs(round(gold * 10) - round(said * 10)) <= max(absolute * 10, relative * gold * 10) + 1e-9


def fits(gold: tuple[Cell, ...], said: tuple[Cell, ...]) -> bool:
    return gold[0] == said[0] and near(gold[1], said[1], 0, 0.1) and near(gold[2], said[2], 0.1, 0)


def most(gold: tuple[tuple[Cell, ...], ...], said: tuple[tuple[Cell, ...], ...]) -> int:
    """Return the size of a largest matching, by trying every order."""
    padded: list[tuple[Cell, ...] | None] = [*said, *[None] * (len(gold) - len(said))]
    return max(
        sum(row is not None and fits(wanted, row) for wanted, row in zip(gold, order, strict=False))
        for order in permutations(padded)
    )


@given(ROWS, ROWS)
@settings(max_examples=150, deadline=None)
def test_as_many_rows_match_as_can(
    gold: tuple[tuple[Cell, ...], ...], said: tuple[tuple[Cell, ...], ...]
) -> None:
    match = match_rows(Table(COLUMNS, gold), Table(COLUMNS, said))
    assert match.matched == most(gold, said)
    assert match.said == len(said)
    assert match.in_order == (len(gold) == len(said) and all(map(fits, gold, said)))


def test_many_rows_that_all_fit_each_other() -> None:
    x = (Column("x", "quantity", 0.0, 1000.0),)
    numbers = tuple((float(number),) for number in range(300))
    assert match_rows(Table(x, numbers), Table(x, numbers[::-1])).matched == 300


def test_a_chain_of_rows_that_must_all_move() -> None:
    x = (Column("x", "quantity", 0.0, 1.0),)
    gold = tuple((float(number),) for number in range(600))
    said = tuple((float(number + 1),) for number in range(600))
    assert match_rows(Table(x, gold), Table(x, said[::-1])).matched == 600
