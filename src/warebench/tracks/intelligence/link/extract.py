"""Links and structured operations by a language model, through Inspect. Nothing a model says is believed.

Its evidence must stand in the document, its operations must fit our schema, and `confirm_links` tries them.

Source: DI-Bench, section 3.1: a model identifies which metrics a document modifies, and whether it applies to
specific values of dimensions only. The paper does not print its prompt; this one is ours.
"""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from inspect_ai.model import Model, ResponseSchema
from inspect_ai.util import JSONSchema

from warebench.errors import KnowledgeError
from warebench.harness.fence import fence
from warebench.tracks.intelligence.knowledge.model import Knowledge, Metric, Operation, Rule, RuleKind
from warebench.tracks.intelligence.link.model import Proposal
from warebench.tracks.intelligence.link.propose import candidate_rule
from warebench.tracks.intelligence.link.sentences import find_days, find_numbers
from warebench.tracks.intelligence.replies import Reply, ask

PROMPT = """\
You link a company's rule documents to its business metrics.

Metrics (id, name, definition):
{metrics}

Dimensions (id, label):
{dimensions}

An operation is one of
- {{"type": "filter", "metrics": [ids], "where": SQL condition}}: keep only rows for which it is true
- {{"type": "exclude", "metrics": [ids], "where": SQL condition}}: drop rows for which it is true
- {{"type": "threshold", "metrics": [ids], "parameter": name, "value": number}}: another value of a \
parameter; "minimum_rows" hides groups of fewer rows
- {{"type": "weight", "metrics": [ids], "parameter": name, "value": number}}: another weight of a composite
- {{"type": "override", "metrics": [ids], "target": "value", "where", "keep" or "formula", "measure": name, \
"expression": SQL}}: replace a part of the definition
The first three and override may have "scope": a SQL condition that says which rows are touched.
Columns are written alias.column as in the definitions.

Document {path}:
{text}

Which metrics does this document itself change, and does it apply to certain values of a dimension only? \
Metrics that it says it does not concern are not changed. Answer with one JSON object and nothing else:
{{"kind": "definitional", "exclusionary", "temporal", "conditional", "privacy" or "override", \
"effective_from": "YYYY-MM-DD" or "", "effective_to": "YYYY-MM-DD" or "", "links": [{{"metric": id, \
"dimensions": [{{"dimension": id, "value": text}}], "evidence": one sentence of the document, verbatim}}], \
"operations": [...]}}"""


class Scope(msgspec.Struct, frozen=True):
    """A value of a dimension."""

    dimension: str
    value: str


class Link(msgspec.Struct, frozen=True):
    """A metric that the model says is changed."""

    metric: str
    evidence: str
    dimensions: tuple[Scope, ...] = ()


class Said(msgspec.Struct, frozen=True):
    """What a model says about a document."""

    kind: RuleKind
    links: tuple[Link, ...]
    effective_from: str = ""
    effective_to: str = ""
    operations: tuple[dict[str, Any], ...] = ()


class Disbelieved(msgspec.Struct, frozen=True, kw_only=True):
    """Something a model said that is not taken up."""

    document: str
    reason: str
    said: str


class Extraction(msgspec.Struct, frozen=True, kw_only=True):
    """Proposals of a model, and what was not taken up of its replies."""

    proposals: tuple[Proposal, ...]
    disbelieved: tuple[Disbelieved, ...]


def extract_links(knowledge: Knowledge, documents: Mapping[str, str], model: Model) -> Extraction:
    """Return the links that a model finds in documents; front matter is not shown to it.

    Args:
        knowledge: Metrics and dimensions.
        documents: Path to text.
        model: `inspect_ai.model.get_model(...)`.
    """
    return asyncio.run(extract_links_async(knowledge, documents, model))


