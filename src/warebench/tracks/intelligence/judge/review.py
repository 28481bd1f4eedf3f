"""Reviews that ask a model, in the shape the build takes: after the programmatic one, never instead of it."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from inspect_ai.model import Model

from warebench.catalog.model import Catalog
from warebench.tracks.intelligence.judge.drafts import draft_of, with_text
from warebench.tracks.intelligence.judge.model import Dismissed, Draft, Judged
from warebench.tracks.intelligence.judge.phrase import phrase_drafts
from warebench.tracks.intelligence.judge.score import judge_drafts
from warebench.tracks.intelligence.knowledge.model import Knowledge
from warebench.tracks.intelligence.replies import open_model
from warebench.tracks.intelligence.validate.model import Rejection, Review, Task
from warebench.tracks.intelligence.validate.programmatic import review as programmatic

Step = Callable[[Sequence[Draft], Model], Awaitable[Judged]]


def model_review(*, phrase: str = "", judge: str = "") -> Review:
    """Return the review by models: one words the questions, then one judges them; either may be left out.

    Args:
        phrase: Name of the model that words questions, `provider/model` as for Inspect; empty for none.
        judge: Name of the model that judges them.

    Raises:
        BuildError: Inspect knows no such model, or it cannot be used here.
    """
    steps = [
        make(open_model(name)) for name, make in ((phrase, phrase_review), (judge, judge_review)) if name
    ] or [programmatic]

    def review(
        knowledge: Knowledge, catalog: Catalog, tasks: Sequence[Task]
    ) -> tuple[list[Task], list[Rejection]]:
        kept, rejections = list(tasks), list[Rejection]()
        for step in steps:
            kept, rejected = step(knowledge, catalog, kept)
            rejections += rejected
        return kept, rejections

    return review


def judge_review(model: Model) -> Review:
    """Return the review of both stages: programmatic, then a judge with rewriting."""
    return _review(model, judge_drafts)


def phrase_review(model: Model) -> Review:
    """Return the review that has a model phrase every question that passes the programmatic stage."""
    return _review(model, phrase_drafts)


def _review(model: Model, step: Step) -> Review:
    def review(
        knowledge: Knowledge, catalog: Catalog, tasks: Sequence[Task]
    ) -> tuple[list[Task], list[Rejection]]:
        passed, rejected = programmatic(knowledge, catalog, tasks)
        by_name = {str(number): task for number, task in enumerate(passed)}
        drafts = [draft_of(knowledge, task, name) for name, task in by_name.items()]
        judged = asyncio.run(_run(step, drafts, model))
        admitted = [
            with_text(by_name[draft.id], draft.text) if draft.id in judged.rewritten else by_name[draft.id]
            for draft in judged.admitted
        ]
        # A text by a model is a new text: it passes the first stage too.
        kept, again = programmatic(knowledge, catalog, admitted)
        dismissed = [_rejection(by_name[item.draft.id], item) for item in judged.dismissed]
        return kept, [*rejected, *dismissed, *again]

    return review


async def _run(step: Step, drafts: Sequence[Draft], model: Model) -> Judged:
    return await step(drafts, model)


def _rejection(task: Task, item: Dismissed) -> Rejection:
    return Rejection(
        stage="judge",
        analysis=task.analysis,
        tier=task.tier,
        skeleton=task.skeleton.key if task.skeleton else task.document,
        reason=", ".join(item.failed) or item.reason,
        text=f"{item.draft.text} [{item.detail or item.reason}]",
    )
