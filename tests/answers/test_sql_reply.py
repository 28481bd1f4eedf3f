"""The query in a reply."""

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
    ],
)
def test_the_last_query_counts(reply, sql):
    assert find_sql(reply) == sql
