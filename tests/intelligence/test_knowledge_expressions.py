"""The expression language: what is in it, and what is refused, by each of its two readers."""

import pytest

from warebench.errors import KnowledgeError
from warebench.tracks.intelligence.knowledge.expressions import columns_of, parameters_of, parse_expression
from warebench.tracks.intelligence.knowledge.grammar import read_formula

KNOWN = [
    "o.a > :x", "(:x + 1) * o.a", "o.a // 100 % 100", "o.a IN (1, -2)", "o.a NOT BETWEEN 1 AND 2",
    "CASE o.a WHEN 1 THEN 2 ELSE 3 END", "DATE_DIFF('day', o.a, o.b)", "date_part('dow', o.a)",
    "EXTRACT(hour FROM o.a)", "o.a LIKE 'x%'", "LEAST(o.a, 1, 2)", "CAST(o.a AS DATE) = DATE '2018-01-01'",
    "COALESCE(NULLIF(o.a, ':x'), 'none') IS NOT NULL",
]  # fmt: skip
REFUSED = [
    ("random() > 1", "`RAND` changes from one run to the next"),
    ("now() > o.a", "`NOW` changes"),
    ("o.a > current_date", "`CURRENT_DATE` changes"),
    ("sum(o.a)", "`SUM` is an aggregate"),
    ("round(o.a, 1)", "`ROUND` is not known"),
    ("o.a IN (SELECT 1)", "IN takes a list"),
    ("o.a IS TRUE", "IS is for NULL only"),
    ("o.a LIKE o.b", "LIKE takes a text"),
    ("date_diff('month', o.a, o.b)", "DATE_DIFF counts 'day' only"),
    ("date_part('week', o.a)", "EXTRACT takes YEAR"),
    ("CAST(o.a AS INT)", "only CAST"),
    ("TRY_CAST(o.a AS DATE)", "only CAST"),
    ("if(o.a, 1, 2)", "write CASE, not IF"),
    ("o.d + INTERVAL 3 days", "`INTERVAL` is not known"),
    ("s.o.a", "more than one dot"),
    ("SELECT 1", "`SELECT` is not known"),
    ("o.a; o.b", "is not one SQL expression"),
    ("", "not one SQL expression"),
    ("o.a +", "not one SQL expression"),
]


@pytest.mark.parametrize("text", KNOWN)
def test_known(text):
    assert parse_expression(text)
    assert read_formula(text)


@pytest.mark.parametrize(("text", "what"), REFUSED)
def test_refused(text, what):
    with pytest.raises(KnowledgeError, match=what.replace("(", r"\(")):
        parse_expression(text)
    with pytest.raises(KnowledgeError):
        read_formula(text)


def _shown(node):
    """Return a tree as nested brackets, to be read off the page."""
    word = f"{node.alias}.{node.word}" if node.alias else node.word
    return (
        f"({' '.join([node.name, *filter(None, [word]), *map(_shown, node.parts)])})"
        if node.parts
        else word or node.name
    )


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a + b * c - d", "(- (+ a (* b c)) d)"),
        ("a - b - c", "(- (- a b) c)"),
        ("a / b // c % d", "(% (// (/ a b) c) d)"),
        ("-a * b", "(* (NEGATIVE a) b)"),
        ("a OR b AND NOT c = d", "(OR a (AND b (NOT (= c d))))"),
        ("NOT a AND b", "(AND (NOT a) b)"),
        ("a BETWEEN b + 1 AND c AND d", "(AND (BETWEEN a (+ b 1) c) d)"),
        ("a NOT IN (1, -2) OR b", "(OR (NOT (IN a 1 (NEGATIVE 2))) b)"),
        ("t.a IS NOT NULL", "(NOT (IS NULL t.a))"),
        ("a NOT LIKE 'it''s%'", "(NOT (LIKE it's% a))"),
        ("CASE WHEN a THEN b END", "(CASE TRUE NULL a b)"),
        ("CASE a WHEN 1 THEN 2 WHEN 3 THEN 4 ELSE 5 END", "(CASE a 5 1 2 3 4)"),
        ('"odd name"."a ""b"""', 'odd name.a "b"'),
        ("t.end + t.date -- a remark", "(+ t.end t.date)"),
        ("x::date < DATE '2018-01-31'", "(< (DAY x) 2018-01-31)"),
        ("DATE_DIFF('day', a, b) /* days */", "(DATE_DIFF a b)"),
    ],
)
def test_operators_bind_as_in_sql(text, tree):
    assert _shown(read_formula(text)) == tree


@pytest.mark.parametrize(
    "text", ["a = b = c", "a < b IS NULL", "a IN (1) = b", "a = NOT b", "1_000", "a ? b"]
)
def test_two_readings_are_none(text):
    with pytest.raises(KnowledgeError):
        read_formula(text)


def test_names_are_found_but_not_in_texts():
    tree = parse_expression("o.a > (:x + c.b) AND c.d <> ':y' AND bare = :z")
    assert sorted(columns_of(tree)) == [("", "bare"), ("c", "b"), ("c", "d"), ("o", "a")]
    assert sorted(parameters_of(tree)) == ["x", "z"]
