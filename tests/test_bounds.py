"""What a file from outside may cost."""

import os
from pathlib import Path

import pytest

from warebench.bounds import VARIABLE, most_unpacked, read_whole, refuse_large
from warebench.errors import SetError, UserError


def test_the_bound_is_raised_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert most_unpacked() == 2_000_000_000
    monkeypatch.setenv(VARIABLE, "0.5")
    assert most_unpacked() == 500_000_000


@pytest.mark.parametrize("said", ["much", "0", "-1", "nan", "inf"])
def test_no_number_is_refused(monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    monkeypatch.setenv(VARIABLE, said)
    with pytest.raises(UserError, match=VARIABLE):
        most_unpacked()


def test_the_bound_itself_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "0.000001")
    refuse_large(1000, "x")
    with pytest.raises(SetError, match=r"unpacks to .* more than the 1e-06 GB"):
        refuse_large(1001, "x", SetError)


def test_only_a_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    (tmp_path / "endless").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe")
    assert read_whole(tmp_path / "link") == b"12345"
    for name in ("endless", "pipe", "."):
        with pytest.raises(SetError, match="not a file"):
            read_whole(tmp_path / name, SetError)
    with pytest.raises(FileNotFoundError):
        read_whole(tmp_path / "missing")
    monkeypatch.setenv(VARIABLE, "0.000000001")
    with pytest.raises(UserError, match="unpacks to"):
        read_whole(tmp_path / "file")
