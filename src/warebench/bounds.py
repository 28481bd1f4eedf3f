"""What a file from outside may cost: it is a file and not a device, and unpacks to a stated size at most."""

import os
import stat
from pathlib import Path
from typing import Final

from warebench.errors import UserError

VARIABLE: Final = "WAREBENCH_MAX_UNPACKED"
"""Environment variable: most gigabytes that one file may unpack to."""

GIGABYTES: Final = 2.0
"""What holds without it."""


def most_unpacked() -> int:
    """Return how many bytes one file may unpack to.

    Raises:
        UserError: The environment variable holds no number above 0.
    """
    said = os.environ.get(VARIABLE) or str(GIGABYTES)
    try:
        most = float(said)
        if not 0 < most < float("inf"):
            raise ValueError
    except ValueError as error:
        raise UserError(
            f"{VARIABLE} is no number of gigabytes: {said!r}", fix=f"export {VARIABLE}={GIGABYTES:g}"
        ) from error
    return int(most * 1e9)


def refuse_large(size: int, where: str | Path, raising: type[UserError] = UserError) -> None:
    """Refuse what would unpack to more than is allowed: a few kilobytes can mean all of the memory.

    Args:
        size: Bytes that it unpacks to.
        where: The file, for the error.
        raising: Kind of the error.

    Raises:
        UserError: It is more, of the kind given.
    """
    most = most_unpacked()
    if size > most:
        raise raising(
            f"it unpacks to {size / 1e9:,.1f} GB, more than the {most / 1e9:g} GB that are allowed",
            where=str(where),
            fix=f"if you trust where it comes from, raise the bound: export {VARIABLE}=GIGABYTES",
        )


def check_file(path: Path, raising: type[UserError] = UserError) -> None:
    """Refuse what could be read for ever, or is larger than is allowed, before it is opened.

    Args:
        path: A file, or a link to one.
        raising: Kind of the error.

    Raises:
        UserError: It is a pipe, a socket, a device or a folder, or too large; of the kind given.
        OSError: It is not there.
    """
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise raising(
            "this is a folder, a pipe, a socket or a device, not a file",
            where=str(path),
            fix="give the file itself",
        )
    refuse_large(found.st_size, path, raising)


def read_whole(path: Path, raising: type[UserError] = UserError) -> bytes:
    """Return the bytes of a file.

    Args:
        path: A file, or a link to one.
        raising: Kind of the error.

    Raises:
        UserError: `check_file` refuses it.
        OSError: It is not there or cannot be read.
    """
    check_file(path, raising)
    return path.read_bytes()
