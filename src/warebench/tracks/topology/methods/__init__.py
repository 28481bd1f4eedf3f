"""The six methods of DW-Bench (section 4 and Appendix E): ways to put a question to a model."""

from collections.abc import Callable
from dataclasses import dataclass

from inspect_ai.solver import Solver, chain

from warebench.errors import RunError, did_you_mean
from warebench.harness.current import set_question
from warebench.harness.embedding import check_dense
from warebench.tracks.topology.methods import context
from warebench.tracks.topology.methods.context import MakeContext
from warebench.tracks.topology.methods.settings import Settings
from warebench.tracks.topology.methods.solvers import ask, once, use_graph_tools, write_code
from warebench.tracks.topology.methods.subject import Subject

MakeSolver = Callable[[Subject, Settings], Solver]


@dataclass(frozen=True, slots=True)
class Method:
    """One method: what it is called in a report, what it shows, and how it lets a model answer."""

    title: str
    context: MakeContext
    answer: MakeSolver = once
    dense: bool = False
    """Whether it needs the extra `dense`."""


METHODS: dict[str, Method] = {
    "flat_text": Method("Flat text", context.flat_text),
    "vector_rag": Method("Vector RAG", context.vector_rag, dense=True),
    "graph_augmented": Method("Graph-augmented", context.graph_augmented),
    "tool_use": Method("Tool use", context.tool_use, use_graph_tools),
    "react_code": Method("ReAct code", context.react_code, write_code),
    "question": Method("Question alone", context.question_alone),
    "oracle": Method("Oracle", context.oracle),
}
"""The methods by name, in the paper's order."""


def find_method(name: str) -> Method:
    """Return a method that can run here.

    Raises:
        RunError: There is no such method.
        MissingExtra: It needs an extra that is not installed.
    """
    if name not in METHODS:
        raise RunError(f"unknown method `{name}`", fix=did_you_mean(name, METHODS))
    if METHODS[name].dense:
        check_dense()
    return METHODS[name]


def make_solver(name: str, subject: Subject, settings: Settings) -> Solver:
    """Return the solver of a method.

    Raises:
        RunError: There is no such method, or react_code has no sandbox.
    """
    method = find_method(name)
    prompt = ask(subject, method.context, settings)
    return chain(set_question(subject.index), prompt, method.answer(subject, settings))
