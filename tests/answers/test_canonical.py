import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warebench.answers.canonical import canonical


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("DimDate", "dimdate"),
        ("  Order   Details\n", "order details"),
        ('"DimDate"', "dimdate"),
        ("`a`.`B`", "a.b"),
        ("[OLTP].[Sales].[Customer]", "oltp.sales.customer"),
        ('"OLTP.Sales.Customer"', "oltp.sales.customer"),
        ("[Order Details]", "order details"),
        ("\u201ca\u201d", "a"),
        ("STRASSE", "strasse"),
        ("stra\u00dfe", "strasse"),
        ("e\u0301te\u0301", "\u00e9t\u00e9"),
        ("x", "x"),
        ("", ""),
        ("[]", "[]"),
        ("a..b", "a..b"),
        ("_a_", "_a_"),
    ],
)
def test_known_forms(name: str, expected: str) -> None:
    assert canonical(name) == expected


@given(st.text())
@settings(deadline=None)
def test_twice_is_once(name: str) -> None:
    assert canonical(canonical(name)) == canonical(name)


@given(st.text(alphabet=st.characters(max_codepoint=127, categories=["L", "N"]), min_size=1))
@settings(deadline=None)
def test_case_and_quotes_do_not_matter(name: str) -> None:
    assert canonical(name.upper()) == canonical(name.lower()) == canonical(f'["{name}"]')
