"""What a set holds beside questions: the knowledge base with its documents and graph, and how to read it."""

from collections.abc import Mapping

import msgspec

from warebench.catalog.model import Catalog
from warebench.errors import SetError
from warebench.questions.model import FileContent, Question, QuestionSet
from warebench.tracks.intelligence.analyses.model import Ask
from warebench.tracks.intelligence.artifacts.build import build_artifacts
from warebench.tracks.intelligence.artifacts.export import to_graphml, to_json, to_markdown
from warebench.tracks.intelligence.artifacts.picture import to_svg
from warebench.tracks.intelligence.knowledge.model import Fact, Knowledge
from warebench.tracks.intelligence.phrase.catalog import metric_page, page_path
from warebench.tracks.intelligence.phrase.dictionary import dictionary_page, dictionary_path

KNOWLEDGE, DOCUMENTS, ARTIFACTS = "knowledge", "documents", "artifacts"


def with_pages(knowledge: Knowledge, catalog: Catalog) -> Knowledge:
    """Return the knowledge base with the pages of its metric catalog and data dictionary among its documents.

    Raises:
        KnowledgeError: A metric is wrong.
    """
    pages = {page_path(metric): metric_page(knowledge, catalog, metric) for metric in knowledge.metrics}
    dictionary = {
        dictionary_path(dimension): dictionary_page(dimension)
        for dimension in knowledge.dimensions
        if dimension.kind != "temporal"
    }
    return msgspec.structs.replace(knowledge, documents={**knowledge.documents, **pages, **dictionary})


def knowledge_files(knowledge: Knowledge, catalog: Catalog) -> dict[str, FileContent]:
    """Return the files of a knowledge base in a set.

    Args:
        knowledge: With its pages.
        catalog: Its database's.
    """
    bare = msgspec.structs.replace(knowledge, documents={})
    graph = build_artifacts(knowledge, catalog)
    return {
        f"{KNOWLEDGE}/{knowledge.name}.json": msgspec.json.format(
            msgspec.json.encode(bare, order="deterministic"), indent=1
        ),
        **{
            f"{DOCUMENTS}/{knowledge.name}/{path}": text.encode()
            for path, text in knowledge.documents.items()
        },
        **{
            f"{ARTIFACTS}/{knowledge.name}.{ending}": write(graph).encode()
            for ending, write in (
                ("json", to_json),
                ("graphml", to_graphml),
                ("md", to_markdown),
                ("svg", to_svg),
            )
        },
    }


def stored_knowledge(question_set: QuestionSet, name: str) -> Knowledge:
    """Return a knowledge base of a set with all its documents, rules and catalog pages; truth included.

    Raises:
        SetError: The set has none of that name, or its file is torn.
    """
    try:
        bare = msgspec.json.decode(question_set.read_file(f"{KNOWLEDGE}/{name}.json"), type=Knowledge)
    except (KeyError, msgspec.DecodeError) as error:
        raise SetError(
            f"the set has no readable knowledge base `{name}`", where=str(error), fix="Build the set again."
        ) from error
    return msgspec.structs.replace(bare, documents=dict(stored_documents(question_set, name)))


def stored_documents(question_set: QuestionSet, name: str) -> Mapping[str, str]:
    """Return what a model may search of a knowledge base: path to Markdown."""
    start = f"{DOCUMENTS}/{name}/"
    return {
        path.removeprefix(start): question_set.read_file(path).decode()
        for path in question_set.files
        if path.startswith(start)
    }


def knowledge_name(question: Question) -> str:
    """Return the name of the knowledge base that a question is about."""
    return str(question.certificate.parameters["knowledge"])


def ask_of(question: Question) -> Ask | None:
    """Return what a question asks about rows; None for knowledge retrieval."""
    text = question.certificate.parameters.get("ask")
    return msgspec.json.decode(str(text), type=Ask) if text else None


def fact_of(question: Question) -> tuple[str, Fact] | None:
    """Return document and fact of a knowledge question; None for one over rows."""
    text = question.certificate.parameters.get("fact")
    if not text:
        return None
    return str(question.certificate.parameters["document"]), msgspec.json.decode(str(text), type=Fact)
