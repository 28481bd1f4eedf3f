"""Every word a model reads besides the question and the tables."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from warebench.engine.worker import Dialect
from warebench.harness.fence import fence

SYSTEM = """\
You write SQL over a catalog that holds the tables of many databases. Only a part of the catalog may be \
shown, and most of what is shown has nothing to do with the question.
Your final reply ends with one SELECT statement in a ```sql block and nothing else."""

DIALECTS: Mapping[Dialect, str] = MappingProxyType({"sqlite": "SQLite", "duckdb": "DuckDB"})

INTRO = """\
Write one SELECT statement in {dialect}'s dialect that returns the answer to the question. It is executed \
for reading only.
- Call each table as the schema does{prefix}; put a name in double quotes where it is a reserved word.
- The question is about one database: all tables of the statement belong to it.
- Return the columns that the question asks for and no others."""
PREFIX = ", with the name of its database before the dot"

ALONE = "Nothing of the catalog is shown here: look at it in your own way."

ORACLE = "The right query, found by another program:\n```sql\n{gold}\n```"


def make_prompt(schema: Iterable[str], question: str, dialect: Dialect, *, prefixed: bool) -> str:
    """Return the user message: what is wanted, the tables, the question.

    Args:
        schema: Texts of the tables, in the order in which they stand.
        question: The question.
        dialect: In which SQL is to be written.
        prefixed: Whether names carry their database.
    """
    intro = INTRO.format(dialect=DIALECTS[dialect], prefix=PREFIX if prefixed else "")
    return f"{intro}\n{fence('schema', ''.join(schema))}\n\n{_asked(question)}"


def question_prompt(question: str, dialect: Dialect, *, prefixed: bool) -> str:
    """Return the user message that shows no table: for an agent with its own way to the catalog."""
    intro = INTRO.format(dialect=DIALECTS[dialect], prefix=PREFIX if prefixed else "")
    return f"{intro}\n{ALONE}\n\n{_asked(question)}"


def oracle_prompt(gold: str, question: str) -> str:
    """Return the user message that gives the gold query away: what is left is copying it."""
    told = ORACLE.format(gold=gold)
    return f"{told}\n\n{_asked(question)}"


def _asked(question: str) -> str:
    return f"Question: {question}\n\nReply with the query in a ```sql block."
