import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warebench.answers.cell import canonical_cell, unwrapped

DATE = "2020-01-05"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Charlotte", "charlotte"),
        ("  New   York\n", "new york"),
        ("**Charlotte**", "charlotte"),
        ("**Charlotte**.", "charlotte"),
        ("**Charlotte.**", "charlotte"),
        ("Charlotte**", "charlotte"),
        ("`Charlotte`", "charlotte"),
        ('"Charlotte"', "charlotte"),
        ("\u201cCharlotte\u201d", "charlotte"),
        ("O\u2019Hare", "o'hare"),
        ("Dallas\u2013Fort Worth", "dallas-fort worth"),
        ("Inc.", "inc"),
        ("e\u0301te\u0301", "\u00e9t\u00e9"),
        ("STRASSE", "strasse"),
        ("stra\u00dfe", "strasse"),
        ("7", "7"),
        ("007", "007"),
        ("7.0", "7.0"),
        ("1,234", "1,234"),
        ("10\u00b2", "10\u00b2"),
        ("_id_", "_id_"),
        ("", ""),
        ('"', '"'),
        (".", "."),
        ("**", "**"),
        ("2020-01-05", DATE),
        ("2020/1/5", DATE),
        ("2020-01-05T00:00:00", DATE),
        ("2020-01-05 00:00", DATE),
        ("January 5, 2020", DATE),
        ("Jan. 5th 2020", DATE),
        ("5 January 2020", DATE),
        ("the 5th of January, 2020", DATE),
        ("05-Jan-2020", DATE),
        ("Sunday, January 5, 2020.", DATE),
        ("Sept 5, 2020", "2020-09-05"),
        ("2020-01-05 13:30", "2020-01-05t13:30:00"),
        ("2020-01-05T13:30:00.5", "2020-01-05t13:30:00.500000"),
        # Which is the month nobody can tell.
        ("05/01/2020", "05/01/2020"),
        ("01-05-2020", "01-05-2020"),
        ("2020-02-30", "2020-02-30"),
        ("20200105", "20200105"),
        ("January 2020", "january 2020"),
        ("2020-01/05", "2020-01/05"),
    ],
)
def test_known_forms(text: str, expected: str) -> None:
    assert canonical_cell(text) == expected


MARKED = st.lists(
    st.sampled_from([*"ab1 .*\"'`-", "**", "\u201c", "\u2019", "\u1fef", "\u0130", "2020-01-05"])
)


@given(st.text() | MARKED.map("".join))
@settings(max_examples=500, deadline=None)
def test_twice_is_once(text: str) -> None:
    assert canonical_cell(canonical_cell(text)) == canonical_cell(text)
    assert unwrapped(unwrapped(text)) == unwrapped(text)


@given(st.dates())
@settings(deadline=None)
def test_long_dates_are_iso_dates(day: st.DataObject) -> None:
    for form in ("%B {0.day}, %Y", "{0.day} %b %Y", "%Y/%m/%d", "%Y-%m-%d 00:00:00"):
        text = form.format(day).replace("%Y", f"{day.year:04}")
        assert canonical_cell(f"{day:{text}}") == day.isoformat()
