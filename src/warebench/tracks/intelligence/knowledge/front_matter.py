"""Front matter of rule documents: YAML between two lines `---` at the top. It is truth: no model sees it."""

import re
from typing import Any

from warebench.errors import KnowledgeError
from warebench.tracks.intelligence.knowledge.yaml import parse_yaml

FENCE = re.compile(r"\A---[ \t]*\n(?P<yaml>.*?)^---[ \t]*(?:\n|\Z)\n*", re.DOTALL | re.MULTILINE)

OPENED = re.compile(r"\A---[ \t]*\n")


def split_front_matter(text: str, file: str) -> tuple[dict[str, Any], str]:
    """Return the front matter of a document, and its prose without it.

    Args:
        text: The document.
        file: Its path, for errors.

    Raises:
        KnowledgeError: The front matter is not YAML, no mapping, or has no end.
    """
    found = FENCE.match(text)
    if found is None:
        if OPENED.match(text):
            raise KnowledgeError(
                "the front matter has no end, and would be shown to models",
                where=file,
                fix="close it by a line `---`, or begin the document with another line",
            )
        return {}, text
    head = parse_yaml(found["yaml"], file)
    if head is not None and not isinstance(head, dict):
        raise KnowledgeError("the front matter is no mapping", where=file, fix="write `key: value` lines")
    return head or {}, text[found.end() :]
