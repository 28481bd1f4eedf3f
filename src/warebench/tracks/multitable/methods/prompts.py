"""Every word a model reads besides the question, the tables and the schema."""

from collections.abc import Sequence

from warebench.answers.parse import AnswerKind
from warebench.harness.fence import fence
from warebench.harness.structured import LAST_LINE
from warebench.questions.model import Option
from warebench.tracks.multitable.choices import LETTERS

SYSTEM = """\
You answer questions about a relational database.
- Rows without a value are left out: a row whose cell is missing (NULL) does not count wherever the question \
compares, groups, adds up, averages or correlates that column.
- Text is compared exactly, upper and lower case included. A text in the question stands in double quotes, \
which are no part of it."""

ANSWER_SYSTEM = f"{SYSTEM}\n{LAST_LINE}"
SQL_SYSTEM = f"""{SYSTEM}
Your final reply ends with one SQL query in a ```sql block and nothing else."""

FORMATS: dict[AnswerKind, str] = {
    "choice": (
        "Answer with the letter of the right option; numbers in the options are rounded: "
        '{"answer": <letter>}.'
    ),
    "number": 'Answer with a whole number: {"answer": <number>}.',
    "quantity": 'Answer with a number: {"answer": <number>}.',
    "text": 'Answer with the value as a string: {"answer": <string>}.',
}
"""How an answer of each kind is written."""

NOTATION: dict[str, str] = {
    "markdown": (
        'Markdown tables. A missing value is an empty cell, and an empty text is "". '
        r"In texts, \| stands for a pipe, \n for a line feed, \r for a carriage return, \\ for a backslash."
    ),
    "csv": 'CSV. A missing value is nothing between commas, and an empty text is "".',
    "json": "JSON, an array of objects for each table. A missing value is null.",
    "html": "HTML tables. A missing value is an empty cell, and an empty text is <q></q>.",
}
"""What to know to read each format back."""

TABLES = "The whole database, each table under its name, as {notation}"
SINGLE_TABLE = (
    "The tables that the question needs, joined by their keys into one, as {notation}\n"
    "The heading names the tables and the role of each; a column `role.name` is the column `name` of the "
    "table in that role."
)
TEXT_TO_SQL = (
    "Write one SQL query in DuckDB's dialect that returns the answer to the question: one row with one "
    "column. It is executed for reading only on the database with this schema:"
)
SQL_AGENT = (
    "Look at the database with the tools you are given: `schema` shows its tables, `query` executes one "
    "SELECT in DuckDB's dialect. You may make at most {calls} tool calls in all, parallel ones counted one "
    "by one."
)
CODE_AGENT = """\
Find the answer with Python. Write one ```python block in a reply; it runs in a sandbox and you are shown \
what it prints. At most {rounds} blocks are run, each in a fresh process: variables are not kept. Once you \
know the answer, reply without a block. Every block starts with these names:
- `TABLES`: dict from table name to pandas.DataFrame, with all rows; dates and times are ISO strings;
- `pd`, `np`, `json`: the modules pandas, numpy and json.
The schema of the tables:"""
QUESTION_ALONE = "Nothing of the database is shown here: look at `{database}` in your own way."
ORACLE = "The right answer, found by another program: {gold}"


def with_tables(intro: str, tables: str) -> str:
    """Return a context that shows tables."""
    return f"{intro}\n{fence('tables', tables.rstrip())}"


def with_schema(intro: str, schema: str) -> str:
    """Return a context that shows a schema."""
    return f"{intro}\n{fence('schema', schema.rstrip())}"


def answer_prompt(context: str, question: str, kind: AnswerKind, options: Sequence[Option] = ()) -> str:
    """Return the user message: context, question, options if there are any, form of the answer."""
    lines = ["", f"Question: {question}", "", *_option_lines(options), FORMATS[kind]]
    return "\n".join([context, *lines])


def sql_prompt(context: str, question: str) -> str:
    """Return the user message that asks for a query."""
    return f"{context}\n\nQuestion: {question}\n\nReply with the query in a ```sql block."


def _option_lines(options: Sequence[Option]) -> list[str]:
    # An option is one line, whatever stands in the cell it shows.
    lines = [
        f"{letter}) {option.text.replace(chr(10), ' ').replace(chr(13), ' ')}"
        for letter, option in zip(LETTERS, options, strict=False)
    ]
    return [*lines, ""] if lines else []
