"""From a model's reply to the SQL query in it."""

import json
import re

_BLOCK = re.compile(r"```[ \t]*(?:sql|duckdb|sqlite)?[ \t]*\r?\n(.*?)(?:```|\Z)", re.DOTALL | re.IGNORECASE)
_BARE = re.compile(r"\s*(?:SELECT|WITH)\b", re.IGNORECASE)


def find_sql(text: str) -> str | None:
    r"""Return the query of a reply: its last block, the `sql` of a JSON object, or a reply that is a query.

    Example:
        >>> find_sql("Let me see.\n```sql\nSELECT 1\n```")
        'SELECT 1'
    """
    blocks: list[str] = [block.strip() for block in _BLOCK.findall(text)]
    if any(blocks):
        return next(block for block in reversed(blocks) if block)
    try:
        stated = json.loads(text)
    except ValueError:
        return text.strip() if _BARE.match(text) else None
    sql = stated.get("sql") if isinstance(stated, dict) else None
    return sql if isinstance(sql, str) and sql.strip() else None
