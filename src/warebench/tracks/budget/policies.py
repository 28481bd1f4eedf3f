"""Policies of this track: each behaves in one way that its score must show."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from inspect_ai.model import ChatMessage
from inspect_ai.tool import ToolInfo

from warebench.harness.fence import fenced
from warebench.harness.models.policy import Move, Policy
from warebench.questions.model import Question
from warebench.sql.labels import Labels, label
from warebench.sql.namespace import PooledTable, pool_name, to_pool
from warebench.tracks.budget.methods.asked import Asked, current_asked, gold_in_prompt, in_prompt

_SCHEMA = fenced("schema")
_TABLE = re.compile(r'^((?:"(?:[^"]|"")*"|\w+)(?:\.(?:"(?:[^"]|"")*"|\w+))?)\(', re.MULTILINE)


def shown_tables(messages: Sequence[ChatMessage]) -> list[str]:
    """Return the names of the tables that a prompt shows, as it writes them, in its order."""
    schema = _SCHEMA.search(messages[-1].text)
    return _TABLE.findall(schema["data"]) if schema else []


def sql_oracle(messages: Sequence[ChatMessage], tools: Sequence[ToolInfo], question: Question) -> Move:
    """Write the gold query, whatever is shown: a perfect model that knows every name."""
    return _query(gold_in_prompt(current_asked(), question))


def copier(messages: Sequence[ChatMessage], tools: Sequence[ToolInfo], question: Question) -> Move:
    """Write the gold query where all its tables are shown, else a query over the first table that is."""
    asked, shown = current_asked(), shown_tables(messages)
    if set(_gold_names(asked, question)) <= set(shown):
        return _query(gold_in_prompt(asked, question))
    return _query(f"SELECT * FROM {shown[0]} LIMIT 3" if shown else "SELECT 1")  # noqa: S608 - of a test double


def reciter(messages: Sequence[ChatMessage], tools: Sequence[ToolInfo], question: Question) -> Move:
    """Write the gold query where some of its tables are missing, as one who knows it by heart; else none."""
    asked, shown = current_asked(), shown_tables(messages)
    if set(_gold_names(asked, question)) <= set(shown):
        return Move(text="All tables are shown; I only recite.")
    return _query(gold_in_prompt(asked, question))


def wrong_namespace(messages: Sequence[ChatMessage], tools: Sequence[ToolInfo], question: Question) -> Move:
    """Write the gold query over another database that has the same columns, or over a table of any other."""
    asked = current_asked()
    catalogs = asked.subject.question_set.catalogs
    others = [catalog for name, catalog in sorted(catalogs.items()) if name != question.context]
    for catalog in others:
        if isinstance(label(question.certificate.sql, catalog, asked.subject.dialect), Labels):
            sql = to_pool(question.certificate.sql, catalog, asked.subject.dialect)
            return _query(in_prompt(asked, sql))
    if not others:
        return _query("SELECT 1")
    other = pool_name(PooledTable(others[0].name, others[0].table_names[0]))
    return _query(in_prompt(asked, f"SELECT * FROM {other} LIMIT 3"))  # noqa: S608 - of a test double


def _gold_names(asked: Asked, question: Question) -> list[str]:
    naming = asked.subject.naming(asked.settings.names)
    return [
        naming(asked.subject.schema.tables[number].pooled) for number in asked.subject.gold_tables(question)
    ]


def _query(sql: str) -> Move:
    return Move(text=f"```sql\n{sql}\n```")


POLICIES: Mapping[str, Policy] = MappingProxyType(
    {
        "sql_oracle": sql_oracle,
        "copier": copier,
        "reciter": reciter,
        "wrong_namespace": wrong_namespace,
    }
)
"""What the track adds to `policy/...`."""
