"""A judge's eight binary scores, and the rewriting of texts that fail by their phrasing only.

Source: DI-Bench, section 3.5 and Appendix E.2.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from inspect_ai.model import Model, ResponseSchema
from inspect_ai.util import JSONSchema

from warebench.tracks.intelligence.judge.guard import dismiss_text, find_losses
from warebench.tracks.intelligence.judge.model import (
    DIMENSIONS,
    PHRASING,
    Dismissed,
    Draft,
    Judged,
    Scores,
)
from warebench.tracks.intelligence.replies import Reply, ask

SCORE = """\
You check tasks of a benchmark before they are published. A task is a question, its gold answer, and the SQL \
that computed it. Its analysis type is {analysis}.

Score each dimension 1 when it holds and 0 when it does not, with one sentence of justification:
{dimensions}

Question:
{text}

Gold answer:
{gold}

SQL:
{sql}

Answer with one JSON object and nothing else: {{{shape}}}"""

REWRITE = """\
This question of a benchmark was found wanting in its phrasing:
{text}

Findings:
{findings}

Write it again so that they are mended. Keep these passages word for word, all of them:
{kept}
Add no number that the question does not have, and do not give the answer. Answer with one JSON object and \
nothing else: {{"text": the question}}"""

UNREAD = "the judge's reply cannot be read"


async def judge_drafts(drafts: Sequence[Draft], model: Model) -> Judged:
    """Return which drafts a judge admits: those for which all eight dimensions hold.

    A draft that fails dimensions of phrasing only is rewritten by the model, passes the guard, and is scored
    once more. A reply that cannot be read dismisses the draft: no verdict is no admission.

    Args:
        drafts: Tasks that passed the programmatic stage.
        model: `inspect_ai.model.get_model(...)`.
    """
    admitted: list[Draft] = []
    dismissed: list[Dismissed] = []
    rewritten: list[str] = []
    for draft in drafts:
        found = await _judge(draft, model)
        if isinstance(found, Dismissed):
            dismissed.append(found)
            continue
        admitted.append(found)
        if found.text != draft.text:
            rewritten.append(found.id)
    return Judged(admitted=tuple(admitted), dismissed=tuple(dismissed), rewritten=tuple(rewritten))


async def score_draft(draft: Draft, model: Model) -> Scores | str:
    """Return a judge's scores; why they cannot be read where a dimension lacks, or is neither 0 nor 1."""
    prompt = SCORE.format(
        analysis=draft.analysis.replace("_", " "),
        dimensions="\n".join(f"- {name}: {asks}" for name, asks in DIMENSIONS.items()),
        text=draft.text,
        gold=draft.gold,
        sql=draft.sql or "(none: the answer stands in a document)",
        shape=", ".join(f'"{name}": {{"score": 0 or 1, "reason": text}}' for name in DIMENSIONS),
    )
    reply = await ask(model, prompt, _scores_schema())
    return reply.trouble if reply.said is None else _scores(reply.said)


async def _judge(draft: Draft, model: Model) -> Draft | Dismissed:
    scores = await score_draft(draft, model)
    if isinstance(scores, str):
        return Dismissed(draft=draft, reason=f"{UNREAD}: {scores}")
    if not scores.failed:
        return draft
    if not set(scores.failed) <= set(PHRASING):
        return _dismiss(draft, scores)
    reply = await _rewrite(draft, scores, model)
    if reply.trouble:
        return Dismissed(draft=draft, reason=f"{UNREAD}: {reply.trouble}", failed=scores.failed)
    text = text_of(reply)
    if losses := find_losses(draft, text):
        return dismiss_text(draft, text, losses, failed=scores.failed)
    again = replace(draft, text=text)
    scores = await score_draft(again, model)
    if isinstance(scores, str):
        return Dismissed(draft=again, reason=f"{UNREAD}: {scores}")
    return _dismiss(again, scores) if scores.failed else again


def _dismiss(draft: Draft, scores: Scores) -> Dismissed:
    reasons = [f"{name}: {scores.reasons[name]}" for name in scores.failed]
    return Dismissed(draft=draft, reason="; ".join(reasons), failed=scores.failed)


async def _rewrite(draft: Draft, scores: Scores, model: Model) -> Reply:
    prompt = REWRITE.format(
        text=draft.text,
        findings="\n".join(f"- {name}: {scores.reasons[name]}" for name in scores.failed),
        kept="\n".join(f"- {words}" for words in draft.must_contain),
    )
    return await ask(model, prompt, text_schema())


def text_of(reply: Reply) -> str:
    """Return the text in a reply; empty where there is none."""
    found = (reply.said or {}).get("text")
    return " ".join(found.split()) if isinstance(found, str) else ""


def text_schema() -> ResponseSchema:
    """Return the schema of `{"text": ...}`."""
    schema = JSONSchema(type="object", properties={"text": JSONSchema(type="string")}, required=["text"])
    return ResponseSchema(name="text", json_schema=schema)


def _scores(said: dict[str, Any]) -> Scores | str:
    passed, reasons = {}, {}
    for name in DIMENSIONS:
        entry = said.get(name)
        if not isinstance(entry, dict) or entry.get("score") not in (0, 1):
            return f"no score of {name}"
        passed[name] = entry["score"] == 1
        reasons[name] = str(entry.get("reason", ""))
    return Scores(passed=passed, reasons=reasons)


def _scores_schema() -> ResponseSchema:
    properties = {"score": JSONSchema(type="integer", enum=[0, 1]), "reason": JSONSchema(type="string")}
    one = JSONSchema(type="object", properties=properties, required=["score", "reason"])
    names = dict.fromkeys(DIMENSIONS, one)
    schema = JSONSchema(type="object", properties=names, required=list(DIMENSIONS))
    return ResponseSchema(name="scores", json_schema=schema)
