"""Backward generation: the answer is known, a model phrases the question.

The model is told the metric, the analysis type, what the question has to say word for word, and with it the
form of the answer; the paper shows it the gold answer too, ours does not: what it never saw it cannot leak.

Source: DI-Bench, section 3.4.
"""

from collections.abc import Sequence
from dataclasses import replace

from inspect_ai.model import Model

from warebench.tracks.intelligence.judge.guard import dismiss_text, find_losses
from warebench.tracks.intelligence.judge.model import Dismissed, Draft, Judged
from warebench.tracks.intelligence.judge.score import text_of, text_schema
from warebench.tracks.intelligence.replies import ask

PROMPT = """\
Write one question that a business stakeholder would ask about the metric "{metric}". It is a question of \
the type {analysis}. Sound like a person at work; name no tables, columns or documents.

It must contain these passages word for word, all of them:
{kept}

A plain version of the same question, whose meaning you must keep exactly:
{text}

Add no number that the plain version does not have. Answer with one JSON object and nothing else: \
{{"text": the question}}"""

UNREAD = "the phrasing model's reply cannot be read"


async def phrase_drafts(drafts: Sequence[Draft], model: Model) -> Judged:
    """Return drafts with a text by a model; those whose text loses or adds something keep none.

    Args:
        drafts: Tasks with a plain text.
        model: `inspect_ai.model.get_model(...)`.
    """
    admitted: list[Draft] = []
    dismissed: list[Dismissed] = []
    for draft in drafts:
        prompt = PROMPT.format(
            metric=draft.metric,
            analysis=draft.analysis.replace("_", " "),
            kept="\n".join(f"- {words}" for words in draft.must_contain),
            text=draft.text,
        )
        reply = await ask(model, prompt, text_schema())
        text = text_of(reply)
        if reply.trouble:
            dismissed.append(Dismissed(draft=draft, reason=f"{UNREAD}: {reply.trouble}"))
        elif losses := find_losses(draft, text):
            dismissed.append(dismiss_text(draft, text, losses))
        else:
            admitted.append(replace(draft, text=text))
    changed = tuple(new.id for new in admitted if new.text not in [old.text for old in drafts])
    return Judged(admitted=tuple(admitted), dismissed=tuple(dismissed), rewritten=changed)
