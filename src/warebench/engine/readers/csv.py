"""Read a folder of CSV files, one table a file, with the keys of a catalog JSON beside them."""

import re
from collections.abc import Sequence
from pathlib import Path

import duckdb
import msgspec

from warebench.catalog.model import Catalog, Column, Table
from warebench.catalog.read import read_catalog
from warebench.catalog.validate import validate
from warebench.engine.connect import MEMORY
from warebench.engine.database import quote
from warebench.engine.readers.files import find_files
from warebench.engine.readers.model import Cells, Reading, Wanted, select_tables
from warebench.errors import CatalogError, SourceError, did_you_mean

SUFFIX = ".csv"
KEYS = "catalog.json"
"""Optional file beside the CSV files: a catalog whose tables are named like them."""

CLOCK = r"\d\d:\d\d(:\d\d(\.\d{1,6})?)?"
DAY = r"\d{4}-\d\d-\d\d"
NUMBER = r"[+-]?(0|[1-9]\d*)"
SPELLINGS: dict[str, str] = {
    "BOOLEAN": r"(?i)true|false",
    "BIGINT": r"-?(0|[1-9]\d*)",
    "DOUBLE": rf"(?i){NUMBER}?(\.\d*)?(e[+-]?\d+)?|[+-]?(inf|infinity|nan)",
    "DATE": DAY,
    "TIMESTAMP": rf"{DAY}[ T]{CLOCK}",
    "TIME": CLOCK,
}
"""Types of the sniffer that are taken, and how every cell must be spelled: 007, +5 and 3/4/2020 stay text."""

READ = "read_csv(?, header=true, skip=0, sample_size=-1, allow_quoted_nulls=false, all_varchar={})"


def read(source: Path, wanted: Wanted) -> Reading:
    """Return the tables of a folder of CSV files in the order of their names.

    The first line of a file names the columns. Types are those of DuckDB's sniffer over the whole file, taken
    only where no digit is lost: numbers with leading zeros or more digits than a double keeps, and dates that
    are not ISO 8601, stay text. An empty cell is null, `""` is the empty text. Keys are unknown unless
    `catalog.json` lies in the folder.

    Args:
        source: The folder.
        wanted: Name, tables, rows.

    Raises:
        SourceError: No CSV file, or one that is empty, ragged, not UTF-8, or has no line of names.
        CatalogError: `catalog.json` names a table or column that no file has.
    """
    files, odd = find_files(source, SUFFIX)
    if not files:
        raise SourceError(
            "this folder holds no CSV file", where=str(source), fix=f"name files like x{SUFFIX}"
        )
    keys = _keys(source)
    given = select_tables(_outline(source, files, keys, wanted), wanted, str(source))
    connection = _connect(source)
    tables: list[Table] = []
    columns: dict[str, Sequence[Cells]] = {}
    cut: set[str] = set()
    for table in given.tables:
        names, columns[table.name], more = _read_file(connection, files[table.name], wanted.max_rows)
        tables.append(_describe(table, names, columns[table.name], source))
        if more:
            cut.add(table.name)
    connection.close()
    catalog = msgspec.structs.replace(given, tables=tuple(tables))
    return Reading(
        catalog=validate(catalog, where=str(source)), columns=columns, cut=frozenset(cut), remarks=odd
    )


def _keys(source: Path) -> Catalog | None:
    path = source / KEYS
    return read_catalog(path, reader="json") if path.exists() else None


def _outline(source: Path, files: dict[str, Path], keys: Catalog | None, wanted: Wanted) -> Catalog:
    """Return the catalog before the files are read: tables with the columns and keys that are known."""
    known = {table.name: table for table in keys.tables} if keys else {}
    for name in known:
        if name not in files:
            raise CatalogError(
                f"{KEYS} names table {name!r}, and there is no file {name}{SUFFIX}",
                where=str(source),
                fix=did_you_mean(name, files) or "add the file or remove the table",
            )
    return Catalog(
        name=wanted.name or (keys.name if keys else source.resolve().name),
        tables=tuple(known.get(name, Table(name=name)) for name in files),
        foreign_keys=keys.foreign_keys if keys else (),
        lineage=keys.lineage if keys else (),
        source=f"CSV files of {source.resolve().name}",
    )


def _describe(table: Table, names: Sequence[str], cells: Sequence[Cells], source: Path) -> Table:
    declared = [column.name for column in table.columns]
    if declared and declared != list(names):
        raise CatalogError(
            f"{KEYS} and the file differ in the columns of table {table.name!r}",
            where=f"{source}, file {table.name}{SUFFIX}: {', '.join(names)}",
            fix=f"write the same columns in the same order as {', '.join(declared)}",
        )
    columns = tuple(Column(name=name, type=cell.type) for name, cell in zip(names, cells, strict=True))
    return msgspec.structs.replace(table, columns=columns)


