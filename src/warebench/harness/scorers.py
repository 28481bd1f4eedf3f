"""The one scorer: what the model said against gold, and the three ways a sample can end.

A reply that can be judged is a verdict, wrong ones and unreadable ones included. Broken machinery raises,
and Inspect records an error. Where the instrument gave no reading (the prompt did not fit, nothing came
back but a stop by filter or length), the sample is unscored. Nothing ends as a silent 0.
"""

from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Score, Scorer, Target, accuracy, mean, scorer, stderr
from inspect_ai.solver import TaskState

from warebench.answers.compare import compare
from warebench.answers.model import Abstain
from warebench.answers.parse import Unparsed, kind_of, parse
from warebench.answers.render import render
from warebench.harness.dataset import QuestionIndex, find_question
from warebench.questions.model import Question

FAILURE = "failure"
"""Store key, for solvers that carry out what the model wrote, such as a query: why that gave no answer,
`{"reason", "explanation"}`. It is a verdict: the model is wrong."""

CONTEXT_EXCEEDED = "context exceeded"
NO_OUTPUT = "no output"
_EMPTY_BECAUSE = {"max_tokens": "empty output: length stop", "content_filter": "empty output: content filter"}


@scorer(metrics={"em": [accuracy(), stderr()], "f1": [mean(), stderr()]}, name="verdict")
def verdict(index: QuestionIndex) -> Scorer:
    """Score `{"em": 0 or 1, "f1": 0..1}` with a reason and an explanation.

    Args:
        index: Index of the set the task's samples come from.
    """

    async def score(state: TaskState, target: Target) -> Score:
        question = find_question(index, state.sample_id)
        failure = state.store.get(FAILURE)
        if failure and no_reading(state.output) is None:
            return Score(value={"em": 0.0, "f1": 0.0}, answer=state.output.completion[-500:], **failure)
        return score_output(state.output, question, index.tables.get(question.catalog, ()))

    return score


def score_output(output: ModelOutput, question: Question, names: tuple[str, ...]) -> Score:
    """Return the score of a model's last output.

    Args:
        output: Last output of the sample.
        question: What was asked.
        names: Table names of the question's catalog, by which shortened names are understood.
    """
    unread = no_reading(output)
    if unread:
        return Score.unscored(reason=unread, explanation=output.error or output.completion or unread)
    text = output.completion
    reply = parse(text, kind_of(question.gold))
    if isinstance(reply, Unparsed):
        reason = _unparsed_reason(output, reply)
        return Score(
            value={"em": 0.0, "f1": 0.0}, answer=text[-500:], reason=reason, explanation=reply.reason
        )
    judged = compare(question.gold, reply, names=names)
    return Score(
        value={"em": float(judged.correct), "f1": judged.f1},
        answer="abstained" if isinstance(reply, Abstain) else render(reply),
        reason=judged.reason,
        explanation=judged.explanation,
    )


def no_reading(output: ModelOutput) -> str | None:
    """Return why an output is no reading of the model at all, or None where it can be judged."""
    if not output.choices:
        return NO_OUTPUT
    if output.stop_reason == "model_length":
        return CONTEXT_EXCEEDED
    return None if output.completion.strip() else _EMPTY_BECAUSE.get(output.stop_reason)


def _unparsed_reason(output: ModelOutput, reply: Unparsed) -> str:
    if output.stop_reason == "content_filter":
        return "refusal"  # Inspect's word for it
    if not output.completion.strip():
        return "no_response"
    return f"unparsed: {reply.reason}"
