"""Damage in the parts of a log is found; Inspect's own logs (zstd) are flipped in `test_logs.py`."""

import os
import zipfile
from pathlib import Path

import pyarrow as pa
import pytest

from warebench.harness.intact import ZSTD, find_damage

TEXT = b'{"em": 1.0, "f1": 1.0}'


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_flipped_byte_is_found(tmp_path: Path, method: int) -> None:
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("a.json", TEXT)
    assert find_damage(path) == ""
    whole = bytearray(path.read_bytes())
    whole[30 + len("a.json") + 4] ^= 255
    path.write_bytes(whole)
    assert "a.json" in find_damage(path)


def test_what_is_no_zip_file_is_left_to_its_reader(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_bytes(TEXT)
    assert find_damage(path) == ""


def test_what_unpacks_to_too_much_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.json", b"0" * 1_000_000)
    assert find_damage(path) == ""
    monkeypatch.setenv("WAREBENCH_MAX_UNPACKED", "0.0005")
    monkeypatch.setattr(zipfile.ZipFile, "read", None)
    assert "WAREBENCH_MAX_UNPACKED" in find_damage(path)


def test_a_head_that_lies_about_the_size_is_found(tmp_path: Path) -> None:
    path = tmp_path / "log.eval"
    packed = pa.compress(b"0" * 1_000_000, codec="zstd", asbytes=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("a.json", packed)
    whole = bytearray(path.read_bytes())
    entry = whole.index(b"PK\x01\x02")
    whole[entry + 10 : entry + 12] = ZSTD.to_bytes(2, "little")
    whole[entry + 24 : entry + 28] = (10).to_bytes(4, "little")
    path.write_bytes(whole)
    assert "checksum of a.json" in find_damage(path)


def test_a_pipe_or_a_device_is_no_log(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.eval")
    (tmp_path / "zero.eval").symlink_to("/dev/zero")
    for name in ("pipe", "zero"):
        assert "a pipe, a socket or a device" in find_damage(tmp_path / f"{name}.eval")
