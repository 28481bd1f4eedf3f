"""Read a folder of `.asc` files, one table a file, as the bank of PKDD'99 was published."""

import io
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.csv

from warebench.bounds import read_whole
from warebench.catalog.model import Catalog, Column, Table
from warebench.catalog.validate import validate
from warebench.engine.readers.files import find_files
from warebench.engine.readers.model import Cells, Reading, Remark, Wanted, select_tables
from warebench.errors import SourceError

SUFFIX = ".asc"
NOTHING = ("", " ", "?")
"""How the files write that there is no value."""


def read(source: Path, wanted: Wanted) -> Reading:
    """Return the tables of a folder of `.asc` files in the order of their names, every cell as text.

    Cells are separated by semicolons; the first line names the columns. Empty, blank and `?` cells are null.
    A last line that is torn is left out, and a remark says so.

    Args:
        source: The folder.
        wanted: Name, tables, rows.

    Raises:
        SourceError: No such file, or one that cannot be read.
        CatalogError: Two columns of a file have one name.
    """
    files, odd = find_files(source, SUFFIX)
    outline = Catalog(
        name=wanted.name or source.resolve().name,
        tables=tuple(Table(name=name) for name in files),
        source=f"ASC files of {source.resolve().name}",
    )
    given = select_tables(outline, wanted, str(source))
    found: dict[str, pa.Table] = {}
    remarks: list[Remark] = [*odd]
    cut: set[str] = set()
    for name in given.table_names:
        raw = _read_file(files[name])
        whole = _mend(raw)
        if len(whole) < len(raw):
            remarks.append(Remark(table=name, what="the last line is torn and was left out"))
        rows = _parse(whole, files[name].name)
        if wanted.max_rows is not None and rows.num_rows > wanted.max_rows:
            cut.add(name)
        found[name] = rows.slice(0, wanted.max_rows)
    tables = tuple(
        Table(name=name, columns=tuple(Column(name=column, type="VARCHAR") for column in rows.column_names))
        for name, rows in found.items()
    )
    catalog = validate(msgspec.structs.replace(given, tables=tables), where=str(source))
    columns = {name: [Cells(values=values) for values in rows.columns] for name, rows in found.items()}
    return Reading(catalog=catalog, columns=columns, cut=frozenset(cut), remarks=tuple(remarks))


def _read_file(path: Path) -> bytes:
    try:
        return read_whole(path, SourceError)
    except OSError as error:
        raise SourceError(
            f"cannot read the file: {error.strerror}", where=str(path), fix="get the right to read it"
        ) from error


def _mend(raw: bytes) -> bytes:
    """Return the file without a last line that has no end and lacks cells or a closing quote."""
    lines, end, last = raw.rpartition(b"\n")
    header = raw.partition(b"\n")[0]
    torn = last.count(b";") != header.count(b";") or last.count(b'"') % 2
    return lines + end if last and end and torn else raw


def _parse(raw: bytes, where: str) -> pa.Table:
    """Return the table with every cell as text."""
    header = raw.partition(b"\n")[0].decode("utf-8-sig", errors="replace")
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
