"""The methods of TQA-Bench (section IV) and two more: ways to put a question to a model."""

from collections.abc import Callable
from dataclasses import dataclass

from inspect_ai.solver import Solver, chain

from warebench.errors import RunError, did_you_mean
from warebench.harness.current import set_question
from warebench.tracks.multitable.methods import context
from warebench.tracks.multitable.methods.context import MakeContext
from warebench.tracks.multitable.methods.settings import Settings
from warebench.tracks.multitable.methods.solvers import (
    ask,
    ask_for_query,
    execute_query,
    once,
    use_sql_tools,
    write_code,
)
from warebench.tracks.multitable.methods.subject import Form, Subject

MakeSolver = Callable[[Subject, Settings], Solver]
MakePrompt = Callable[[Subject, MakeContext, Settings], Solver]


@dataclass(frozen=True, slots=True)
class Method:
    """One method: its name in a report, the form of its answers, what it shows, and how a model answers."""

    title: str
    form: Form
    context: MakeContext
    answer: MakeSolver = once
    prompt: MakePrompt = ask


METHODS: dict[str, Method] = {
    "choice": Method("Choice", "choice", context.tables),
    "open": Method("Open answer", "open", context.tables),
    "single_table": Method("Single table", "choice", context.single_table),
    "text_to_sql": Method("Text-to-SQL", "open", context.text_to_sql, execute_query, ask_for_query),
    "code_agent": Method("Code agent", "open", context.code_agent, write_code),
    "sql_agent": Method("SQL agent", "open", context.sql_agent, use_sql_tools),
    "question": Method("Question alone", "open", context.question_alone),
    "oracle": Method("Oracle", "open", context.oracle),
}
"""The methods by name, in the order of a report."""


def find_method(name: str) -> Method:
    """Return a method.

    Raises:
        RunError: There is no such method.
    """
    if name not in METHODS:
        raise RunError(f"unknown method `{name}`", fix=did_you_mean(name, METHODS))
    return METHODS[name]


def make_solver(name: str, subject: Subject, settings: Settings) -> Solver:
    """Return the solver of a method.

    Args:
        name: The method.
        subject: The questions, in the form of the method.
        settings: Form of the tables and budgets.

    Raises:
        RunError: There is no such method, or code_agent has no sandbox.
    """
    method = find_method(name)
    prompt = method.prompt(subject, method.context, settings)
    return chain(set_question(subject.index), prompt, method.answer(subject, settings))
