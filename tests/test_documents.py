"""Commands in the documents: the command line takes every one of them, flags and settings included."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from warebench.cli import main

ROOT = Path(__file__).parents[1]
RUN_ELSEWHERE = "intelligence-walkthrough.md"
"""A test of its own runs every command of this page."""
PAGES = [
    page for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))) if page.name != RUN_ELSEWHERE
]
BLOCK = re.compile(r"```bash\n(.*?)```", re.DOTALL)


def commands(page: Path) -> Iterator[list[str]]:
    """Yield the words behind `warebench` of each command of a page."""
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        for line in block.replace("\\\n", " ").splitlines():
            if not line.startswith("warebench "):
                continue
            for part in shlex.join(shlex.split(line, comments=True)).split(" '&&' "):
                words = shlex.split(part)
                if words[:1] == ["warebench"]:
                    yield words[1:]


COMMANDS = [(page.name, *words) for page in PAGES for words in commands(page)]


def test_every_page_of_a_track_has_commands():
    assert {"README.md", "topology.md", "multitable.md", "budget.md", "intelligence.md"} <= {
        page for page, *_ in COMMANDS
    }
    assert len(COMMANDS) > 40


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command)[:90])
def test_a_command_is_taken(command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch):
    """Files that a command names need not be there."""
    monkeypatch.setattr(click.Path, "convert", lambda self, value, *_: self.coerce_path_result(str(value)))
    _, name, *words = command
    if name == "run":
        done = CliRunner().invoke(main, [name, *without_questions(words), "--dry-run"])
        assert done.exit_code == 0, done.output
    else:
        chosen = main.get_command(click.Context(main), name)
        assert chosen is not None
        chosen.make_context(name, words, parent=click.Context(main))


def without_questions(words: list[str]) -> list[str]:
    """Return a command without its sets, which a dry run would open."""
    places = [place for place, word in enumerate(words) if word == "--questions"]
    return [word for place, word in enumerate(words) if not {place, place - 1} & set(places)]
