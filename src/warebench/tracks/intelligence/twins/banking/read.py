"""Read the real bank: the eight published .asc files."""

import io
from pathlib import Path

import pyarrow as pa
import pyarrow.csv

from warebench.engine.database import Database
from warebench.engine.readers.model import Remark
from warebench.errors import SourceError
from warebench.tracks.intelligence.twins.banking.schema import BANKING
from warebench.tracks.intelligence.twins.conform import conform

SUFFIX = ".asc"
NOTHING = ("", " ", "?")
"""How the files write that there is no value."""


def read_banking(path: str | Path) -> Database:
    """Return the real Berka data under the catalog of the twin.

    Empty, blank and `?` cells become null. A last line that is torn is left out, and `source` of the catalog
    says so.

    Args:
        path: The folder of the .asc files.

    Raises:
        SourceError: A file or column is missing or unreadable.
    """
    folder = Path(path)
    tables: dict[str, pa.Table] = {}
    remarks: list[str] = []
    for name in BANKING.table_names:
        raw = _read_file(folder / f"{name}{SUFFIX}")
        whole = _mend(raw)
        if len(whole) < len(raw):
            remarks.append(str(Remark(table=name, what="the last line is torn and was left out")))
        tables[name] = _parse(whole, f"{name}{SUFFIX}")
    return conform(tables, BANKING, f"Berka files of {folder.resolve().name}", remarks)


def _read_file(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SourceError(
            f"cannot read the file: {error.strerror}",
            where=str(path),
            fix="give the folder that holds account.asc, card.asc and the other six",
        ) from error


def _mend(raw: bytes) -> bytes:
    """Return the file without a last line that has no end and lacks cells or a closing quote."""
    lines, end, last = raw.rpartition(b"\n")
    header = raw.partition(b"\n")[0]
    torn = last.count(b";") != header.count(b";") or last.count(b'"') % 2
    return lines + end if last and end and torn else raw


def _parse(raw: bytes, where: str) -> pa.Table:
    """Return the table with every cell as text."""
    header = raw.partition(b"\n")[0].decode(errors="replace")
    names = [name.strip().strip('"') for name in header.split(";")]
    try:
        return pyarrow.csv.read_csv(
            io.BytesIO(raw),
            parse_options=pyarrow.csv.ParseOptions(delimiter=";"),
            convert_options=pyarrow.csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), null_values=NOTHING, strings_can_be_null=True
            ),
        )
    except pa.ArrowInvalid as error:
        raise SourceError(
            f"this file cannot be read: {str(error).splitlines()[0]}",
            where=where,
            fix="give the file as it was published, cells separated by semicolons",
        ) from error
