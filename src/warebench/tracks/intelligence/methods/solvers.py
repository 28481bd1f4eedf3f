"""The methods as Inspect solvers: a prompt, then an agent's turns or one reply."""

from collections.abc import Callable, Mapping

from inspect_ai.model import ChatMessageSystem, ChatMessageUser
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool

from warebench.answers.parse import kind_of
from warebench.engine.run import QueryLimits
from warebench.harness.answering import answer_after, answer_once
from warebench.harness.sql import query_runner, query_tool
from warebench.questions.model import Question
from warebench.tracks.intelligence.methods import prompts
from warebench.tracks.intelligence.methods.asked import set_asked
from warebench.tracks.intelligence.methods.knowledge_tools import knowledge_tools, note
from warebench.tracks.intelligence.methods.settings import Settings
from warebench.tracks.intelligence.methods.subject import Subject
from warebench.tracks.intelligence.methods.turns import turn_loop

LIMITS = QueryLimits()

MakePrompt = Callable[[Subject, Question, Settings], tuple[str, str]]
"""System and user message."""


def agent_prompt(subject: Subject, question: Question, settings: Settings) -> tuple[str, str]:
    """Return the agent's prompt; under oracle_rule with the documents of the required rules."""
    system = prompts.agent_system(subject.schema(question), settings.turns, LIMITS.rows)
    given = given_rules(subject, question, settings)
    context = [prompts.given_documents(given)] if given else []
    return system, prompts.user_prompt(question.text, kind_of(question.gold), context)


def question_prompt(subject: Subject, question: Question, settings: Settings) -> tuple[str, str]:
    """Return the question alone, for an agent with its own way to database and documents."""
    alone = [prompts.QUESTION_ALONE]
    return prompts.ORACLE, prompts.user_prompt(question.text, kind_of(question.gold), alone)


def oracle_prompt(subject: Subject, question: Question, settings: Settings) -> tuple[str, str]:
    """Return the prompt with gold: what is left is reading and the form of the answer."""
    gold = prompts.given_gold(question.gold)
    return prompts.ORACLE, prompts.user_prompt(question.text, kind_of(question.gold), [gold])


def given_rules(subject: Subject, question: Question, settings: Settings) -> Mapping[str, str]:
    """Return the documents that the prompt holds: path to text."""
    if settings.condition != "oracle_rule":
        return {}
    texts = subject.library(question).documents
    return {path: texts[path] for path in rule_documents(subject, question)}


def rule_documents(subject: Subject, question: Question) -> list[str]:
    """Return the documents of the rules that a question needs, in order."""
    needed = [name for name in str(question.facets["rules"]).split(",") if name]
    base = subject.knowledge[str(question.certificate.parameters["knowledge"])]
    documents = {rule.id: rule.document for rule in base.rules}
    return [documents[name] for name in needed]


@solver
def ask(subject: Subject, make: MakePrompt, settings: Settings) -> Solver:
    """Put the prompt.

    Args:
        subject: The question set.
        make: What the method shows.
        settings: Condition and budget.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question = subject.question(state.sample_id)
        set_asked(subject)
        system, user = make(subject, question, settings)
        for document in given_rules(subject, question, settings):
            note(document, "given")
        state.messages = [ChatMessageSystem(content=system), ChatMessageUser(content=user)]
        return state

    return solve


def once(subject: Subject, settings: Settings) -> Solver:
    """Let the model answer in one turn, schema-constrained where that is wanted."""
    return answer_once(settings.structured)


@solver
def take_turns(subject: Subject, settings: Settings) -> Solver:
    """Let the model search, read and query, then answer."""
    runner_of = query_runner(subject.databases, LIMITS)

    def tools_of(question: Question) -> list[Tool]:
        return [*knowledge_tools(subject.library(question)), query_tool(runner_of(question.context))]

    loop = turn_loop(tools_of, settings.turns)
    return answer_after(loop, settings.structured)
