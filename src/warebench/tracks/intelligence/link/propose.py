"""Links by rule of thumb: a document that names a metric may change it. No model is asked.

A document may state its truth in front matter, which no model is ever shown::

    ---
    id: CR-03
    kind: temporal
    effective_from: 2023-07-01
    operations:
      - {type: threshold, metrics: [CH-REV-001], parameter: discount_pct, value: 10}
    ---
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

import msgspec
import pyarrow.compute as pc

from warebench.bounds import read_whole
from warebench.engine.database import Database
from warebench.errors import KnowledgeError
from warebench.tracks.intelligence.knowledge.front_matter import split_front_matter
from warebench.tracks.intelligence.knowledge.links import touched_metrics
from warebench.tracks.intelligence.knowledge.model import Knowledge, Rule
from warebench.tracks.intelligence.link.model import Proposal
from warebench.tracks.intelligence.link.sentences import find_days, find_names, find_numbers, split_sentences

NUMBERED = re.compile(r"[a-z]+-\d+", re.IGNORECASE)
MOST_VALUES = 500
"""A dimension of more values is no list of categories to look for in prose."""


def read_documents(folder: str | Path) -> dict[str, str]:
    """Return the documents of a knowledge base with their front matter: path to text.

    Args:
        folder: The knowledge base; its documents are in `rules/`.

    Raises:
        KnowledgeError: A document cannot be read.
    """
    found = {}
    for path in sorted((Path(folder) / "rules").glob("*.md")):
        try:
            found[f"rules/{path.name}"] = read_whole(path, KnowledgeError).decode()
        except (OSError, UnicodeDecodeError) as error:
            raise KnowledgeError("this document cannot be read", where=str(path), fix="save it") from error
    return found


def stored_values(knowledge: Knowledge, database: Database) -> dict[str, dict[str, str]]:
    """Return what prose may call the values of each dimension: dimension id to spelling to stored value."""
    found: dict[str, dict[str, str]] = {}
    for dimension in knowledge.dimensions:
        if dimension.kind == "temporal":
            continue
        cells = pc.unique(database.tables[dimension.table].column(dimension.column).drop_null())
        stored = sorted(str(cell) for cell in cells.to_pylist()) if len(cells) <= MOST_VALUES else []
        called = {label: value for value, label in dimension.values.items()}
        found[dimension.id] = {value: value for value in stored if len(value) > 1} | called
    return found


def propose_links(
    knowledge: Knowledge,
    documents: Mapping[str, str],
    values: Mapping[str, Mapping[str, str]] | None = None,
) -> tuple[Proposal, ...]:
    """Return a proposal for every metric that a document names, or has an operation on.

    Args:
        knowledge: Metrics and dimensions; its rules are not looked at.
        documents: Path to text, front matter included (`read_documents`).
        values: What values of dimensions are called (`stored_values`); without them no scope is found.

    Raises:
        KnowledgeError: Front matter is torn.
    """
    return tuple(
        proposal
        for path, text in documents.items()
        for proposal in _of_document(knowledge, path, text, values or {})
    )


def candidate_rule(path: str, text: str) -> tuple[Rule, str]:
    """Return the rule that a document states in its front matter, and its prose.

    Without front matter the rule has a name and no operations.

    Raises:
        KnowledgeError: The front matter lacks a type, or has a key too many.
    """
    head, prose = split_front_matter(text, path)
    stem = PurePosixPath(path).stem
    numbered = NUMBERED.match(stem)
    title = next((line.lstrip("# ") for line in prose.splitlines() if line.startswith("#")), stem)
    kind = "temporal" if head.get("effective_from") or head.get("effective_to") else "definitional"
    default = {"id": (numbered[0] if numbered else stem).upper(), "title": title, "kind": kind}
    try:
        return msgspec.convert({**default, **head, "document": path}, Rule), prose
    except msgspec.ValidationError as error:
        raise KnowledgeError(f"front matter: {error}", where=path, fix="correct it") from error


def _of_document(
    knowledge: Knowledge, path: str, text: str, values: Mapping[str, Mapping[str, str]]
) -> Iterator[Proposal]:
    rule, prose = candidate_rule(path, text)
    names = {metric.id: (metric.id, metric.name, *metric.synonyms) for metric in knowledge.metrics}
    sentences = split_sentences(prose)
    said = {
        metric: [sentence for sentence in sentences if metric in find_names(sentence, names)]
        for metric in names
    }
    stated = touched_metrics(rule)
    details = [one for one in sentences if [*find_days(one), *find_numbers(one), *_scope([one], values)]]
    for metric in dict.fromkeys([*(name for name in names if said[name]), *stated]):
        evidence = said.get(metric, [])
        both = [*evidence, *(one for one in details if one not in evidence)]
        yield Proposal(
            rule=rule,
            metric=metric,
            evidence=tuple(evidence),
            details=tuple(both[len(evidence) :]),
            scope=tuple(_scope(both, values)),
            dates=tuple(dict.fromkeys(day for one in both for day in find_days(one))),
            numbers=tuple(dict.fromkeys(number for one in both for number in find_numbers(one))),
            origin="front matter" if metric in stated else "text",
        )


def _scope(evidence: Sequence[str], values: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, str]]:
    text = " ".join(evidence)
    for dimension, spellings in values.items():
        names = {spelling: (spelling,) for spelling in spellings}
        for spelling in find_names(text, names):
            yield dimension, spellings[spelling]
