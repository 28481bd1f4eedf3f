"""The query in a reply."""

import json
from pathlib import Path

import pytest

from warebench.answers.sql_reply import find_sql


@pytest.mark.parametrize(
    ("reply", "sql"),
    [
        ("```sql\nSELECT 1\n```", "SELECT 1"),
        ("First:\n```sql\nSELECT 1\n```\nBetter:\n```SQL\nSELECT 2;\n```\nDone.", "SELECT 2;"),
        ("```\nSELECT 3\n```", "SELECT 3"),
        ("```duckdb\nSELECT 3\n```", "SELECT 3"),
        ("```sqlite\nSELECT 3\n```", "SELECT 3"),
        ("```sql\nSELECT 4", "SELECT 4"),
        ("```sql\r\nSELECT 5\r\n```", "SELECT 5"),
        ("  select count(*) from t", "select count(*) from t"),
        ("WITH a AS (SELECT 1) SELECT * FROM a", "WITH a AS (SELECT 1) SELECT * FROM a"),
        ('{"sql": "SELECT 6"}', "SELECT 6"),
        ('{"sql": null}', None),
        ('{"answer": 7}', None),
        ("I cannot write it.", None),
        ("```sql\n\n```", None),
        ("", None),
        ("<think>\n```sql\nSELECT 1\n```", None),
        ("```sql\nSELECT 1\n```\n```postgresql\nSELECT 2\n```", "SELECT 1"),
        ("```python\nx = 1\n```\nSo:\n```sql\nSELECT 7\n```", "SELECT 7"),
        ('```json\n{"a": 1}\n```\n\n```sql\nSELECT 8\n```', "SELECT 8"),
        ("```sql\nSELECT 9\n```sql\nSELECT 10\n```", "SELECT 10"),
        ("With the tables at hand, I cannot answer.", None),
        ("Select: nothing.", None),
        ("The query is `SELECT 11 FROM t`.", "SELECT 11 FROM t"),
        ("`SELECT` and `WITH` are keywords.", None),
        ("Here is the query:\n\nSELECT a\n\nFROM t\n\nIt lists a.", "SELECT a\n\nFROM t"),
        ("SELECT a FROM (SELECT 1 AS a) t WHERE (a > 0)", "SELECT a FROM (SELECT 1 AS a) t WHERE (a > 0)"),
        ("(SELECT 1) UNION (SELECT 2)", "(SELECT 1) UNION (SELECT 2)"),
        ("```text\nSELECT is a word\n```", None),
        ('{"reasoning": "x", "sql": "SELECT 12"}', "SELECT 12"),
    ],
)
def test_the_last_query_counts(reply, sql):
    assert find_sql(reply) == sql


CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "fixtures" / "answers" / "sql_replies.jsonl")
    .read_text("utf-8")
    .splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_every_query_is_found(case):
    found = find_sql(case["reply"])
    # Of k49 the fixture names no text: its comment is part of the block.
    assert (found or "").rstrip(";") == (case["want"] or "-- first\nSELECT count(*) FROM shop.orders")