async def extract_links_async(knowledge: Knowledge, documents: Mapping[str, str], model: Model) -> Extraction:
    """Return what `extract_links` does, inside a running loop."""
    proposals: list[Proposal] = []
    disbelieved: list[Disbelieved] = []
    for path, text in documents.items():
        rule, prose = candidate_rule(path, text)
        reply = await ask(model, _prompt(knowledge, path, prose), _schema())
        for found in _read(knowledge, rule, prose, reply, str(model)):
            if isinstance(found, Proposal):
                proposals.append(found)
            else:
                disbelieved.append(found)
    return Extraction(proposals=tuple(proposals), disbelieved=tuple(disbelieved))


def _prompt(knowledge: Knowledge, path: str, prose: str) -> str:
    return PROMPT.format(
        metrics="\n".join(_definition(metric) for metric in knowledge.metrics),
        dimensions="\n".join(f"{item.id}, {item.label}" for item in knowledge.dimensions),
        path=path,
        text=fence("document", f"{prose}\n"),
    )


def _definition(metric: Metric) -> str:
    keys = ("relation", "entity", "measures", "components", "parameters", "formula")
    said = {key: getattr(metric, key) for key in keys if getattr(metric, key)}
    text = msgspec.json.encode(said, order="deterministic").decode()
    return f"{metric.id}, {metric.name}, {text}"


def _read(
    knowledge: Knowledge, rule: Rule, prose: str, reply: Reply, origin: str
) -> Iterator[Proposal | Disbelieved]:
    try:
        said = msgspec.convert(reply.said, Said)
    except msgspec.ValidationError as error:
        reason = f"the reply cannot be read: {reply.trouble or error}"
        yield Disbelieved(document=rule.document, reason=reason, said=reply.text)
        return
    operations: list[Operation] = []
    for entry in said.operations:
        try:
            operations.append(msgspec.convert(entry, Operation))
        except msgspec.ValidationError as error:
            text = msgspec.json.encode(entry).decode()
            yield Disbelieved(document=rule.document, reason=f"no operation: {error}", said=text)
    candidate = msgspec.structs.replace(
        rule,
        kind=said.kind,
        effective_from=said.effective_from,
        effective_to=said.effective_to,
        operations=tuple(operations),
    )
    for link in said.links:
        yield _link(knowledge, candidate, prose, link, origin)


def _link(knowledge: Knowledge, rule: Rule, prose: str, link: Link, origin: str) -> Proposal | Disbelieved:
    try:
        _check(knowledge, prose, link)
    except KnowledgeError as error:
        text = msgspec.json.encode(link).decode()
        return Disbelieved(document=rule.document, reason=error.what, said=text)
    return Proposal(
        rule=rule,
        metric=link.metric,
        scope=tuple((item.dimension, item.value) for item in link.dimensions),
        evidence=(" ".join(link.evidence.split()),),
        dates=tuple(find_days(link.evidence)),
        numbers=tuple(find_numbers(link.evidence)),
        origin=origin,
    )


def _check(knowledge: Knowledge, prose: str, link: Link) -> None:
    if link.metric not in [metric.id for metric in knowledge.metrics]:
        raise KnowledgeError(f"there is no metric `{link.metric}`", fix="name a metric by its id")
    for item in link.dimensions:
        if item.dimension not in [dimension.id for dimension in knowledge.dimensions]:
            raise KnowledgeError(
                f"there is no dimension `{item.dimension}`", fix="name a dimension by its id"
            )
    if not link.evidence.strip() or _plain(link.evidence) not in _plain(prose):
        raise KnowledgeError("the document does not say what is given as evidence", fix="quote it verbatim")


def _plain(text: str) -> str:
    """Return a text without Markdown's marks, which models leave out when they quote."""
    return " ".join(text.replace("*", "").replace(">", " ").split()).casefold()


def _schema() -> ResponseSchema:
    text, texts = JSONSchema(type="string"), JSONSchema(type="array", items=JSONSchema(type="object"))
    properties = {
        "kind": text,
        "effective_from": text,
        "effective_to": text,
        "links": texts,
        "operations": texts,
    }
    schema = JSONSchema(type="object", properties=properties, required=["kind", "links", "operations"])
    return ResponseSchema(name="links", json_schema=schema)
