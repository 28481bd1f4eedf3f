"""Fail on long files, long functions, and addresses or paths of one machine in tracked files.

Run by `make check`; prints one line a fault and exits 1 when there is any.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
FILE_LINES, FILE_LINES_AT_ALL, FUNCTION_LINES = 400, 600, 50

LONG_FILES: dict[str, str] = {}
"""Files that may exceed FILE_LINES, each with the reason; none may exceed FILE_LINES_AT_ALL."""

_HOMES, _ROOTS = ("home", "Users"), ("root",)
_INDEX = ("index", "extra-index")
MACHINE = re.compile(
    rf"/(?:{'|'.join(_HOMES)})/\w|(?<![\w.])/(?:{'|'.join(_ROOTS)})/"
    rf"|\b(?:{'|'.join(_INDEX)})-url\b|--find-{'links'}\b"
)
"""Paths and settings that hold on one machine only."""


def main() -> int:
    """Print every fault; return the exit code."""
    files = [path for path in tracked() if path.is_file()]
    faults = [fault for path in files for fault in (*size_faults(path), *text_faults(path))]
    print("\n".join(faults) if faults else f"{len(files)} files are short enough and name no machine")
    return int(bool(faults))


def tracked() -> list[Path]:
    """Return the files git tracks or would track."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603
    return [ROOT / name for name in sorted(set(listing.split("\0"))) if name]


def size_faults(path: Path) -> Iterator[str]:
    """Yield what is too long in a Python file."""
    if path.suffix != ".py":
        return
    text = path.read_text(encoding="utf-8")
    name, lines = str(path.relative_to(ROOT)), text.count("\n")
    limit = FILE_LINES_AT_ALL if name in LONG_FILES else FILE_LINES
    if lines > limit:
        yield f"{name}: {lines} lines, more than {limit}"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = body_lines(node)
            if length > FUNCTION_LINES:
                yield f"{name}:{node.lineno}: {node.name} has {length} lines, more than {FUNCTION_LINES}"


def body_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the lines of a function without its decorators and docstring."""
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    if ast.get_docstring(node) is None:
        return lines
    docstring = node.body[0]
    return lines - ((docstring.end_lineno or docstring.lineno) - docstring.lineno + 1)


def text_faults(path: Path) -> Iterator[str]:
    """Yield lines that name a machine, a folder of it, or the package index it uses."""
    if path == Path(__file__).resolve():
        return
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        return
    for number, line in enumerate(lines, 1):
        if MACHINE.search(line) or any(word in line for word in here_only()):
            yield f"{path.relative_to(ROOT)}:{number}: names this machine or its index: {line.strip()[:80]}"


@cache
def here_only() -> list[str]:
    """Return words that are true on this machine only: its folders and its package index."""
    folders = [str(ROOT), str(Path.home())]
    listing = [sys.executable, "-m", "pip", "config", "list"]
    settings = subprocess.run(listing, check=False, capture_output=True, text=True).stdout  # noqa: S603
    words = [_place(word) for word in re.findall(r"[^\s'\"=]+", settings)]
    # A short name such as localhost or / would be found in honest text.
    return sorted({word for word in (*folders, *words) if len(word) > 6 and word not in PUBLIC})


def _place(word: str) -> str:
    """Return the host or folder a setting of pip names, if any."""
    if "://" in word:
        address = urlsplit(word)
        return address.hostname or address.path
    return word if word.startswith("/") and not word.startswith("/etc/") else ""


PUBLIC = {"localhost", "127.0.0.1"}

if __name__ == "__main__":
    sys.exit(main())
