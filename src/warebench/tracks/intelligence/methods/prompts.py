"""Every word a model reads besides questions, documents, schema and results."""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

from warebench.answers.model import Answer
from warebench.answers.parse import AnswerKind
from warebench.answers.render import render
from warebench.harness.fence import fence
from warebench.harness.structured import LAST_LINE

AGENT = """\
You are a data analyst and answer questions about a company with its database and its knowledge base.
- The knowledge base holds the metric catalog, one page for each metric with its standard definition, \
the data dictionary, one page for each dimension with its stored values, and \
the company's rule documents. `search_knowledge` finds documents by words, `read_document` shows a whole one.
- `query` executes one SELECT in DuckDB's dialect on the database and returns at most {rows} rows.
- You have {turns} turns. Each of your replies is a turn, with tool calls or without them, and a reply \
without tool calls is your final one. In the last turn no tools are left.
{last_line}

The schema of the database:
{schema}"""

ORACLE = f"""\
You answer questions about a company.
{LAST_LINE}"""

QUESTION_ALONE = "Nothing of the database and the knowledge base is shown here: look at them in your own way."
GIVEN = "The rule documents of the knowledge base that this question needs:"
GOLD = "The right answer, found by another program: {gold}"
LAST_TURN = (
    "This is your last turn, without tools. Give your final answer now, in the form the question asks for."
)
REFUSED = "Refused: at most {most} tool calls are executed in one turn."

FORMATS: dict[AnswerKind, str] = {
    "quantity": 'Form of the answer: a number, {"answer": <number>}.',
    "text": 'Form of the answer: a string, {"answer": <string>}.',
    "record": (
        "Form of the answer: one object with the keys that the question names, "
        '{"answer": {<key>: <value>, ...}}.'
    ),
    "table": (
        "Form of the answer: a list of objects, one for each row, with the keys that the question names, "
        '{"answer": [{<key>: <value>, ...}, ...]}.'
    ),
}
"""How an answer of each kind is written."""

SEARCH = (
    "Find documents of the knowledge base by words; shows the title of each and the passage that fits best."
)
SEARCH_ARGUMENTS = {"query": "Words to look for.", "k": "Most documents to return, 1 to 10."}
READ = "Show a whole document of the knowledge base."
READ_ARGUMENTS = {"document": "Its name, as `search_knowledge` returns it, or its identifier."}


def agent_system(schema: str, turns: int, rows: int) -> str:
    """Return the system message of the agent."""
    return AGENT.format(schema=fence("schema", schema.rstrip()), turns=turns, rows=rows, last_line=LAST_LINE)


def user_prompt(question: str, kind: AnswerKind, context: Sequence[str] = ()) -> str:
    """Return the user message: what is given beside the question, the question, the form of the answer."""
    return "\n\n".join([*context, f"Question: {question}", FORMATS[kind]])


def given_documents(documents: Mapping[str, str]) -> str:
    """Return documents as a prompt shows them."""
    shown = [fence("document", text.rstrip(), f" name={quoteattr(path)}") for path, text in documents.items()]
    return "\n".join([GIVEN, *shown])


def given_gold(gold: Answer) -> str:
    """Return gold as the prompt of the oracle shows it."""
    value: Any = json.loads(render(gold))["answer"]
    return GOLD.format(gold=json.dumps(value, ensure_ascii=False))
