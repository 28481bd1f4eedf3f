"""Gold invariance on Spider's dev gold: under pool names, without prefixes and back at home."""

import sqlite3
from itertools import groupby

from tests.budget.spider import catalog, connect, database_file, executable, need_data
from tests.sql.labels_schema import run

from warebench.sql.namespace import (
    bare_names,
    build_pool,
    from_bare,
    invariant,
    read_prediction,
    to_bare,
    to_home,
    to_pool,
)


def test_gold_is_invariant():
    need_data()
    databases = sorted({example.database for example in executable()})
    catalogs = [catalog(database) for database in databases]
    pool, names = build_pool(catalogs), bare_names(catalogs)
    checked = 0
    for database, examples in groupby(executable(), key=lambda example: example.database):
        home = connect(database)
        attached = sqlite3.connect("file::memory:?cache=private", uri=True)
        attached.text_factory = home.text_factory
        address = f"{database_file(database).as_uri()}?mode=ro&immutable=1"
        attached.execute(f'ATTACH ? AS "{database}"', [address])
        for example in examples:
            rows = run(home, example.sql)
            gold = to_pool(example.sql, catalog(database), "sqlite")
            assert run(attached, gold) == rows
            assert invariant(rows, run(attached, gold))
            assert run(home, to_home(gold, database, "sqlite")) == rows
            back = from_bare(to_bare(gold, names, "sqlite"), names, "sqlite")
            assert run(attached, back) == rows
            for sql in (gold, back):
                read = read_prediction(sql, pool, "sqlite")
                assert (read.kind, read.databases) == ("query", (database,))
            checked += 1
        home.close()
        attached.close()
    assert checked == 972
