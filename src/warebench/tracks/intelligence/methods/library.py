"""What a model may look things up in: the documents of a knowledge base, found by BM25 over their words."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bm25s import BM25
from bm25s.stopwords import STOPWORDS_EN

WORD = re.compile(r"[^\W_]+")
STOP_WORDS = frozenset(STOPWORDS_EN)
TITLE = 3
"""Times that a title counts: a document that many others refer to is still found by its name."""

PASSAGE = 600
"""Most characters of a passage: a paragraph or two, never a whole rule document."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that a search found."""

    document: str
    title: str
    passage: str
    """The paragraph that holds most of the words searched for."""


@dataclass(frozen=True, slots=True)
class Library:
    """Documents by path, and their index."""

    documents: Mapping[str, str]
    index: BM25


def open_library(documents: Mapping[str, str]) -> Library:
    """Return the library of some documents: BM25 with k1 1.5, b 0.75, Lucene's idf; titles count TITLE times.

    Args:
        documents: Path to Markdown.

    Source: Robertson and Zaragoza, The Probabilistic Relevance Framework (2009); bm25s (Lu, arXiv
    2407.03618).
    """
    index = BM25()
    texts = [[*words(title(text)) * TITLE, *words(text)] for text in documents.values()]
    index.index(texts, show_progress=False)
    return Library(documents, index)


def search(library: Library, query: str, count: int) -> list[Hit]:
    """Return the documents that fit a query best; fewer where fewer share a word with it.

    Args:
        library: The documents.
        query: Words.
        count: Most documents.
    """
    asked = [word for word in dict.fromkeys(words(query)) if word in library.index.vocab_dict]
    if not asked:
        return []
    scores = library.index.get_scores(asked).tolist()
    ranked = sorted(zip(scores, library.documents, strict=True), key=lambda pair: (-pair[0], pair[1]))
    return [_hit(path, library.documents[path], asked) for score, path in ranked[:count] if score > 0]


def find_document(library: Library, name: str) -> str | None:
    """Return the path of a document by its path, or by a part of it that no other has, such as `BR-07`."""
    if name in library.documents:
        return name
    part = name.strip().casefold().removesuffix(".md")
    found = [path for path in library.documents if part and part in path.casefold()]
    return found[0] if len(found) == 1 else None


def title(text: str) -> str:
    """Return a document's first line, without the marks of a heading."""
    return text.partition("\n")[0].lstrip("# ").strip()


def words(text: str) -> list[str]:
    """Return the words of a text in small letters, without stop words and without the s of a plural."""
    found = (word.casefold() for word in WORD.findall(text))
    return [_singular(word) for word in found if word not in STOP_WORDS]


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us")) else word


def _hit(path: str, text: str, asked: Sequence[str]) -> Hit:
    paragraphs = [part.strip() for part in text.split("\n\n")[1:] if part.strip()] or [text]
    best = max(paragraphs, key=lambda part: len(set(asked) & set(words(part))))
    return Hit(path, title(text), best if len(best) <= PASSAGE else f"{best[:PASSAGE]} [...]")
