"""The two tools over the documents of a knowledge base, as a model sees them."""

import json
from dataclasses import asdict
from typing import Literal

from inspect_ai.tool import Tool, ToolDef
from inspect_ai.util import store

from warebench.errors import did_you_mean
from warebench.tracks.intelligence.methods.library import Library, find_document, search
from warebench.tracks.intelligence.methods.prompts import READ, READ_ARGUMENTS, SEARCH, SEARCH_ARGUMENTS

DOCUMENTS = "documents"
"""Store key: one entry a document that came back, `{"document", "how"}`."""

How = Literal["given", "found", "read"]
"""In the prompt, by title and passage, or whole."""

MOST_HITS = 10


def knowledge_tools(library: Library) -> list[Tool]:
    """Return `search_knowledge` and `read_document` over some documents."""

    async def search_knowledge(query: str, k: int = 5) -> str:
        hits = search(library, query, min(max(k, 1), MOST_HITS))
        for hit in hits:
            note(hit.document, "found")
        return json.dumps({"documents": [asdict(hit) for hit in hits]}, ensure_ascii=False)

    async def read_document(document: str) -> str:
        path = find_document(library, document)
        if path is None:
            hint = did_you_mean(document, library.documents)
            message = f"there is no one document `{document}`. {hint}".strip()
            return json.dumps({"error": message}, ensure_ascii=False)
        note(path, "read")
        return library.documents[path]

    return [
        ToolDef(
            search_knowledge, name="search_knowledge", description=SEARCH, parameters=SEARCH_ARGUMENTS
        ).as_tool(),
        ToolDef(read_document, name="read_document", description=READ, parameters=READ_ARGUMENTS).as_tool(),
    ]


def note(document: str, how: How) -> None:
    """Write down for the scorer that a document came back."""
    store().set(DOCUMENTS, [*store().get(DOCUMENTS, []), {"document": document, "how": how}])
