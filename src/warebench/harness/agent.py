"""The tool loop: a model calls tools within a budget and then answers.

Inspect has no limit on tool calls, so the loop counts them itself (parallel ones too), withdraws the tools
once the budget is spent, and asks once more for the answer.
"""

from collections.abc import Callable, Sequence

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    ChatMessageUser,
    execute_tools,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool, ToolCall, ToolCallError
from inspect_ai.util import store

from warebench.errors import BuildError
from warebench.harness.current import current
from warebench.questions.model import Question

TOOL_CALLS = "tool_calls"
"""Store key: one entry a call asked for, `{"tool", "arguments", "executed"}`."""

REFUSED = "Refused: the budget of {budget} tool calls is spent."
LAST_TURN = "No tool calls are left. Give your final answer now, in the form the question asks for."

MakeTools = Callable[[Question], Sequence[Tool]]
"""Tools made for each question, over its catalog."""


@solver
def tool_loop(make_tools: MakeTools, budget: int) -> Solver:
    """Let the model call tools up to a budget, then take its final answer.

    Args:
        make_tools: Tools on offer, by question.
        budget: Calls that are executed; each further one is answered by a refusal.

    Raises:
        BuildError: when the budget is negative.
    """
    if budget < 0:
        raise BuildError(f"a budget of {budget} tool calls makes no sense", fix="give 0 or more")

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        tools = list(make_tools(current().question))
        state.tools = tools
        left = budget
        while left > 0:
            state = await generate(state, tool_calls="none")
            calls = state.output.message.tool_calls if state.output.choices else None
            if not calls or state.completed:
                return state
            state.messages.extend(await _answer_calls(state, calls, tools, left, budget))
            left -= len(calls)
        if budget:
            state.messages.append(ChatMessageUser(content=LAST_TURN))
        return await _last_turn(state, generate, budget)

    return solve


async def _answer_calls(
    state: TaskState, calls: Sequence[ToolCall], tools: Sequence[Tool], left: int, budget: int
) -> list[ChatMessage]:
    allowed, refused = list(calls[:left]), list(calls[left:])
    message = state.messages[-1].model_copy(update={"tool_calls": allowed})
    answers, _ = await execute_tools([*state.messages[:-1], message], list(tools))
    record_calls(allowed, answers)
    record_calls(refused, ())
    return [*answers, *_refusals(refused, budget)]


async def _last_turn(state: TaskState, generate: Generate, budget: int) -> TaskState:
    # "none" withdraws the tools, and still declares them to providers that insist on it
    state.tool_choice = "none"
    state = await generate(state, tool_calls="none")
    message = state.output.message if state.output.choices else None
    if isinstance(message, ChatMessageAssistant) and message.tool_calls:
        record_calls(message.tool_calls, ())
        state.messages.extend(_refusals(message.tool_calls, budget))
    return state


def _refusals(calls: Sequence[ToolCall], budget: int) -> list[ChatMessage]:
    text = REFUSED.format(budget=budget)
    return [
        ChatMessageTool(
            content=text,
            tool_call_id=call.id,
            function=call.function,
            error=ToolCallError(type="limit", message=text),
        )
        for call in calls
    ]


def record_calls(calls: Sequence[ToolCall], answers: Sequence[ChatMessage]) -> None:
    """Keep what a model called, and whether it was executed.

    An unknown tool, or one that could not take the arguments, was not.

    Args:
        calls: As the model wrote them.
        answers: Of those that were not refused.
    """
    executed = {
        answer.tool_call_id
        for answer in answers
        if isinstance(answer, ChatMessageTool) and not (answer.error and answer.error.type == "parsing")
    }
    entries = [
        {"tool": call.function, "arguments": call.arguments, "executed": call.id in executed}
        for call in calls
    ]
    store().set(TOOL_CALLS, [*store().get(TOOL_CALLS, []), *entries])
