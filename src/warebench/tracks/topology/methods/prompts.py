"""Every word a model reads besides the question and the schema."""

from warebench.answers.parse import AnswerKind
from warebench.harness.fence import fence
from warebench.harness.structured import LAST_LINE

SYSTEM = f"""\
You answer questions about the schema graph of a data warehouse. Its nodes are tables, and it has two kinds \
of edges:
- a foreign key runs from a child table, which holds the key, to the parent table that the key references;
- a lineage edge runs from a downstream table to an upstream table that it derives from.
Table names stand in backticks in the question. In your answer write them exactly as the schema spells them, \
with every part of the name and without backticks.
{LAST_LINE}"""

FORMATS: dict[AnswerKind, str] = {
    "boolean": 'Answer with true or false: {"answer": <true or false>}.',
    "number": 'Answer with a whole number: {"answer": <number>}.',
    "names": ('Answer with the list of table names, each once, in any order: {"answer": [<name>, <name>]}.'),
    "path": ('Answer with the list of table names in the order of the path: {"answer": [<name>, <name>]}.'),
}
"""How an answer of each kind is written. The examples name no table of any catalog."""

FLAT_TEXT = "The whole schema:"
VECTOR_RAG = "The {k} parts of the schema that resemble the question most; other parts are not shown:"
GRAPH_AUGMENTED = (
    "The part of the schema within {hops} edges, of either kind and in any direction, of the tables that the "
    "question mentions; other parts are not shown:"
)
TOOL_USE = (
    "Look at the schema with the tools you are given. You may make at most {calls} tool calls in all, "
    "parallel ones counted one by one."
)
REACT_CODE = """\
Find the answer with Python. Write one ```python block in a reply; it runs in a sandbox and you are shown \
what it prints. At most {rounds} blocks are run, each in a fresh process: variables are not kept. Once you \
know the answer, reply without a block. Every block starts with these names:
- `FK`: networkx.DiGraph of the foreign keys, an edge from child to parent;
- `LINEAGE`: networkx.DiGraph of the lineage edges, an edge from downstream to upstream;
- `TABLES`: list of all table names; all of them are nodes of both graphs;
- `nx`: the module networkx; `json`: the module json."""
QUESTION_ALONE = "Nothing of the schema is shown here: look at the warehouse in your own way."
ORACLE = "Algorithm output: {gold}"


def with_schema(intro: str, schema: str) -> str:
    """Return a context that shows (part of) the schema."""
    return f"{intro}\n{fence('schema', schema.rstrip())}"


def user_prompt(context: str, question: str, kind: AnswerKind) -> str:
    """Return the user message: context, question, form of the answer."""
    return f"{context}\n\nQuestion: {question}\n\n{FORMATS[kind]}"
