import pytest

from warebench.catalog.model import Catalog, Column, ForeignKey, LineageEdge, Table
from warebench.catalog.select import Selection, select
from warebench.errors import SourceError


def table(name: str) -> Table:
    return Table(name=name, columns=(Column(name="id"), Column(name="up")), primary_key=("id",))


CATALOG = Catalog(
    name="shop",
    tables=tuple(map(table, ("raw.orders", "raw.items", "mart.sales"))),
    foreign_keys=(
        ForeignKey(child="raw.items", parent="raw.orders", child_columns=("up",), parent_columns=("id",)),
    ),
    lineage=(LineageEdge(downstream="mart.sales", upstream="raw.orders"),),
)

CASES = {
    "nothing asked": (Selection(), ("raw.orders", "raw.items", "mart.sales"), []),
    "a schema": (
        Selection(schemas=("raw",)),
        ("raw.orders", "raw.items"),
        [("mart.sales: table left out, excluded", ("raw.orders",))],
    ),
    "tables to read, without regard to case": (
        Selection(include=("RAW.*",), exclude=("*.items",)),
        ("raw.orders",),
        [
            ("raw.items: table left out, excluded", ("raw.orders",)),
            ("mart.sales: table left out, excluded", ("raw.orders",)),
        ],
    ),
    "a column, and the key that needs it": (
        Selection(exclude=("raw.items.up",)),
        ("raw.orders", "raw.items", "mart.sales"),
        [
            ("raw.items: column `up` left out, excluded", ()),
            (
                "raw.items: foreign key (up) -> raw.orders left out, a column of it is left out",
                ("raw.items", "raw.orders"),
            ),
        ],
    ),
}


@pytest.mark.parametrize(("selection", "names", "said"), CASES.values(), ids=CASES)
def test_what_is_not_wanted_is_left_out_with_what_it_touches(selection, names, said):
    chosen = select(CATALOG, selection)
    assert chosen.table_names == names
    assert [(str(item), item.touches) for item in chosen.left_out] == said
    kept = set(names)
    assert all({key.child, key.parent} <= kept for key in chosen.foreign_keys)


def test_a_primary_key_goes_with_its_column():
    chosen = select(CATALOG, Selection(exclude=("mart.sales.id",)))
    assert chosen.tables[2] == Table(name="mart.sales", columns=(Column(name="up"),))


@pytest.mark.parametrize(
    ("selection", "what"),
    [
        (Selection(exclude=("raw.order",)), "the pattern `raw.order` matches no table and no column"),
        (Selection(schemas=("rav",)), "the pattern `rav.*` matches no table"),
        (Selection(exclude=("*",)), "nothing is left of this source"),
    ],
)
def test_patterns_that_match_nothing_are_refused(selection, what):
    with pytest.raises(SourceError) as caught:
        select(CATALOG, selection, "shop.json")
    assert what in caught.value.what
    assert caught.value.where == "shop.json"
