import pytest

from warebench.catalog.assemble import KeyDraft, TableDraft, TableName, assemble
from warebench.catalog.model import Column


def table(name, *columns, keys=(), key=(), **more):
    """Return a draft; a key is written `column parent column`."""
    return TableDraft(
        name=TableName("", *(name.split("|") if "|" in name else ("", name))),
        columns=tuple(Column(name=column) for column in columns or ("id",)),
        primary_key=key,
        keys=tuple(
            KeyDraft(columns=(column,), parent=TableName("", "", parent), parent_columns=tuple(other))
            for column, parent, *other in (text.split() for text in keys)
        ),
        **more,
    )


PARENT = table("p", "id", "b", key=("id",))

CASES = {
    "a parent that is not there": (
        [PARENT, table("c", "x", keys=["x customers id"])],
        ["c: foreign key (x) -> customers left out, there is no table 'customers'"],
        ("c",),
    ),
    "a parent misspelled": (
        [table("customers"), table("c", "x", keys=["x custmers id"])],
        ["c: foreign key (x) -> custmers left out, there is no table 'custmers' (Did you mean `customers`?)"],
        ("c",),
    ),
    "a parent column that is not there": (
        [PARENT, table("c", "x", keys=["x p ident"])],
        ["c: foreign key (x) -> p left out, table 'p' has no column 'ident'"],
        ("c", "p"),
    ),
    "a child column that is not there": (
        [PARENT, table("c", "x", keys=["up p id"])],
        ["c: foreign key (up) -> p left out, table 'c' has no column 'up'"],
        ("c", "p"),
    ),
    "a parent without primary key": (
        [table("p", "id"), table("c", "x", keys=["x p"])],
        ["c: foreign key (x) -> p left out, it names no column of 'p', which has no primary key"],
        ("c", "p"),
    ),
    "uneven columns": (
        [table("p", "a", "b", key=("a", "b")), table("c", "x", keys=["x p"])],
        ["c: foreign key (x) -> p left out, it pairs 1 columns with 2 of table 'p': (a, b)"],
        ("c", "p"),
    ),
    "an ambiguous parent": (
        [table("x|p"), table("y|p"), table("z|c", "x", keys=["x p id"])],
        ["z.c: foreign key (x) -> p left out, 2 tables are called 'p'"],
        ("x.p", "y.p", "z.c"),
    ),
    "a table that cannot be read": (
        [PARENT, table("c", "x", keys=["x p id"], fault="this role may not read it")],
        ["c: table left out, this role may not read it"],
        ("p",),
    ),
    "a table's name that breaks the line": (
        [PARENT, table("a\nb", "x", keys=["x p id"])],
        ["'a\\nb': table left out, its name holds a control character"],
        ("p",),
    ),
    "two names that answers cannot tell apart": (
        [PARENT, table("P", "x")],
        ["P: table left out, its name cannot be told from 'p'"],
        (),
    ),
    "a column twice": ([table("t", "a", "b", "a")], ["t: column 'a' left out, its name stands twice"], ()),
    "a column's name that breaks the line": (
        [table("t", "a", "b\n")],
        ["t: column 'b\\n' left out, its name holds a control character"],
        (),
    ),
    "a primary key of a column that is not there": (
        [table("t", "a", key=("z",))],
        ["t: primary key (z) left out, the table has no such column"],
        (),
    ),
    "a view of a table that is not there": (
        [PARENT, table("v", kind="view", upstream=(TableName("", "", "p"), TableName("", "", "q")))],
        ["v: what it derives from `q` left out, there is no table 'q'"],
        ("v",),
    ),
}


@pytest.mark.parametrize(("drafts", "said", "touches"), CASES.values(), ids=CASES)
def test_leaves_out_what_cannot_stand_and_keeps_the_rest(drafts, said, touches):
    whole = [table("u1"), table("u2", "x", keys=["x u1 id"]), *drafts]
    catalog = assemble(whole, name="shop", source="a test")
    assert [str(item) for item in catalog.left_out] == said
    assert {name for item in catalog.left_out for name in item.touches} == set(touches)
    assert [(key.child.split(".")[-1], key.parent.split(".")[-1]) for key in catalog.foreign_keys] == [
        ("u2", "u1")
    ]


def test_a_key_to_what_is_left_out_touches_its_child():
    drafts = [table("p", fault="it is torn"), table("c", "x", keys=["x p id"])]
    (lost, key) = assemble(drafts, name="shop", source="a test").left_out
    assert (str(lost), lost.touches) == ("p: table left out, it is torn", ())
    assert (str(key), key.touches) == ("c: foreign key (x) -> p left out, table 'p' is left out", ("c",))


def test_a_view_derives_from_what_it_reads():
    drafts = [PARENT, table("v", kind="view", upstream=(TableName("", "", "P"),))]
    catalog = assemble(drafts, name="shop", source="a test")
    assert [(edge.downstream, edge.upstream) for edge in catalog.lineage] == [("v", "p")]
    assert [item.kind for item in catalog.tables] == ["", "view"]
