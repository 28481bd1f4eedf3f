"""Proving gold: every answer is found again in DuckDB, and a disagreement refuses the set."""

from collections.abc import Sequence
from dataclasses import dataclass

from warebench.answers.model import Answer
from warebench.catalog.model import Catalog
from warebench.errors import GoldDisagreement
from warebench.questions.model import Certificate, Question, QuestionSet, digest
from warebench.tracks.topology.semantics import Semantics, from_manifest
from warebench.tracks.topology.sql.asked import Asked
from warebench.tracks.topology.sql.prove import kind, prove


@dataclass(frozen=True, slots=True)
class Claim:
    """What a question asks, and the answer that one method gave."""

    asked: Asked
    gold: Answer
    method: str


def claim(question: Question) -> Claim:
    """Return the claim of a finished question."""
    k = question.certificate.parameters.get("k", 0)
    asked = Asked(question.subtype, question.variant, question.subjects, int(k))
    return Claim(asked, question.gold, question.certificate.method)


def prove_set(question_set: QuestionSet) -> dict[str, Answer | None]:
    """Return the answer of the second method to every question of a set, by question id."""
    semantics = from_manifest(question_set.manifest.parameters)
    answers: dict[str, Answer | None] = {}
    for name, catalog in question_set.catalogs.items():
        mine = [question for question in question_set.questions if question.catalog == name]
        found = prove(catalog, semantics, [claim(question).asked for question in mine])
        answers |= {question.id: answer for question, answer in zip(mine, found, strict=True)}
    return answers


def certify(catalog: Catalog, semantics: Semantics, claims: Sequence[Claim]) -> list[Certificate]:
    """Return one certificate for each claim.

    Args:
        catalog: The catalog the claims are about.
        semantics: The meaning of words.
        claims: Questions with the gold of the first method.

    Raises:
        GoldDisagreement: The second method finds another answer to any of them.
    """
    again = prove(catalog, semantics, [item.asked for item in claims])
    return [_certificate(catalog, item, second) for item, second in zip(claims, again, strict=True)]


def _certificate(catalog: Catalog, item: Claim, second: Answer | None) -> Certificate:
    asked = item.asked
    if second != item.gold:
        raise GoldDisagreement(
            f"two methods disagree on {asked.subtype} {asked.variant} of {', '.join(asked.subjects)} "
            f"in catalog `{catalog.name}`\n  graph: {item.gold}\n  sql: {second}"
        )
    return Certificate(
        method=item.method,
        second_method=f"warebench.tracks.topology.sql.prove.PROOFS[{kind(asked.subtype, asked.variant)}]",
        parameters={"k": asked.k} if asked.k else {},
        digest=digest(item.gold),
    )
