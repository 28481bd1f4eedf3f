"""Tables of text."""

from warebench.cli.output import table


def test_numbers_right_words_left() -> None:
    assert table(("name", "n"), [("a", 5), ("long one", 12)]) == (
        "name       n\n--------  --\na          5\nlong one  12"
    )


def test_no_rows() -> None:
    assert table(("name", "n"), []) == "name  n\n----  -"


def test_nothing_is_cut_off() -> None:
    assert "x" * 500 in table(("a",), [("x" * 500,)])
