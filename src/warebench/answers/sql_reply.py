"""From a model's reply to the SQL query in it: the one place, for every track."""

import json
import re
from collections.abc import Iterator

from warebench.answers.fences import Block, fenced_blocks
from warebench.answers.thinking import after_thinking

_TAGS = frozenset(("sql", "duckdb", "sqlite", "sqlite3"))
_DIALECT_NAMES = """postgresql postgres pgsql psql mysql mariadb tsql t-sql mssql sqlserver plsql pl-sql
oracle
snowflake bigquery redshift databricks sparksql spark-sql hive hiveql trino presto clickhouse ansi-sql"""
_DIALECTS = frozenset(_DIALECT_NAMES.split())
"""Tags of a block written for another engine: read only where none is written for the one asked for."""

_COMMENTS = r"(?:\s++|--[^\n]*+(?:\n|\Z)|/\*.*?\*/)*+"
_START = (
    r"(?:SELECT\b(?!\s*+[.,:;!?`]|\s*\Z)|WITH\s++(?:RECURSIVE\s++)?[\"\[`]?\w[^()\n]{0,80}?"
    r"(?:\([^()]{0,400}\)\s*+)?\s*+AS\s*+(?:(?:NOT\s++)?MATERIALIZED\s*+)?\()"
)
_QUERY = re.compile(rf"{_COMMENTS}\(?\s*+{_START}", re.IGNORECASE | re.DOTALL)
_LABEL = re.compile(rf"\b(?:SQL(?: query)?|query)\**\s*:\**\s*(?={_COMMENTS}{_START})", re.IGNORECASE)
_PARAGRAPH = re.compile(
    rf"(?:\A|\n\s*\n|:\**[ \t]*\n)(?=\s*(?:--|/\*|\()?{_COMMENTS}{_START})", re.IGNORECASE
)
_INLINE = re.compile(rf"(?<!`)`((?={_START})[^`\n]+)`(?!`)", re.IGNORECASE)
_LEADING = re.compile(rf"\A{_COMMENTS}", re.DOTALL)
_ELEMENT = re.compile(r"<sql>(.*?)(?:</sql>|\Z)", re.DOTALL | re.IGNORECASE)
_KEY = re.compile(r"\{\s*\"(?:[^\"\n]{1,40}\":[^{}]*?\")?(?:sql|query)\"\s*:", re.IGNORECASE)
_END = re.compile(r";[ \t]*(?:\n|\Z)")
_PROSE = re.compile(
    r"\n[ \t]*\n(?=[ \t]*(?:[*#>]|[-\d]+[.)]? |"
    r"(?!(?:Select|From|Where|Group|Order|Union|Having|Limit|Join|Left|Inner|With|Except|Intersect)\b)"
    r"[A-Z][a-z]*(?:'[a-z]+)?[ :,]))"
)


def find_sql(text: str) -> str | None:
    r"""Return the query of a reply, or None where it holds none.

    In this order: the last block tagged `sql` or with the engine's name; the last one tagged with another
    dialect; the last untagged one that is a query; the `sql` of a JSON object; `<sql>`; `SQL:`; a
    paragraph that is a query, without the prose behind it; a query in backticks. Thinking is not read.

    Args:
        text: The whole reply.

    Example:
        >>> find_sql("Let me see.\n```sql\nSELECT 1\n```")
        'SELECT 1'
    """
    said = after_thinking(text)
    blocks = [_relabelled(block) for block in fenced_blocks(said)]
    return next((sql for sql in _found(said, [block for block in blocks if block.text]) if sql), None)


def _relabelled(block: Block) -> Block:
    """Return an untagged block whose first line is its language as a tagged one."""
    first, _, rest = block.text.partition("\n")
    if not block.tag and first.strip().casefold() in _TAGS | _DIALECTS:
        return Block(first.strip().casefold(), rest.strip())
    return block


def _found(said: str, blocks: list[Block]) -> Iterator[str | None]:
    for tags in (_TAGS, _DIALECTS):
        yield next((block.text for block in reversed(blocks) if block.tag in tags), None)
    yield next((block.text for block in reversed(blocks) if not block.tag and _QUERY.match(block.text)), None)
    stated = _stated(said)
    yield stated
    if stated == "":
        return
    yield next((found.strip() for found in reversed(_ELEMENT.findall(said))), None)
    for form in (_LABEL, _PARAGRAPH):
        found = list(form.finditer(said))
        if found:
            yield _without_prose(said[found[-1 if form is _LABEL else 0].end() :])
    yield next((found.strip() for found in reversed(_INLINE.findall(said))), None)


def _stated(said: str) -> str | None:
    """Return the query of the last JSON object that has one; empty where it is null."""
    for found in reversed(list(_KEY.finditer(said))):
        try:
            value, _ = json.JSONDecoder(strict=False).raw_decode(said, found.start())
        except ValueError:
            continue
        named = {name.casefold(): sql for name, sql in value.items()}
        sql = named.get("sql", named.get("query"))
        return sql.strip() if isinstance(sql, str) else ""
    return None


def _without_prose(said: str) -> str:
    """Return a query without the comments before it, the prose behind it and the brackets around it."""
    ends = [found.start() for form in (_END, _PROSE) if (found := form.search(said))]
    sql = said[: min(ends, default=len(said))].strip().rstrip("`").strip()
    sql = _LEADING.sub("", sql, count=1)
    return sql[1:-1].strip() if sql.startswith("(") and _closing_bracket(sql) == len(sql) - 1 else sql


def _closing_bracket(sql: str) -> int:
    depth = 0
    for found in re.finditer(r"'[^']*'|[()]", sql):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if depth == 0:
            return found.start()
    return -1
