"""The agent of DI-Bench (section 4.1) and the oracle: ways to put a question to a model."""

from collections.abc import Callable

from inspect_ai.solver import Solver, chain

from warebench.errors import RunError, did_you_mean
from warebench.harness.current import set_question
from warebench.tracks.intelligence.methods.settings import Settings
from warebench.tracks.intelligence.methods.solvers import (
    MakePrompt,
    agent_prompt,
    ask,
    once,
    oracle_prompt,
    question_prompt,
    take_turns,
)
from warebench.tracks.intelligence.methods.subject import Subject

METHODS: dict[str, tuple[MakePrompt, Callable[[Subject, Settings], Solver]]] = {
    "agent": (agent_prompt, take_turns),
    "question": (question_prompt, once),
    "oracle": (oracle_prompt, once),
}
"""Name to what is shown and how the model answers, in the order of a report."""


def make_solver(name: str, subject: Subject, settings: Settings) -> Solver:
    """Return the solver of a method.

    Args:
        name: The method.
        subject: The questions.
        settings: Condition and budget.

    Raises:
        RunError: There is no such method.
    """
    if name not in METHODS:
        raise RunError(f"unknown method `{name}`", fix=did_you_mean(name, METHODS))
    make, answer = METHODS[name]
    return chain(set_question(subject.index), ask(subject, make, settings), answer(subject, settings))
