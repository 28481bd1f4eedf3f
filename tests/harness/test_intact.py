"""Damage in the parts of a log is found; Inspect's own logs (zstd) are flipped in `test_logs.py`."""

import zipfile
from pathlib import Path

import pytest

from warebench.harness.intact import find_damage

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
