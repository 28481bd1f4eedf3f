"""Obfuscated twins: the same questions about the same graph under names that mean nothing."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from warebench.answers.model import Answer, NameSet, Path
from warebench.catalog.obfuscate import obfuscate
from warebench.graph.paths import first_path
from warebench.questions.assemble import assemble, identify
from warebench.questions.model import Question, QuestionSet, digest
from warebench.tracks.topology.certify import certify, claim
from warebench.tracks.topology.phrase import phrase
from warebench.tracks.topology.semantics import Semantics, from_manifest


def twin(original: QuestionSet, level: Literal["tables", "columns"]) -> QuestionSet:
    """Return the obfuscated twin of a set, every gold proved anew on the renamed catalog.

    Texts are phrased again with the new names, never searched and replaced, so that no word of a
    question can be mistaken for a table (DW-Bench, section 3.4, and its faults in docs/fidelity.md).

    Args:
        original: A topology set.
        level: Rename tables only (the paper) or tables and columns.
    """
    semantics = from_manifest(original.manifest.parameters)
    catalogs, questions, aliases = [], [], {}
    for name, catalog in original.catalogs.items():
        hidden = obfuscate(catalog, level)
        catalogs.append(hidden.catalog)
        aliases[name] = hidden.catalog.name
        mine = [question for question in original.questions if question.catalog == name]
        renamed = [_rename(q, hidden.catalog.name, hidden.tables, semantics) for q in mine]
        proofs = certify(hidden.catalog, semantics, [claim(question) for question in renamed])
        questions += [
            identify(msgspec.structs.replace(question, certificate=proof), pair_id=source.id)
            for question, proof, source in zip(renamed, proofs, mine, strict=True)
        ]
    return assemble(
        track=original.manifest.track,
        profile=original.manifest.profile,
        seed=original.manifest.seed,
        parameters=original.manifest.parameters,
        catalogs=catalogs,
        questions=questions,
        shortfalls=[
            msgspec.structs.replace(item, catalog=aliases[item.catalog])
            for item in original.manifest.shortfalls
        ],
        obfuscation=level,
    )


def _rename(question: Question, catalog: str, tables: Mapping[str, str], semantics: Semantics) -> Question:
    subjects = tuple(tables[name] for name in question.subjects)
    values = question.certificate.parameters
    return msgspec.structs.replace(
        question,
        catalog=catalog,
        subjects=subjects,
        text=phrase(question.subtype, question.variant, subjects, semantics, values),
        gold=_rename_gold(question.gold, tables),
        # The fact holds names of the original, so a twin carries only its hash.
        fact=digest(question.fact)[:16],
    )


def _rename_gold(gold: Answer, tables: Mapping[str, str]) -> Answer:
    match gold:
        case NameSet(names, optional):
            return NameSet(tuple(sorted(tables[name] for name in names)), tuple(tables[n] for n in optional))
        case Path(nodes, steps):
            renamed = tuple(sorted((tables[here], tables[there]) for here, there in steps))
            return Path(first_path(renamed, tables[nodes[0]], tables[nodes[-1]]), renamed)
        case _:
            return gold
