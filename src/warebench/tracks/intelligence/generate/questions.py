"""From tasks to questions with certificates and facets."""

from collections.abc import Iterator, Sequence

import msgspec

from warebench.questions.assemble import identify
from warebench.questions.model import Certificate, Difficulty, Question, Value, digest
from warebench.tracks.intelligence.analyses.types import TYPE
from warebench.tracks.intelligence.generate.key import fact_key
from warebench.tracks.intelligence.knowledge.links import find_rule, metric_tree
from warebench.tracks.intelligence.knowledge.model import Knowledge
from warebench.tracks.intelligence.phrase.catalog import page_path
from warebench.tracks.intelligence.validate.model import Task

NO_RULE = "no_rule"
"""Variant of the question that is asked under the standard definition, matched with one under rules."""


def to_questions(knowledge: Knowledge, catalog: str, tasks: Sequence[Task]) -> Iterator[Question]:
    """Yield the questions of some tasks, each rule task's matched variant behind it.

    Args:
        knowledge: What the tasks are about.
        catalog: Name of the catalog, and of the database.
        tasks: Reviewed tasks.
    """
    for task in tasks:
        question = identify(_question(knowledge, catalog, task))
        yield question
        if task.standard:
            twin = _question(knowledge, catalog, task.standard)
            facets = {**twin.facets, "matched": question.id, "sibling": True}
            yield identify(msgspec.structs.replace(twin, variant=NO_RULE, facets=facets))


def _question(knowledge: Knowledge, catalog: str, task: Task) -> Question:
    return Question(
        id="",
        pair_id="",
        track="intelligence",
        subtype=task.analysis,
        catalog=catalog,
        context=catalog,
        text=task.text,
        gold=task.gold,
        certificate=_certificate(knowledge, task),
        difficulty=TYPE[task.analysis].difficulty,
        path_difficulty=_rule_difficulty(task),
        fact=_fact(knowledge, task),
        facets=_facets(knowledge, task),
    )


def _rule_difficulty(task: Task) -> Difficulty:
    """Return the difficulty by the number of rules that are needed."""
    return ("easy", "medium", "hard")[min(2, len(task.required))]


def _fact(knowledge: Knowledge, task: Task) -> str:
    if task.ask:
        return fact_key(knowledge.name, task.ask)
    said = task.fact.ask if task.fact else ""
    return f"{knowledge.name}:knowledge:{task.document}:{digest(said)[:16]}"


def _certificate(knowledge: Knowledge, task: Task) -> Certificate:
    if task.ask:
        return Certificate(
            method="warebench.tracks.intelligence.compute.rewrite.apply_rules",
            second_method="warebench.tracks.intelligence.compute.frame.compute",
            parameters={"knowledge": knowledge.name, "ask": _json(task.ask)},
            sql=task.sql,
            digest=digest(task.gold),
        )
    return Certificate(
        method="warebench.tracks.intelligence.generate.facts.fact_gold",
        second_method="warebench.tracks.intelligence.generate.facts.fact_again",
        parameters={"knowledge": knowledge.name, "fact": _json(task.fact), "document": task.document},
        digest=digest(task.gold),
    )


def _json(value: object) -> str:
    return msgspec.json.encode(value, order="deterministic").decode()


def _facets(knowledge: Knowledge, task: Task) -> dict[str, Value]:
    facets: dict[str, Value] = {
        "tier": task.tier,
        "domain": knowledge.name,
        "rules": ",".join(task.required),
        "n_rules": len(task.required),
        "documents": ",".join(_documents(knowledge, task)),
    }
    if task.ask and task.skeleton:
        facets |= {
            "metric": task.ask.metric,
            "dimension": task.ask.dimension,
            "governing": ",".join(task.ask.rules),
            "tables": len(task.skeleton.tables),
            "joins": len(task.skeleton.tables) - 1,
            "skeleton": task.skeleton.key,
            "augmented": task.augmented,
        }
    return facets


def _documents(knowledge: Knowledge, task: Task) -> list[str]:
    """Return the documents without which the question cannot be answered."""
    if not task.ask:
        return [task.document]
    pages = [page_path(metric) for metric in metric_tree(knowledge, task.ask.metric)]
    return [*pages, *(find_rule(knowledge, name).document for name in task.required)]
