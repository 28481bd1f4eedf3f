"""Names as people and models write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warebench.tracks.topology.methods.names import index_names, mentioned
from warebench.tracks.topology.phrase import quote

NAMES = ("store", "store_sales", "OLTP.Sales.Store", "DW.dbo.DimStore", "x`y", "T", "t")
FOUND = [
    ("store", "store"),
    ("STORE_SALES", "store_sales"),
    ("sales.store", "OLTP.Sales.Store"),
    ("dimstore", "DW.dbo.DimStore"),
    ("Store", "store"),  # a whole name means itself, though another one ends so
    ("T", "T"),
    ("t", "t"),
    ("Dim", None),
    ("", None),
]


@pytest.mark.parametrize(("said", "name"), FOUND)
def test_find(said, name):
    assert index_names(NAMES).find(said) == name


MENTIONS = [
    ("Which tables derive directly from `store`?", ("store",)),
    ("Is the store in `store_sales`, the store?", ("store_sales",)),
    ("From `OLTP.Sales.Store` to `T`, and `T` again", ("OLTP.Sales.Store", "T")),
    ("In another case: `Store`, `STORE_SALES`; not whole: `Sales.Store`", ()),
    ("Quoted: `x``y`", ("x`y",)),
    ("How many silos does the schema have?", ()),
]


@pytest.mark.parametrize(("text", "tables"), MENTIONS)
def test_mentions_are_exact(text, tables):
    assert mentioned(text, NAMES) == tables


@given(st.lists(st.text(min_size=1), min_size=1, max_size=5, unique=True))
def test_any_quoted_name_is_mentioned(names):
    text = " and ".join(quote(name) for name in names)
    assert mentioned(text, names) == tuple(names)


def test_close_names_come_closest_first():
    assert index_names(NAMES).close("store_sale")[0] == "store_sales"
    assert index_names(NAMES).close("Sales.DimStores")[0] == "DW.dbo.DimStore"
