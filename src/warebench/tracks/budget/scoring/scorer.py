"""The scorer of this track, in the place of the harness's own: a query is judged by executing it."""

import os
from asyncio import to_thread

from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Score, Scorer, Target, accuracy, mean, scorer, stderr
from inspect_ai.solver import TaskState
from inspect_ai.util import concurrency

from warebench.answers.sql_reply import find_sql
from warebench.harness.logs import MEASURES
from warebench.harness.scorers import no_reading
from warebench.tracks.budget.scoring.bench import open_bench
from warebench.tracks.budget.scoring.judge import Judge
from warebench.tracks.budget.scoring.model import Judged
from warebench.tracks.budget.settings import Settings
from warebench.tracks.budget.subject import Subject

SCHEMA = "schema"
"""Store key: measures of the prompt, as `methods.sql` found them."""


@scorer(metrics={"em": [accuracy(), stderr()], "f1": [mean(), stderr()]}, name="verdict")
def verdict(subject: Subject, settings: Settings) -> Scorer:
    """Score `{"em": 0 or 1, "f1": 0..1}` with a reason, an explanation and measures.

    Args:
        subject: The set the task's samples come from.
        settings: How results are compared.
    """
    judge = Judge(subject=subject, settings=settings, bench=open_bench(subject, settings.variants))

    async def score(state: TaskState, target: Target) -> Score:
        unread = no_reading(state.output)
        if unread:
            return Score.unscored(reason=unread, explanation=state.output.error or unread)
        sql = find_sql(state.output.completion)
        judged = _no_query(state.output)
        if sql is not None:
            # More queries at once than processors only bring timeouts.
            async with concurrency("warebench-query", os.cpu_count() or 1):
                judged = await to_thread(judge.judge, subject.question(state.sample_id), sql)
        measures = {**state.store.get(SCHEMA, {}), "result_only": 0.0, **judged.measures}
        return Score(
            value={"em": float(judged.correct), "f1": judged.f1},
            answer=sql or state.output.completion[-500:],
            reason=judged.reason,
            explanation=judged.explanation,
            metadata={MEASURES: measures},
        )

    return score


def _no_query(output: ModelOutput) -> Judged:
    if output.stop_reason == "content_filter":
        return Judged(False, "refusal", "the reply was stopped by a content filter")
    if not output.completion.strip():
        return Judged(False, "empty", "the reply is empty")
    return Judged(False, "no query", "the reply holds no query")
