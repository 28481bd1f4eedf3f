"""Read the tables and keys of SQL scripts: one file, or every script of a folder together."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import get_args

from msgspec.structs import replace as replace_fields

from warebench.bounds import read_whole
from warebench.catalog.assemble import TableDraft, TableName, assemble
from warebench.catalog.model import Catalog, Column, LeftOut, LeftOutKind
from warebench.catalog.readers.ddl.elements import Definition
from warebench.catalog.readers.ddl.grammar import read_alter, read_create, read_drop
from warebench.catalog.readers.ddl.names import Tables, find_table, fold
from warebench.catalog.readers.ddl.partitions import Lost, is_part, join_parts, to_whole
from warebench.catalog.readers.ddl.parts import skip, table_name
from warebench.catalog.readers.ddl.statements import Statement, table_statements
from warebench.catalog.readers.ddl.tokens import Dialect, Script, detect_dialect, prepare, read_tokens
from warebench.errors import CatalogError, SourceError, did_you_mean

DIALECTS: tuple[Dialect, ...] = get_args(Dialect)
SUFFIXES = frozenset({".sql", ".ddl"})
ENCODINGS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


def read(source: Path, *, name: str = "", dialect: str | None = None) -> Catalog:
    """Return the tables that scripts create, with primary and foreign keys.

    Statements are read, not run: CREATE TABLE, ALTER TABLE ... ADD and DROP TABLE count, all others
    (data, views, indexes, procedures, triggers) are skipped. Temporary tables are left out. Partitions are
    one table with their parent: keys into them are keys into it, and those that they inherit are none.

    Args:
        source: A script, or a folder whose .sql and .ddl files are read together, in any order.
        name: Name of the catalog; the file's or folder's name when empty.
        dialect: A member of `DIALECTS`; found from the text when left out.

    Raises:
        SourceError: A script is missing, torn or not text, or holds a table or key that cannot be
            read; the error names the line.
        CatalogError: The scripts contradict themselves.
    """
    if dialect is not None and dialect not in DIALECTS:
        raise SourceError(f"unknown dialect {dialect!r}", fix=did_you_mean(dialect, DIALECTS))
    statements = [item for path in _files(source) for item in _statements(path, dialect)]
    tables, gone = _created(statements)
    changes = [read_alter(*item) for item in statements if item[0].verb == "alter"]
    whole, partial = join_parts(tables, changes, gone)
    if not tables:
        raise SourceError(
            "no table is created here, or every one is dropped again",
            where=str(source),
            fix="give scripts with CREATE TABLE statements",
        )
    _alter(tables, [change for change in changes if not is_part(change.name, tables, whole)], gone)
    drafts = [_draft(definition, tables, whole) for definition in tables.values()]
    where = f"SQL {'scripts of ' if source.is_dir() else 'script '}{source.name}"
    odd = sorted({script.name for _, script in statements if not script.is_utf8})
    where += f"; read as Windows-1252, as it is not UTF-8: {', '.join(odd)}" if odd else ""
    catalog = assemble(drafts, name=name or source.resolve().stem, source=where)
    misspelt = [_misspelt(*item) for item in statements if item[0].verb == "misspelt"]
    lost = [_left_out(*item, catalog) for item in (*misspelt, *partial)]
    return replace_fields(catalog, left_out=(*catalog.left_out, *lost))


def _files(source: Path) -> list[Path]:
    if not source.is_dir():
        return [source]
    files = sorted(path for path in source.iterdir() if path.suffix.lower() in SUFFIXES and path.is_file())
    if not files:
        raise SourceError(
            "this folder holds no SQL script", where=str(source), fix="name the file, or add .sql files"
        )
    return files


def _statements(path: Path, dialect: str | None) -> list[tuple[Statement, Script]]:
    text, is_utf8 = _text(path)
    chosen = next((known for known in DIALECTS if known == dialect), None) or detect_dialect(text)
    script = Script(prepare(text, chosen), path.name, is_utf8)
    return [(statement, script) for statement in table_statements(read_tokens(script, chosen))]


def _text(path: Path) -> tuple[str, bool]:
    """Return the text of a script, and whether it is UTF-8 or UTF-16; else it is read as Windows-1252."""
    try:
        content = read_whole(path, SourceError)
    except OSError as error:
        raise SourceError(
            f"cannot read the file: {error.strerror}",
            where=str(path),
            fix="get the right to read it, or give another file",
        ) from error
    encoding = next((known for mark, known in ENCODINGS if content.startswith(mark)), "utf-8-sig")
    try:
        text, is_unicode = content.decode(encoding), True
    except UnicodeDecodeError as error:
        try:
            text, is_unicode = content.decode("cp1252"), False
        except UnicodeDecodeError:
            line = content.count(b"\n", 0, error.start) + 1
            raise SourceError(
                f"this script is not {encoding.removesuffix('-sig').upper()} text",
                where=f"{path}, line {line}",
                fix="convert it to UTF-8, as with `iconv -t utf-8`",
            ) from error
    if "\x00" in text:
        raise SourceError("this file is binary, not a script", where=str(path), fix="give a SQL script")
    if not text.strip():
        raise SourceError("this script is empty", where=str(path), fix="give scripts with CREATE TABLE")
    return text, is_unicode


def _created(statements: Sequence[tuple[Statement, Script]]) -> tuple[Tables, set[TableName]]:
    """Run CREATE TABLE and DROP TABLE in order: what stands at the end, and what was ever dropped."""
    tables: Tables = {}
    gone: set[TableName] = set()
    for statement, script in statements:
        if statement.verb == "drop":
            for name in read_drop(statement, script):
                gone.add(fold(name))
                tables.pop(fold(name), None)
        elif statement.verb == "create" and not _is_temporary(statement):
            definition = read_create(statement, script)
            key = fold(definition.name)
            words = [token.word for token in statement.tokens[:3]]
            if key not in tables or "REPLACE" in statement.modifiers:
                tables[key] = definition
            elif words != ["IF", "NOT", "EXISTS"]:
                raise CatalogError(
                    f"table {'.'.join(filter(None, definition.name))!r} is created twice",
                    where=f"{definition.where}, and before in {tables[key].where}",
                    fix="remove one of the two",
                )
    return tables, gone


def _is_temporary(statement: Statement) -> bool:
    named_so = bool(statement.tokens) and statement.tokens[0].text.startswith("#")
    return named_so or not statement.modifiers.isdisjoint({"TEMP", "TEMPORARY", "VOLATILE"})


def _misspelt(statement: Statement, script: Script) -> Lost:
    """Return what a misspelt statement leaves out, and the tables that it names."""
    tokens = skip(skip(statement.tokens, "IF", "NOT", "EXISTS"), "IF", "EXISTS")
    behind = [tokens, *(tokens[n + 1 :] for n, token in enumerate(tokens) if token.word == "REFERENCES")]
    named = []
    for part in behind:
        with suppress(SourceError):
            named.append(table_name(part, script, statement.start)[0])
    words = " ".join(script.text[statement.start :].split()[:2])
    return "statement", script.at(statement.start), f"`{words}` is no statement", tuple(named)


def _left_out(what: str, where: str, why: str, touched: Sequence[TableName], catalog: Catalog) -> LeftOut:
    meant = {name.table.casefold() for name in touched}
    touches = [name for name in catalog.table_names if name.casefold().rpartition(".")[2] in meant]
    kind: LeftOutKind = "key" if what.startswith("foreign key") else "table"
    return LeftOut(kind=kind, what=what, where=where, why=why, touches=tuple(touches))


def _alter(tables: Tables, changes: Sequence[Definition], gone: Collection[TableName]) -> None:
    """Add to the tables what ALTER TABLE adds; it may stand in a script that is read earlier."""
    for change in changes:
        if not (change.columns or change.keys or change.primary_key or change.dropped):
            continue
        if fold(change.name) not in tables and fold(change.name) in gone:
            continue
        key = find_table(change.name, tables, change.where)
        tables[key] = _changed(tables[key], change)


def _changed(table: Definition, change: Definition) -> Definition:
    kept = tuple(key for key in table.keys if key.name == "" or key.name not in change.dropped)
    return replace(
        table,
        columns=(*table.columns, *change.columns),
        primary_key=change.primary_key or table.primary_key,
        keys=(*kept, *change.keys),
    )


def _draft(definition: Definition, tables: Tables, whole: Mapping[TableName, TableName]) -> TableDraft:
    inherited = [column for name in definition.copies for column in _columns_of(name, definition, tables)]
    own = {column.name for column in definition.columns}
    columns = (*(column for column in inherited if column.name not in own), *definition.columns)
    primary_key = definition.primary_key
    if not primary_key and definition.key_of is not None:
        primary_key = tables[find_table(definition.key_of, tables, definition.where)].primary_key
    key = {name.casefold() for name in primary_key}
    return TableDraft(
        name=definition.name,
        columns=tuple(
            Column(name=column.name, type=column.type, nullable=False)
            if column.name.casefold() in key
            else column
            for column in columns
        ),
        primary_key=primary_key,
        keys=tuple(to_whole(key, tables, whole) for key in definition.keys),
        where=definition.where,
    )


def _columns_of(name: TableName, copy: Definition, tables: Tables) -> tuple[Column, ...]:
    return tables[find_table(name, tables, copy.where)].columns
