"""Write docs/reference/cli.md from the commands' own help; with --check only say whether it is stale."""

import difflib
import sys
from pathlib import Path

import click

from warebench.cli.program import COMMANDS, main

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "cli.md"
WIDTH = 100

HEAD = """\
# Commands

Written by `make docs` from `--help`; do not edit.

| Exit code | Meaning |
|---|---|
| 0 | done |
| 1 | done, but with findings, errored samples, or a missed threshold |
| 2 | could not do it: a wrong flag or setting, an unreadable source, or a bug |
| 130 | interrupted |

Results go to stdout, talk and progress to stderr. Every flag can be set as `WAREBENCH_COMMAND_FLAG` in the
environment (`WAREBENCH_BUILD_SIZE=50`) and most in `warebench.toml` (`warebench init` writes one);
a flag wins over the environment, and that over the file.
"""


def page() -> str:
    """Return the page."""
    root = click.Context(main, info_name="warebench", max_content_width=WIDTH, terminal_width=WIDTH)
    parts = [HEAD, _section("warebench", main, root)]
    for name in COMMANDS:
        command = main.get_command(root, name)
        if command is None:
            raise LookupError(name)
        context = click.Context(command, info_name=name, parent=root, terminal_width=WIDTH)
        parts.append(_section(f"warebench {name}", command, context))
    return "\n".join(parts)


def _section(title: str, command: click.Command, context: click.Context) -> str:
    text = "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
    return f"## {title}\n\n```text\n{text}\n```\n"


def run() -> int:
    """Write or check the page; return the exit code."""
    new = page()
    if "--check" not in sys.argv:
        PAGE.parent.mkdir(parents=True, exist_ok=True)
        PAGE.write_text(new, encoding="utf-8")
        return 0
    old = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    if old == new:
        return 0
    print("docs/reference/cli.md is stale: run `make docs`")
    print("".join(difflib.unified_diff(old.splitlines(True), new.splitlines(True), "old", "new", n=0))[:2000])
    return 1


if __name__ == "__main__":
    sys.exit(run())
