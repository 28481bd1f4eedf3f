"""The loop of an agent that has a number of turns: replies with tool calls, and a last one to answer."""

from collections.abc import Callable, Sequence

from inspect_ai.model import ChatMessage, ChatMessageTool, ChatMessageUser, execute_tools
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool, ToolCall, ToolCallError

from warebench.harness.agent import record_calls
from warebench.harness.current import current
from warebench.questions.model import Question
from warebench.tracks.intelligence.methods.prompts import LAST_TURN, REFUSED

MOST_CALLS = 10
"""Tool calls that are executed in one turn."""

MakeTools = Callable[[Question], Sequence[Tool]]


@solver
def turn_loop(make_tools: MakeTools, turns: int) -> Solver:
    """Let the model reply up to a number of times; the last time it has no tools.

    `harness.agent.tool_loop` grants calls, this grants turns, as DI-Bench does (section 4.1).

    Args:
        make_tools: Tools on offer, by question.
        turns: Replies, at least one.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        tools = list(make_tools(current().question))
        state.tools = tools
        for _ in range(turns - 1):
            state = await generate(state, tool_calls="none")
            calls = state.output.message.tool_calls if state.output.choices else None
            if not calls or state.completed:
                return state
            state.messages.extend(await _answer_calls(state, calls, tools))
        if turns > 1:
            state.messages.append(ChatMessageUser(content=LAST_TURN))
        # "none" withdraws the tools, and still declares them to providers that insist on it
        state.tool_choice = "none"
        return await generate(state, tool_calls="none")

    return solve


async def _answer_calls(
    state: TaskState, calls: Sequence[ToolCall], tools: Sequence[Tool]
) -> list[ChatMessage]:
    allowed, refused = list(calls[:MOST_CALLS]), list(calls[MOST_CALLS:])
    message = state.messages[-1].model_copy(update={"tool_calls": allowed})
    answers, _ = await execute_tools([*state.messages[:-1], message], list(tools))
    record_calls(allowed, answers)
    record_calls(refused, ())
    return [*answers, *(_refusal(call) for call in refused)]


def _refusal(call: ToolCall) -> ChatMessageTool:
    text = REFUSED.format(most=MOST_CALLS)
    return ChatMessageTool(
        content=text,
        tool_call_id=call.id,
        function=call.function,
        error=ToolCallError(type="limit", message=text),
    )
