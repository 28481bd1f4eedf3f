"""The methods as Inspect solvers: a prompt, then one turn, a tool loop or a code loop."""

from functools import cache

from inspect_ai.model import ChatMessageSystem, ChatMessageUser
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool

from warebench.harness.agent import tool_loop
from warebench.harness.answering import answer_after, answer_once
from warebench.harness.bwrap import Limits
from warebench.harness.code import code_loop
from warebench.questions.model import Question
from warebench.tracks.topology.methods import prompts
from warebench.tracks.topology.methods.context import MakeContext
from warebench.tracks.topology.methods.react import GRAPH_FILE, PREAMBLE, graph_file
from warebench.tracks.topology.methods.settings import Settings
from warebench.tracks.topology.methods.subject import Subject, answer_kind
from warebench.tracks.topology.methods.toolbox import Toolbox, open_toolbox
from warebench.tracks.topology.methods.tools import make_tools


@solver
def ask(subject: Subject, make_context: MakeContext, settings: Settings) -> Solver:
    """Put the prompt: system message, context, question, form of the answer.

    Args:
        subject: The question set.
        make_context: What the method shows.
        settings: Budgets, some of which the context states.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question = subject.question(state.sample_id)
        context = make_context(subject.view(question), question, settings)
        text = prompts.user_prompt(context, question.text, answer_kind(question))
        state.messages = [ChatMessageSystem(content=prompts.SYSTEM), ChatMessageUser(content=text)]
        return state

    return solve


def once(subject: Subject, settings: Settings) -> Solver:
    """Let the model answer in one turn, schema-constrained where that is wanted."""
    return answer_once(settings.structured)


@solver
def use_graph_tools(subject: Subject, settings: Settings) -> Solver:
    """Let the model call the nine tools over the question's catalog, then answer."""

    @cache
    def toolbox_of(catalog: str) -> Toolbox:
        return open_toolbox(subject.catalogs[catalog], subject.semantics)

    def tools_of(question: Question) -> list[Tool]:
        return make_tools(toolbox_of(question.catalog))

    loop = tool_loop(tools_of, settings.calls)
    return answer_after(loop, settings.structured)


@solver
def write_code(subject: Subject, settings: Settings) -> Solver:
    """Let the model write Python over the question's graph, then answer.

    Raises:
        RunError: There is no sandbox and `unsafe_local` is off.
    """

    @cache
    def files_of(catalog: str) -> dict[str, bytes]:
        return {GRAPH_FILE: graph_file(subject.catalogs[catalog])}

    def make_files(question: Question) -> dict[str, bytes]:
        return files_of(question.catalog)

    loop = code_loop(make_files, PREAMBLE, settings.rounds, Limits(), unsafe_local=settings.unsafe_local)
    return answer_after(loop, settings.structured)
