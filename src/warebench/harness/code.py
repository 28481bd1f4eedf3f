"""The code loop: a model writes Python, sees what it prints, and answers.

A protocol of plain text, for models with and without tools: one ```python block a turn, run in the sandbox.
"""

import logging
import os
from collections.abc import Callable, Mapping, Sequence

from inspect_ai.model import ChatMessageUser
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import concurrency, store

from warebench.answers.fences import fenced_blocks
from warebench.answers.parse import is_asked_form, kind_of
from warebench.answers.thinking import after_thinking
from warebench.errors import RunError
from warebench.harness.bwrap import DEFAULT_PACKAGES, FIX, Limits
from warebench.harness.current import current
from warebench.harness.process import CodeResult
from warebench.harness.sandbox import UNSAFE, WHERE, run_python, sandbox_available
from warebench.questions.model import Question

CODE_RUNS = "code_runs"
"""Store key: one entry a run, `{"exit_code", "timed_out", "truncated"}`."""
UNSAFE_LOCAL = "unsafe_local"
"""Store key, set to True when code ran without the sandbox."""

NO_BLOCK = "There was no ```python block and no final answer. Write one of the two."
LAST_TURN = "No rounds are left and no code will be run. Give your final answer now, in the form asked for."
STATELESS = "Each block runs in a fresh process: variables are not kept."

_TAGS = frozenset(("python", "python2", "python3", "py", "py3", "python-exec"))
_PREAMBLE = "preamble.py"

MakeFiles = Callable[[Question], Mapping[str, bytes]]
"""Files the code can open in its working directory, made for each question."""

_logger = logging.getLogger(__name__)


@solver
def code_loop(
    make_files: MakeFiles,
    preamble: str,
    rounds: int,
    limits: Limits,
    unsafe_local: bool = False,
    packages: Sequence[str] = DEFAULT_PACKAGES,
) -> Solver:
    """Run the model's code up to a number of rounds, then take its final answer.

    A turn with a code block is run, whatever else it says; a turn without one ends the loop when it
    states the answer in the form asked for. Prose never ends it, even where an answer could be read.

    Args:
        make_files: Files for the code, by question.
        preamble: Python whose public names every block starts with, such as the graph.
        rounds: Turns whose code is run.
        limits: What each run may use.
        unsafe_local: Run without the sandbox, as this user.
        packages: Import names visible to the code besides the standard library.

    Raises:
        RunError: when there is no sandbox and `unsafe_local` is off.
    """
    if unsafe_local:
        _logger.warning(UNSAFE)
    elif reason := sandbox_available():
        raise RunError(reason, where=WHERE, fix=FIX)

    async def run_block(code: str, files: Mapping[str, bytes]) -> CodeResult:
        program = f"from preamble import *\n{code}"
        # more runs at once than processors only bring wall-clock kills
        async with concurrency("warebench-code", os.cpu_count() or 1):
            result = await run_python(program, files, limits, packages=packages, unsafe_local=unsafe_local)
        _record(result)
        return result

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if unsafe_local:
            store().set(UNSAFE_LOCAL, True)
        question = current().question
        files = {**make_files(question), _PREAMBLE: preamble.encode()}
        for left in range(rounds - 1, -1, -1):
            state = await generate(state, tool_calls="none")
            said = state.output.completion
            code = find_code(said, question)
            if state.completed or (code is None and is_asked_form(said, kind_of(question.gold))):
                return state
            shown = NO_BLOCK if code is None else _show(await run_block(code, files))
            state.messages.append(ChatMessageUser(content=f"{shown}\n\n{_rounds_left(left)}"))
        if rounds == 0:
            state.messages.append(ChatMessageUser(content=LAST_TURN))
        return await generate(state, tool_calls="none")

    return solve


def find_code(text: str, question: Question) -> str | None:
    """Return the Python of a reply, several blocks joined in order, or None when it has none.

    Blocks without a language count where no block names Python and the reply states no answer.

    Args:
        text: The whole reply.
        question: What was asked: an answer in a block is no code.
    """
    said = after_thinking(text)
    blocks = [block for block in fenced_blocks(said) if block.text]
    code = [block.text for block in blocks if block.tag in _TAGS]
    if not code and not is_asked_form(text, kind_of(question.gold)):
        code = [block.text for block in blocks if not block.tag]
    return "\n".join(code) + "\n" if code else None


def _record(result: CodeResult) -> None:
    run = {
        "exit_code": result.exit_code,
        "timed_out": result.timed_out,
        "truncated": result.truncated,
    }
    store().set(CODE_RUNS, [*store().get(CODE_RUNS, []), run])


def _rounds_left(left: int) -> str:
    if left == 0:
        return LAST_TURN
    return f"{left} {'round is' if left == 1 else 'rounds are'} left. {STATELESS}"


def _show(result: CodeResult) -> str:
    parts = [f"Output:\n```\n{result.stdout.rstrip()}\n```" if result.stdout.strip() else "No output."]
    if result.stderr.strip():
        parts.append(f"Errors:\n```\n{result.stderr.rstrip()}\n```")
    if result.truncated:
        parts.append("(Output was cut: print less.)")
    if result.timed_out:
        parts.append("(Stopped: it took too long.)")
    elif result.exit_code:
        parts.append(f"(Exit code {result.exit_code}.)")
    return "\n".join(parts)
