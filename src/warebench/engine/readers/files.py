"""The files of a folder that are tables, one each."""

from pathlib import Path

from warebench.engine.readers.model import Remark


def find_files(source: Path, suffix: str) -> tuple[dict[str, Path], tuple[Remark, ...]]:
    """Return the files of a suffix by their names without it, and a remark on each that is no file.

    To open a pipe waits for ever, and a device may have no end.

    Args:
        source: The folder.
        suffix: In lower case, with its dot.
    """
    paths = [path for path in sorted(source.iterdir()) if path.suffix.lower() == suffix]
    odd = [path for path in paths if path.exists() and not path.is_file()]
    remarks = tuple(
        Remark(table=path.stem, what="left out, it is a folder, a pipe or a device") for path in odd
    )
    return {path.stem: path for path in paths if path not in odd}, remarks
