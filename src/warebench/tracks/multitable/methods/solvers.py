"""The methods as Inspect solvers: a prompt, then one turn, a query, a tool loop or a code loop."""

from functools import cache

from inspect_ai.model import ChatMessageSystem, ChatMessageUser, ModelOutput, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool
from inspect_ai.util import JSONSchema

from warebench.answers.render import render
from warebench.answers.sql_reply import find_sql
from warebench.engine.database import Database
from warebench.engine.run import Failure, QueryLimits
from warebench.harness.agent import tool_loop
from warebench.harness.answering import answer_after, answer_once
from warebench.harness.bwrap import Limits
from warebench.harness.code import code_loop
from warebench.harness.scorers import FAILURE
from warebench.harness.sql import query_runner, schema_text
from warebench.harness.structured import is_structured, one_key_schema
from warebench.questions.model import Question
from warebench.tracks.multitable.methods import prompts
from warebench.tracks.multitable.methods.context import MakeContext
from warebench.tracks.multitable.methods.frames import PACKAGES, PREAMBLE, TABLES_FILE, tables_file
from warebench.tracks.multitable.methods.settings import Settings
from warebench.tracks.multitable.methods.sql_answer import read_result
from warebench.tracks.multitable.methods.sql_tools import make_tools
from warebench.tracks.multitable.methods.subject import Subject, answer_kind


@solver
def ask(subject: Subject, make_context: MakeContext, settings: Settings) -> Solver:
    """Put the prompt: system message, context, question, options, form of the answer.

    Args:
        subject: The question set, in the form it is asked in.
        make_context: What the method shows.
        settings: Form of the tables and budgets.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question = subject.question(state.sample_id)
        context = make_context(subject, question, settings)
        options = question.options if subject.form == "choice" else ()
        text = prompts.answer_prompt(context, question.text, answer_kind(question), options)
        state.messages = [ChatMessageSystem(content=prompts.ANSWER_SYSTEM), ChatMessageUser(content=text)]
        return state

    return solve


@solver
def ask_for_query(subject: Subject, make_context: MakeContext, settings: Settings) -> Solver:
    """Put the prompt that asks for SQL. Arguments are those of `ask`."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question = subject.question(state.sample_id)
        text = prompts.sql_prompt(make_context(subject, question, settings), question.text)
        state.messages = [ChatMessageSystem(content=prompts.SQL_SYSTEM), ChatMessageUser(content=text)]
        return state

    return solve


def once(subject: Subject, settings: Settings) -> Solver:
    """Let the model answer in one turn, schema-constrained where that is wanted."""
    return answer_once(settings.structured)


@solver
def execute_query(subject: Subject, settings: Settings) -> Solver:
    """Let the model write one query in one turn, execute it, and take its one cell for the answer."""
    runner_of = query_runner(subject.databases, QueryLimits())
    schema = one_key_schema("sql", JSONSchema(type="string"))

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if is_structured(settings.structured, get_model()):
            state = await generate(state, response_schema=schema)
        else:
            state = await generate(state)
        question = subject.question(state.sample_id)
        sql = find_sql(state.output.completion)
        if sql is None:
            return _fail(state, "no query", "the reply holds no query")
        answer = read_result(await runner_of(question.context)(sql), answer_kind(question))
        if isinstance(answer, Failure):
            return _fail(state, f"query: {answer.kind}", answer.message)
        # The reply itself stays in the messages; what is judged is what it returned.
        state.output = ModelOutput.from_content(state.output.model, render(answer))
        return state

    return solve


@solver
def use_sql_tools(subject: Subject, settings: Settings) -> Solver:
    """Let the model look at the schema and execute queries, then answer."""
    runner_of = query_runner(subject.databases, QueryLimits())

    def tools_of(question: Question) -> list[Tool]:
        schema = subject.text(question, "schema and sizes", schema_and_sizes)
        return make_tools(schema, runner_of(question.context))

    loop = tool_loop(tools_of, settings.calls)
    return answer_after(loop, settings.structured)


@solver
def write_code(subject: Subject, settings: Settings) -> Solver:
    """Let the model write Python over the tables, then answer.

    Raises:
        RunError: There is no sandbox and `unsafe_local` is off.
    """

    @cache
    def files_of(context: str) -> dict[str, bytes]:
        return {TABLES_FILE: tables_file(subject.databases[context])}

    def make_files(question: Question) -> dict[str, bytes]:
        return files_of(question.context)

    loop = code_loop(
        make_files,
        PREAMBLE,
        settings.rounds,
        Limits(),
        unsafe_local=settings.unsafe_local,
        packages=PACKAGES,
    )
    return answer_after(loop, settings.structured)


def schema_and_sizes(database: Database) -> str:
    """Return the schema with the number of rows of each table."""
    sizes = "\n".join(f"-- {name}: {table.num_rows} rows" for name, table in database.tables.items())
    return f"{schema_text(database)}\n{sizes}\n"


def _fail(state: TaskState, reason: str, explanation: str) -> TaskState:
    state.store.set(FAILURE, {"reason": reason, "explanation": explanation})
    return state
