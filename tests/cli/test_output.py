"""Tables of text."""

from pathlib import Path

import click
import pytest

from warebench.cli.output import NO_COLOR, table, wants_color, write_text
from warebench.errors import UserError


def test_numbers_right_words_left() -> None:
    assert table(("name", "n"), [("a", 5), ("long one", 12)]) == (
        "name       n\n--------  --\na          5\nlong one  12"
    )


def test_no_rows() -> None:
    assert table(("name", "n"), []) == "name  n\n----  -"


def test_nothing_is_cut_off() -> None:
    assert "x" * 500 in table(("a",), [("x" * 500,)])


def test_a_text_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "a" / "out.txt"
    write_text(target, "old")
    link = tmp_path / "link.txt"
    link.symlink_to(target)
    write_text(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"

    def full(path: Path, text: str, **_: object) -> None:
        path.write_bytes(text[:1].encode())
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(UserError, match="No space left"):
        write_text(target, "newer")
    assert target.read_bytes() == b"new"
    assert [path.name for path in target.parent.iterdir()] == ["out.txt"]


def test_a_device_stays_one() -> None:
    write_text(Path("/dev/null"), "gone")
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize(("value", "wanted"), [("1", False), ("", True)])
def test_no_color_is_heard(monkeypatch: pytest.MonkeyPatch, value: str, wanted: bool) -> None:
    monkeypatch.setenv("NO_COLOR", value)
    assert wants_color() is wanted


def test_the_flag_is_heard() -> None:
    with click.Context(click.Command("any")) as context:
        context.meta[NO_COLOR] = True
        assert not wants_color()
