"""Which question is being asked right now.

The tool loop and the code loop look here for the question whose tools or files they make, in every run.
Policy models look here too: a policy is a test double that may know gold, and it cannot get that from the
messages. Providers of real models never look.
"""

from contextvars import ContextVar
from dataclasses import dataclass

from inspect_ai.model import get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from warebench.errors import InternalError
from warebench.harness.dataset import QuestionIndex, find_question
from warebench.harness.sealed import seal_model
from warebench.questions.model import Question


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A question with the table names of its catalog."""

    question: Question
    names: tuple[str, ...]


_ASKED: ContextVar[Asked | None] = ContextVar("asked", default=None)


def set_current(asked: Asked) -> None:
    """Say which question the calling task asks from now on."""
    _ASKED.set(asked)


def current() -> Asked:
    """Return the question being asked.

    Raises:
        InternalError: when no solver has set one.
    """
    asked = _ASKED.get()
    if asked is None:
        raise InternalError("no current question: put `set_question` before the solver that generates")
    return asked


@solver
def set_question(index: QuestionIndex) -> Solver:
    """Set the current question of each sample, and seal its model. Put it first in a task's solvers.

    Args:
        index: Index of the set the task's samples come from.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        seal_model(get_model())
        question = find_question(index, state.sample_id)
        set_current(Asked(question=question, names=index.tables.get(question.catalog, ())))
        return state

    return solve