def _connect(source: Path) -> duckdb.DuckDBPyConnection:
    """Return a DuckDB that can read this folder and nothing else."""
    connection = duckdb.connect(":memory:", config={"memory_limit": MEMORY, "threads": 2})
    folder = str(source.absolute()).replace("'", "''")
    for setting in (
        f"allowed_directories = ['{folder}/']",
        "enable_external_access = false",
        "lock_configuration = true",
    ):
        connection.execute(f"SET {setting}")
    return connection


def _read_file(
    connection: duckdb.DuckDBPyConnection, path: Path, most: int | None
) -> tuple[list[str], list[Cells], bool]:
    """Return column names, cells, and whether there are more rows than were wanted."""
    _check(path)
    place = str(path.absolute())
    try:
        _check_form(connection, path)
        sniffed = connection.execute(f"DESCRIBE FROM {READ.format('false')}", [place]).fetchall()
        connection.execute(f"CREATE OR REPLACE TEMP TABLE raw AS FROM {READ.format('true')}", [place])
        ((count,),) = connection.execute("SELECT count(*) FROM raw").fetchall()
    except (duckdb.BinderException, duckdb.CatalogException, duckdb.ParserException):
        raise  # a statement of ours is wrong, whatever the file
    except duckdb.Error as error:
        raise SourceError(
            f"this file cannot be read as CSV: {_reason(error)}",
            where=path.name,
            fix="write it again as UTF-8, with as many cells in every line as in the first",
        ) from error
    names = [name for name, *_ in sniffed]
    chosen = [_choose(connection, name, kind) for name, kind, *_ in sniffed]
    casts = ", ".join(f"CAST({quote(n)} AS {kind})" for n, (kind, _) in zip(names, chosen, strict=True))
    limit = "" if most is None else f" LIMIT {most:d}"
    rows = connection.sql(f"SELECT {casts} FROM raw{limit}").to_arrow_table()  # noqa: S608 - quoted
    cells = [
        Cells(values=values, type=kind, remark=remark)
        for values, (kind, remark) in zip(rows.columns, chosen, strict=True)
    ]
    return names, cells, most is not None and count > most


def _check(path: Path) -> None:
    try:
        with path.open("rb") as file:
            if not file.read(1):
                raise SourceError("this file is empty", where=path.name, fix="write its line of column names")
    except OSError as error:
        raise SourceError(
            f"cannot read the file: {error.strerror}",
            where=str(path),
            fix="get the right to read it, or give another file",
        ) from error


def _check_form(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Refuse what the sniffer would pass over in silence: lines before the table, ragged lines, no names."""
    ((header, skipped, names, delimiter, quoted),) = connection.execute(
        "SELECT HasHeader, SkipRows, [c.name for c in Columns], Delimiter, Quote"
        " FROM sniff_csv(?, sample_size=-1)",
        [str(path.absolute())],
    ).fetchall()
    if skipped or not header:
        raise SourceError(
            "the first line does not name the columns of all lines",
            where=path.name,
            fix="begin the file with a line of column names, and give every line as many cells",
        )
    with path.open(encoding="utf-8-sig", newline="") as file:
        first = re.split(r"\r\n|\r|\n", file.readline())[0]
    written = [part.strip().strip(quoted if len(quoted) == 1 else '"') for part in first.split(delimiter)]
    distinct = {name.casefold() for name in written}
    if len(written) == len(names) and ("" in written or len(distinct) < len(written)):
        raise SourceError(
            "a column has no name, or two have the same but for case",
            where=path.name,
            fix="give every column its own name",
        )


def _choose(connection: duckdb.DuckDBPyConnection, name: str, kind: str) -> tuple[str, str]:
    """Return the type to read a column as, and the remark where that is not the sniffed one."""
    if kind == "VARCHAR":
        return kind, ""
    column = quote(name)
    if kind not in SPELLINGS:
        return "VARCHAR", f"{kind} read as text"
    test = f"regexp_full_match({column}, $pattern)"
    if kind == "DOUBLE":
        test += f" AND {_digits(column)} = {_digits(f'CAST(CAST({column} AS DOUBLE) AS VARCHAR)')}"
    statement = f"SELECT coalesce(bool_and({test}), true) FROM raw WHERE {column} IS NOT NULL"  # noqa: S608
    ((exact,),) = connection.execute(statement, {"pattern": SPELLINGS[kind]}).fetchall()
    return (kind, "") if exact else ("VARCHAR", f"{kind} read as text: not exact as it is spelled")


def _digits(text: str) -> str:
    """Return SQL for the significant digits of a number's text, which a double must give back."""
    mantissa = f"regexp_replace({text}, '(?i)e.*', '')"
    return f"trim(regexp_replace({mantissa}, '[^0-9]', '', 'g'), '0')"


def _reason(error: duckdb.Error) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " ".join(lines[:3])[:200]
