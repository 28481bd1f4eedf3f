"""Query lines: what each means, and what is said of a line that means nothing."""

import pytest

from warebench.errors import BuildError
from warebench.queries.model import (
    Correlation,
    Count,
    Filter,
    Join,
    Mean,
    Measure,
    Query,
    Top,
    Total,
    Value,
)
from warebench.queries.notation import read_query
from warebench.queries.template import Parameter

B = Join(table="Big B", alias="b", on=(("a.b_id", "id"),))


def links(words):
    for word in words[1:]:
        if word != "b":
            raise LookupError(f"no line joins `{word}`")
    return "A", words[0], (B,) * (len(words) - 1)


def query(want, *, joins=(), filters=()):
    return Query(table="A", alias="a", joins=joins, filters=filters, want=want)


X, Y = Measure(column="a.x"), Measure(column="b.y z")
WHERE = (
    Filter(column="b.y z", op="<=", parameter="p"),
    Filter(column="a.x", op="<>", parameter="q"),
)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("count of a", query(Count())),
        ("count distinct a.x of a", query(Count("a.x"))),
        ("value a.x of a", query(Value("a.x"))),
        ("sum a.x of a", query(Total(X))),
        ("mean a.x - a.w of a", query(Mean(Measure(column="a.x", minus="a.w")))),
        ('correlation a.x with b."y z" of a b', query(Correlation(X, Y), joins=(B,))),
        ("most a.x by count of a", query(Top("a.x", Count()))),
        ("least a.x by mean a.x of a", query(Top("a.x", Mean(X), highest=False))),
        ('count of a b where b."y z" <= {p} and a.x <> {q}', query(Count(), joins=(B,), filters=WHERE)),
    ],
)
def test_a_line_becomes_a_query(line, expected):
    assert read_query(line, links, "f, line 1")[0] == expected


def test_parameters_are_values_or_thresholds():
    assert read_query('count of a b where b."y z" <= {p} and a.x <> {q}', links, "f")[1] == (
        Parameter(name="p", column="b.y z", kind="threshold"),
        Parameter(name="q", column="a.x", kind="value"),
    )


@pytest.mark.parametrize(
    ("line", "said", "fix"),
    [
        ("count a", "a query cannot be read", "WANT of ALIAS"),
        ("median a.x of a", "no aggregate `median a.x`", "mean COLUMN"),
        ("sum a.x + a.w of a", "`+` cannot be read", "WANT of ALIAS"),
        ("sum a.x a.w of a", "no measure `a.x a.w`", "COLUMN - COLUMN"),
        ("count of a c", "no line joins `c`", "a key to or from"),
        ("count of a where a.x = p", "a filter cannot be read: a.x = p", "{parameter}"),
        ("count of a where a.x = {p} and", "a filter cannot be read", "{parameter}"),
        ("sum c.x of a", "`c.x` is no column of a table after `of`", "write one of a,"),
        ("sum x of a", "`x` is no column", "a point and the column"),
        ("count of a where c.x = {p}", "`c.x` is no column", "write one of a,"),
    ],
)
def test_a_line_that_means_nothing_is_refused_with_place_and_remedy(line, said, fix):
    with pytest.raises(BuildError) as caught:
        read_query(line, links, "f.txt, line 3")
    assert said in caught.value.what
    assert caught.value.where == "f.txt, line 3"
    assert fix in caught.value.fix
