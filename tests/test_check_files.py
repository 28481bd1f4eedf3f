"""The check of file sizes and tracked text finds what it is there for."""

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    spec = importlib.util.spec_from_file_location("check_files", ROOT / "scripts" / "check_files.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "check_files", module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    return module


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(("lines", "faults"), [(400, 0), (401, 1)])
def test_long_file(check, tmp_path: Path, lines: int, faults: int) -> None:
    path = write(tmp_path, "long.py", "x = 1\n" * lines)
    assert len(list(check.size_faults(path))) == faults


def test_a_reason_helps_up_to_600_lines(check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(check.LONG_FILES, "long.py", "a table")
    assert list(check.size_faults(write(tmp_path, "long.py", "x = 1\n" * 600))) == []
    assert list(check.size_faults(write(tmp_path, "long.py", "x = 1\n" * 601))) != []


@pytest.mark.parametrize(("lines", "faults"), [(49, 0), (50, 1)])
def test_long_function(check, tmp_path: Path, lines: int, faults: int) -> None:
    text = 'def f():\n    """Not counted.\n\n    At all.\n    """\n' + "    x = 1\n" * lines
    assert len(list(check.size_faults(write(tmp_path, "f.py", text)))) == faults


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("see /ho" + "me/ann/data", 1),
        ("see /ro" + "ot/data", 1),
        ("pip install --index-" + "url=somewhere", 1),
        ("mount /tmp and /usr", 0),
        ("https://example.com/ro" + "ot/x", 0),
    ],
)
def test_text(check, tmp_path: Path, text: str, faults: int) -> None:
    assert len(list(check.text_faults(write(tmp_path, "a.md", text)))) == faults


def test_this_checkouts_path_and_the_index_of_pip(check, tmp_path: Path, monkeypatch) -> None:
    assert len(list(check.text_faults(write(tmp_path, "a.md", f"in {tmp_path}/x")))) == 1
    monkeypatch.setenv("PIP_INDEX_URL", "https://packages.internal.example/simple")
    check.here_only.cache_clear()
    path = write(tmp_path, "b.md", "from packages.internal.example")
    assert len(list(check.text_faults(path))) == 1
