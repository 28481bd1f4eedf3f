"""Print what Spider's gold gives: labels, their second method, gold invariance, faults by code.

python scripts/budget_gold.py SPIDER_FOLDER [dev|train]
"""

import json
import sqlite3
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from warebench.catalog.model import Catalog, Column, Table
from warebench.sql.labels import Example, Labels, Unlabelled, coverage, disagreement, label, observe
from warebench.sql.lint import FAULTS, Code, lint
from warebench.sql.namespace import bare_names, from_bare, to_bare, to_home, to_pool

EXAMPLES = 3


def database_file(folder: Path, database: str) -> Path:
    return folder / "database" / database / f"{database}.sqlite"


def connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
    connection.text_factory = lambda raw: raw.decode(errors="replace")
    return connection


def run(connection: sqlite3.Connection, sql: str) -> list[tuple[Any, ...]] | str:
    try:
        return connection.execute(sql).fetchall()
    except (sqlite3.Error, sqlite3.Warning) as error:
        return str(error)


def read_tables(path: Path) -> Catalog:
    """Return tables and columns only: thirteen databases of Spider break their own foreign keys."""
    tables = []
    with closing(connect(path)) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            rows = connection.execute(f'PRAGMA table_info("{name}")').fetchall()
            columns = tuple(Column(name=row[1], type=row[2]) for row in rows)
            key = tuple(row[1] for row in sorted(rows, key=lambda row: int(row[5])) if row[5])
            tables.append(Table(name=name, database=path.stem, columns=columns, primary_key=key))
    return Catalog(name=path.stem, tables=tuple(tables))


def read_gold(folder: Path, part: str) -> Iterator[Example]:
    if part == "dev":
        for place, question in enumerate(json.loads((folder / "dev.json").read_text())):
            yield Example(str(place), question["db_id"], question["query"])
        return
    for place, line in enumerate((folder / f"{part}_gold.sql").read_text().splitlines()):
        sql, tab, database = line.rpartition("\t")
        if tab:
            yield Example(str(place), database.strip(), sql)


def print_labels(folder: Path, gold: list[Example], catalogs: dict[str, Catalog]) -> None:
    report = coverage(gold, catalogs)
    print(f"labelled: {report.examples - len(report.gaps)} of {report.examples} that run")
    for gap in report.gaps:
        print(f"  {gap.example}: {gap.why.reason} {gap.why.detail}")
    differ = 0
    for example in gold:
        labels: Labels | Unlabelled = label(example.sql, catalogs[example.database], "sqlite")
        seen = observe(database_file(folder, example.database), example.sql)
        differ += isinstance(labels, Unlabelled) or disagreement(labels, seen, example.sql) != ""
    print(f"labels that differ from what SQLite reads: {differ}")


def print_invariance(folder: Path, gold: list[Example], catalogs: dict[str, Catalog]) -> None:
    names, counts = bare_names(catalogs.values()), Counter[str]()
    for database in sorted({example.database for example in gold}):
        path = database_file(folder, database)
        with closing(connect(path)) as home, closing(sqlite3.connect("file:?mode=memory", uri=True)) as pool:
            pool.text_factory = home.text_factory
            pool.execute(f'ATTACH ? AS "{database}"', [f"{path.resolve().as_uri()}?mode=ro&immutable=1"])
            for sql in (example.sql for example in gold if example.database == database):
                rows, pooled = run(home, sql), to_pool(sql, catalogs[database], "sqlite")
                counts["pool"] += run(pool, pooled) == rows
                counts["home again"] += run(home, to_home(pooled, database, "sqlite")) == rows
                bare = from_bare(to_bare(pooled, names, "sqlite"), names, "sqlite")
                counts["without prefixes and back"] += run(pool, bare) == rows
    collide = sum(bare != pooled.table for pooled, bare in names.by_table.items())
    print(f"tables: {len(names.by_table)}, of these with a number in the unprefixed mode: {collide}")
    for way, same in counts.items():
        print(f"same rows in the same order, {way}: {same} of {len(gold)}")


def print_faults(folder: Path, gold: list[Example], catalogs: dict[str, Catalog]) -> None:
    found: defaultdict[Code, list[str]] = defaultdict(list)
    clean = 0
    for example in gold:
        with closing(connect(database_file(folder, example.database))) as connection:
            faults = lint(example.sql, catalogs[example.database], partial(run, connection), "sqlite")
        clean += not faults
        for code, detail in {fault.code: fault.detail for fault in faults}.items():
            found[code].append(f"{example.database}: `{example.sql}`: {detail}")
    print(f"without fault: {clean} of {len(gold)}\n\n| code | queries | meaning |\n|---|---|---|")
    for code in sorted(found, key=lambda code: -len(found[code])):
        print(f"| {code} | {len(found[code])} | {FAULTS[code]} |")
    for code, examples in found.items():
        texts = list(dict.fromkeys(examples))[:EXAMPLES]
        print("\n".join([f"\n{code}:", *(f"- {text}" for text in texts)]))


def main() -> None:
    folder, part = Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "dev"
    files = sorted(folder.glob("database/*/*.sqlite"))
    catalogs = {path.stem: read_tables(path) for path in files}
    asked = list(read_gold(folder, part))
    gold = []
    for example in (example for example in asked if example.database in catalogs):
        with closing(connect(database_file(folder, example.database))) as connection:
            gold += [example] if not isinstance(run(connection, example.sql), str) else []
    print(f"{part}: {len(asked)} queries, {len(gold)} run")
    print_labels(folder, gold, catalogs)
    print_invariance(folder, gold, catalogs)
    print_faults(folder, gold, catalogs)


if __name__ == "__main__":
    main()
