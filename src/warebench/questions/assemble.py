"""Questions and catalogs to a question set: ids, order, hashes."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from warebench._version import __version__
from warebench.answers.compare import compare
from warebench.answers.model import Answer
from warebench.answers.parse import Unparsed, kind_of, parse
from warebench.answers.render import render
from warebench.catalog.model import Catalog
from warebench.engine.database import Database
from warebench.questions.model import (
    FileContent,
    Manifest,
    Missing,
    Obfuscation,
    Question,
    QuestionSet,
    Shortfall,
    Value,
    digest,
)
from warebench.questions.store import encode_questions, hash_file, sha256


def identify(question: Question, pair_id: str = "") -> Question:
    """Return the question with its id: a hash of all of it, the gold included.

    Args:
        question: A question whose `id` and `pair_id` do not matter.
        pair_id: Id of the original when the question is a twin.
    """
    bare = msgspec.structs.replace(question, id="", pair_id=pair_id)
    name = f"{question.subtype}-{digest(bare)[:16]}"
    return msgspec.structs.replace(bare, id=name, pair_id=pair_id or name)


def assemble(
    *,
    track: str,
    profile: str,
    seed: int,
    parameters: Mapping[str, Value],
    catalogs: Iterable[Catalog],
    questions: Sequence[Question],
    shortfalls: Iterable[Shortfall] = (),
    obfuscation: Obfuscation = "none",
    databases: Mapping[str, Database] | None = None,
    files: Mapping[str, FileContent] | None = None,
    withheld: Mapping[str, int] | None = None,
    stated: bool = True,
) -> QuestionSet:
    """Return a question set whose manifest holds what it was made from, and what of it was left out.

    A question whose gold is not read from the very reply that states it, such as a text that no reply can
    spell, is left out and told as a shortfall: no model could be right there. Where `stated` is off a reply
    is SQL, and never states its answer.
    """
    by_name = {catalog.name: catalog for catalog in catalogs}
    unmatched: Sequence[Shortfall] = ()
    if stated:
        questions, unmatched = _matched(questions, by_name)
    rows = dict(databases or {})
    further = dict(files or {})
    manifest = Manifest(
        warebench=__version__,
        track=track,
        profile=profile,
        seed=seed,
        obfuscation=obfuscation,
        parameters=dict(parameters),
        catalogs={name: catalog.fingerprint for name, catalog in by_name.items()},
        questions=len(questions),
        questions_sha256=sha256(encode_questions(questions)),
        databases={name: database.fingerprint for name, database in rows.items()},
        files={path: hash_file(content) for path, content in further.items()},
        shortfalls=(*shortfalls, *unmatched),
        left_out=_missing(by_name.values(), withheld or {}) or msgspec.UNSET,
    )
    return QuestionSet(
        manifest=manifest, questions=tuple(questions), catalogs=by_name, databases=rows, files=further
    )


def _missing(catalogs: Iterable[Catalog], withheld: Mapping[str, int]) -> tuple[Missing, ...]:
    return tuple(
        Missing(
            catalog=catalog.name,
            left_out=tuple(map(str, catalog.left_out)),
            withheld=withheld.get(catalog.name, 0),
        )
        for catalog in catalogs
        if catalog.left_out
    )


def oracle_fault(gold: Answer, tables: tuple[str, ...] = ()) -> str:
    """Return what goes wrong when a model states the gold in the form that is asked for; empty for nothing.

    Args:
        gold: The answer of a question.
        tables: Every table name of its catalog.
    """
    said = parse(render(gold), kind_of(gold))
    if isinstance(said, Unparsed):
        return f"the gold itself reads as unparsed ({said.reason}): a value looks like something else"
    return "" if compare(gold, said, names=tables).correct else f"the gold reads as {said}"


def _matched(
    questions: Sequence[Question], catalogs: Mapping[str, Catalog]
) -> tuple[list[Question], list[Shortfall]]:
    """Part questions into those that their own gold answers, and a shortfall for each kind of the others."""
    kept: list[Question] = []
    lost: Counter[tuple[str, str]] = Counter()
    for question in questions:
        if oracle_fault(question.gold, catalogs[question.catalog].table_names):
            lost[question.catalog, question.subtype] += 1
        else:
            kept.append(question)
    asked = Counter((question.catalog, question.subtype) for question in questions)
    return kept, [
        Shortfall(
            catalog=catalog,
            subtype=subtype,
            asked=asked[catalog, subtype],
            made=asked[catalog, subtype] - count,
            reason="no reply can state the gold so that it is read as the gold",
        )
        for (catalog, subtype), count in lost.items()
    ]
