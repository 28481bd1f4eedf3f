"""The last step of a method: one turn, or a loop with one more turn where its answer cannot be read."""

from inspect_ai.model import get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from warebench.answers.parse import kind_of
from warebench.harness.current import current
from warebench.harness.structured import answer_at_last, answer_schema, is_structured


@solver
def answer_once(structured: bool | None) -> Solver:
    """Let the model answer in one turn.

    Args:
        structured: Whether the answer is constrained to its schema; None: for models of provider `local`.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if is_structured(structured, get_model()):
            return await generate(state, response_schema=answer_schema(kind_of(current().question.gold)))
        return await generate(state)

    return solve


@solver
def answer_after(loop: Solver, structured: bool | None) -> Solver:
    """Let the model work in a loop, and have its answer in a form that can be read.

    Args:
        loop: Turns with tools or code, which cannot be constrained.
        structured: Whether one more turn, constrained, follows a loop without a readable answer; None: for
            models of provider `local`.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state = await loop(state, generate)
        if not is_structured(structured, get_model()):
            return state
        return await answer_at_last(state, generate, kind_of(current().question.gold))

    return solve
