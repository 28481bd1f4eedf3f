"""One task over rows: drawn, screened, certified, phrased."""

import random
from dataclasses import dataclass

import msgspec

from warebench.answers.model import Answer
from warebench.tracks.intelligence.analyses.draft import Draw, draft
from warebench.tracks.intelligence.analyses.figures import figures
from warebench.tracks.intelligence.analyses.fit import FEWEST_ROWS, check_fit
from warebench.tracks.intelligence.analyses.lab import Lab, certified, screen
from warebench.tracks.intelligence.analyses.model import Analysis, Ask, Unfit
from warebench.tracks.intelligence.analyses.rules import is_changed, required_rules
from warebench.tracks.intelligence.generate.key import fact_key
from warebench.tracks.intelligence.knowledge.links import find_metric
from warebench.tracks.intelligence.phrase.text import question_text
from warebench.tracks.intelligence.sampling.subgraph import Subgraph
from warebench.tracks.intelligence.validate.model import Task


@dataclass(frozen=True, slots=True)
class Attempt:
    """A skeleton asked in one way for the nth time."""

    subgraph: Subgraph
    analysis: Analysis
    turn: int
    augmented: bool = False


def make_task(lab: Lab, attempt: Attempt, seed: int, seen: set[str]) -> Task:
    """Return a task with gold found by both methods; of a skeleton with rules, with its matched variant.

    Args:
        lab: Where figures are computed.
        attempt: What to ask.
        seed: Of every random choice.
        seen: Keys of questions that are asked already; the task's is added.

    Raises:
        Unfit: It makes no question, with the reason.
        StraddleError: A rule that is not about single rows holds for a part of the days drawn.
        GoldDisagreement: The two methods differ.
    """
    subgraph = attempt.subgraph
    rng = random.Random(f"{seed}:{lab.knowledge.name}:{subgraph.key}:{attempt.analysis}:{attempt.turn}")  # noqa: S311
    ask = draft(Draw(lab, subgraph, rng), attempt.analysis)
    key = fact_key(lab.knowledge.name, ask)
    if key in seen:
        raise Unfit("it is asked already")
    gold = _screened(lab, ask)
    required = _rules(lab, ask, gold) if ask.rules else ()
    task = _task(lab, ask, seed, attempt)
    if ask.rules and ask.variant != "no_rules":
        standard = _task(lab, msgspec.structs.replace(ask, rules=()), seed, attempt)
        task = msgspec.structs.replace(task, standard=standard)
    seen.add(key)
    return msgspec.structs.replace(task, required=required)


def _screened(lab: Lab, ask: Ask) -> Answer:
    gold, found = screen(lab, ask)
    if min(lab.table(figure).rows for figure in figures(ask)) < FEWEST_ROWS:
        raise Unfit("too few rows are behind it")
    check_fit(ask, gold, found, find_metric(lab.knowledge, ask.metric).decimals)
    return gold


def _rules(lab: Lab, ask: Ask, gold: Answer) -> tuple[str, ...]:
    """Return the rules that are needed.

    Raises:
        Unfit: None is, the answer under no rule is right too, or that makes no question of its own.
    """
    standard = msgspec.structs.replace(ask, rules=())
    if ask.variant != "no_rules":
        if not is_changed(lab, standard, gold):
            raise Unfit("the rules do not change the answer")
        try:
            _screened(lab, standard)
        except Unfit as error:
            raise Unfit(f"no matched variant without rules: {error.what}") from error
    required = required_rules(lab, ask, gold)
    if not required:
        raise Unfit("no single rule changes the answer")
    return required


def _task(lab: Lab, ask: Ask, seed: int, attempt: Attempt) -> Task:
    gold, sql = certified(lab, ask)
    return Task(
        text=question_text(lab.knowledge, ask, f"{seed}:{fact_key(lab.knowledge.name, ask)}"),
        gold=gold,
        tier="rule" if ask.rules else "analytics",
        ask=ask,
        skeleton=attempt.subgraph,
        augmented=attempt.augmented,
        sql=sql,
    )
