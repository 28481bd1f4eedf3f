"""The pooled namespace: names in and out of it, and what a prediction reads."""

import time

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warebench.catalog.model import Catalog, Table
from warebench.errors import BuildError
from warebench.sql.namespace import (
    PooledTable,
    bare_names,
    build_pool,
    from_bare,
    invariant,
    read_prediction,
    to_bare,
    to_home,
    to_pool,
)


def catalog(name: str, *tables: str) -> Catalog:
    return Catalog(name=name, tables=tuple(Table(name=table, database=name) for table in tables))


MUSIC = catalog("music", "Singer", "concert", "Stadium Hall")
SPORT = catalog("sport", "singer", "match", "concert_1", "concert")
POOL = build_pool([MUSIC, SPORT])
NAMES = bare_names([SPORT, MUSIC])

REWRITTEN = [
    # SQL, the same in the pool, the same without prefixes.
    (
        "SELECT singer.name FROM singer",
        'SELECT singer.name FROM "music"."Singer" AS "singer"',
        'SELECT singer.name FROM "Singer_1" AS "singer"',
    ),
    (
        "select T1.x from  SINGER  as T1 , [stadium hall]-- note\n where 'singer' = T1.\"singer\" ;",
        'select T1.x from  "music"."Singer"  as T1 , "music"."Stadium Hall" AS "stadium hall"-- note\n'
        " where 'singer' = T1.\"singer\" ;",
        'select T1.x from  "Singer_1"  as T1 , "Stadium Hall" AS "stadium hall"-- note\n'
        " where 'singer' = T1.\"singer\" ;",
    ),
    (
        "SELECT 'ünï', main.concert.x FROM main.concert",
        'SELECT \'ünï\', concert.x FROM "music"."concert" AS "concert"',
        'SELECT \'ünï\', concert.x FROM "concert_2" AS "concert"',
    ),
    (
        "WITH singer AS (SELECT 1 AS x) SELECT x FROM singer, concert c",
        'WITH singer AS (SELECT 1 AS x) SELECT x FROM singer, "music"."concert" c',
        'WITH singer AS (SELECT 1 AS x) SELECT x FROM singer, "concert_2" c',
    ),
    ("SELECT 1", "SELECT 1", "SELECT 1"),
]


@pytest.mark.parametrize(("sql", "pooled", "bare"), REWRITTEN)
def test_into_the_pool_and_out_of_its_prefixes(sql, pooled, bare):
    assert to_pool(sql, MUSIC, "sqlite") == pooled
    assert to_bare(pooled, NAMES, "sqlite") == bare
    assert read_prediction(from_bare(bare, NAMES, "sqlite"), POOL, "sqlite") == read_prediction(
        pooled, POOL, "sqlite"
    )


@pytest.mark.parametrize(
    ("sql", "home"),
    [
        ('SELECT "music"."Singer".x FROM "music"."Singer"', 'SELECT "Singer".x FROM "Singer"'),
        ("SELECT s.x FROM MUSIC.singer s", 'SELECT s.x FROM "singer" s'),
        # The bare name would be the expression itself.
        (
            "WITH singer AS (SELECT * FROM music.singer) SELECT x FROM singer",
            'WITH singer AS (SELECT * FROM "main"."singer") SELECT x FROM singer',
        ),
        (
            "SELECT * FROM music.singer JOIN sport.match ON 1",
            'SELECT * FROM "singer" JOIN sport.match ON 1',
        ),
        ("SELECT sport.match.x FROM sport.match", "SELECT sport.match.x FROM sport.match"),
        ("SELECT music.singer.* FROM music.singer", 'SELECT singer.* FROM "singer"'),
        (
            "SELECT music.concert.x, sport.concert.x FROM music.concert, sport.concert",
            'SELECT concert.x, sport.concert.x FROM "concert", sport.concert',
        ),
        ("no query", "no query"),
    ],
)
def test_home_again(sql, home):
    assert to_home(sql, "music", "sqlite") == home


@pytest.mark.parametrize("sql", ["SELECT x FROM nowhere", "SELECT x FROM", "DROP TABLE Singer"])
def test_gold_that_cannot_be_rewritten_is_refused(sql):
    with pytest.raises(BuildError):
        to_pool(sql, MUSIC, "sqlite")


def test_gold_without_a_bare_name_is_refused():
    with pytest.raises(BuildError, match="no bare name"):
        to_bare('SELECT * FROM "music"."opera"', NAMES, "sqlite")


def test_bare_names():
    assert NAMES.by_table == {
        PooledTable("music", "Singer"): "Singer_1",
        PooledTable("sport", "singer"): "singer_2",
        PooledTable("music", "Stadium Hall"): "Stadium Hall",
        PooledTable("sport", "match"): "match",
        # The name concert_1 is taken.
        PooledTable("music", "concert"): "concert_2",
        PooledTable("sport", "concert"): "concert_3",
        PooledTable("sport", "concert_1"): "concert_1",
    }
    assert bare_names([MUSIC, SPORT]) == NAMES
    assert {bare.lower(): table for table, bare in NAMES.by_table.items()} == NAMES.by_name


names = st.sampled_from(["a", "A", "a_1", "a_2", "A_1", "b"])


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.dictionaries(st.sampled_from("uvwxyz"), st.lists(names, unique_by=str.lower, min_size=1)))
def test_bare_names_are_unique_and_complete(tables):
    found = bare_names([catalog(database, *held) for database, held in tables.items()])
    assert len(found.by_table) == len(found.by_name) == sum(map(len, tables.values()))
    alone = [name.lower() for held in tables.values() for name in held]
    for pooled, bare in found.by_table.items():
        assert (bare == pooled.table) == (alone.count(pooled.table.lower()) == 1)


PREDICTIONS = [
    ('SELECT x FROM "music"."Singer"', "query", ["music.Singer"], [], []),
    (
        "SELECT x FROM MUSIC.SINGER s JOIN sport.`match` m ON 1",
        "query",
        ["music.Singer", "sport.match"],
        [],
        [],
    ),
    ("SELECT 42", "query", [], [], []),
    ("WITH w AS (SELECT * FROM music.concert) SELECT * FROM w, W v", "query", ["music.concert"], [], []),
    (
        "SELECT (SELECT max(x) FROM sport.singer WHERE y IN (SELECT 1 FROM music.concert UNION SELECT 2))",
        "query",
        ["music.concert", "sport.singer"],
        [],
        [],
    ),
    ("SELECT value FROM music.Singer, json_each('[1]')", "query", ["music.Singer"], [], []),
    ("SELECT x FROM match", "unqualified", [], ["match"], []),
    ("SELECT x FROM match, music.Singer", "unqualified", ["music.Singer"], ["match"], []),
    ("SELECT x FROM match, Opera, music.opera", "unknown_table", [], ["match"], ["Opera", "music.opera"]),
    ("SELECT name FROM sqlite_master", "unknown_table", [], [], ["sqlite_master"]),
    ("SELECT x FROM music.other.Singer", "unknown_table", [], [], ["music.other.Singer"]),
    ("SELECT * FROM pragma_table_info('Singer')", "table_function", [], [], []),
    ("DELETE FROM music.Singer", "write", [], [], []),
    ("SELECT 1; DROP TABLE Singer", "several_statements", [], [], []),
    ("I would read music.Singer.", "not_a_query", [], [], []),
    ("", "unread", [], [], []),
    ("SELECT x FROM music.Singer WHERE x IN sport.match", "unread", [], [], []),
]


@pytest.mark.parametrize(("sql", "kind", "tables", "unqualified", "unknown"), PREDICTIONS)
def test_what_a_prediction_reads(sql, kind, tables, unqualified, unknown):
    read = read_prediction(sql, POOL, "sqlite")
    assert (read.kind, [".".join(table) for table in read.tables]) == (kind, tables)
    assert (list(read.unqualified), list(read.unknown)) == (unqualified, unknown)
    assert read.databases == tuple(sorted({table.split(".")[0] for table in tables}))


@pytest.mark.parametrize(
    ("sql", "kind", "databases"),
    [
        ("SELECT x FROM music.main.Singer", "query", ("music",)),
        ("FROM music.Singer", "query", ("music",)),
        ("WITH Singer AS (SELECT * FROM Singer) SELECT 1 FROM Singer", "unqualified", ()),
        ("SELECT * FROM read_csv('/etc/passwd')", "table_function", ()),
        ("SELECT * FROM '/etc/passwd'", "unknown_table", ()),
        ("SELECT * FROM query('SELECT 1')", "table_function", ()),
        ("SELECT * FROM range(3), unnest([1]) u(x), music.Singer", "query", ("music",)),
        ("COPY music.Singer TO 'x.csv'", "write", ()),
        ("SELECT * FROM music.Singer, LATERAL range(3) r(i), LATERAL (SELECT 1) x", "query", ("music",)),
        *(
            (f"SELECT * FROM music.Singer{place}", "table_function", ("music",))  # noqa: S608
            for call in (
                "query_table(['sport.match'])",
                "query('FROM sport.match')",
                "main.query('SELECT 1')",
            )
            for place in (
                f", LATERAL {call}",
                f" JOIN LATERAL {call} ON true",
                f" POSITIONAL JOIN {call}",
                f" WHERE EXISTS (FROM {call})",
                f", LATERAL (FROM {call})",
                f" LIMIT (SELECT count(*) FROM LATERAL {call})",  # noqa: S608
            )
        ),
        (
            "SELECT * FROM music.Singer, LATERAL enable_logging(storage='stdout')",
            "table_function",
            ("music",),
        ),
        ("SELECT * FROM music.Singer, histogram_values('sport.match', x)", "table_function", ("music",)),
        ("SELECT * FROM music.Singer, (DESCRIBE sport.match)", "table_function", ("music", "sport")),
    ],
)
def test_what_a_duckdb_prediction_reads(sql, kind, databases):
    read = read_prediction(sql, POOL, "duckdb")
    assert (read.kind, read.databases) == (kind, databases)


WORDS = [
    *["SELECT", "FROM", "WHERE", "WITH", "AS", "JOIN", "ON", "IN", "CASE", "a", "music.Singer", "1"],
    *["(", ")", ",", ".", ";", "*", "'", '"', "`", "[", "]", "--", "/*", "*/", "=", "$", "{"],
    *["😀", "\x00", "\\"],
]


@settings(max_examples=300, deadline=None, derandomize=True)
@given(words=st.lists(st.sampled_from(WORDS), max_size=30), dialect=st.sampled_from(["sqlite", "duckdb"]))
def test_no_text_raises(words, dialect):
    for text in (" ".join(words), "SELECT " + "".join(words)):
        read = read_prediction(text, POOL, dialect)
        assert read.kind == "query" or read.detail or read.unknown or read.unqualified or read.functions
        to_home(text, "music", dialect)
        from_bare(text, NAMES, dialect)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT " + "(" * 50_000,
        "SELECT 1 WHERE " + " AND ".join(["1 = 1"] * 5_000),
        "SELECT " + "-" * 3 + "(SELECT " * 2_000 + "1" + ")" * 2_000,
        " UNION ALL ".join(["SELECT 1 FROM music.Singer"] * 2_000),
    ],
)
def test_huge_text_does_not_raise(sql):
    assert read_prediction(sql, POOL, "sqlite").kind in ("query", "unread")


def test_a_field_is_no_column_of_a_database():
    sql = "SELECT singer.address.city, main.singer.x FROM singer"
    pooled = 'SELECT singer.address.city, singer.x FROM "music"."Singer" AS "singer"'
    assert to_pool(sql, MUSIC, "duckdb") == pooled


def test_pooled_gold_runs_in_duckdb(tmp_path):
    home = duckdb.connect(str(tmp_path / "shop.duckdb"))
    home.execute("CREATE TABLE orders (id INT, price DOUBLE); INSERT INTO orders VALUES (1, 0.1), (2, 0.2)")
    shop = catalog("shop", "orders")
    sql = (
        "WITH best AS (SELECT orders.id, price FROM orders QUALIFY rank() OVER (ORDER BY price DESC) = 1) "
        "SELECT best.id, (SELECT sum(orders.price) FROM main.orders) FROM best JOIN orders USING (id)"
    )
    rows = home.execute(sql).fetchall()
    pooled = to_pool(sql, shop, "duckdb")
    assert home.execute(to_home(pooled, "shop", "duckdb")).fetchall() == rows
    home.close()
    pool = duckdb.connect()
    pool.execute(f"ATTACH '{tmp_path}/shop.duckdb' AS shop (READ_ONLY)")
    assert invariant(rows, pool.execute(pooled).fetchall())
    assert read_prediction(pooled, build_pool([shop]), "duckdb").databases == ("shop",)
    pool.close()


@pytest.mark.parametrize(
    ("home", "pool", "same"),
    [
        ([(1, "a"), (2, None)], [(2, None), (1, "a")], True),
        ([(0.1 + 0.2,)], [(0.3,)], True),
        ([(float("nan"),)], [(float("nan"),)], True),
        ([], [], True),
        ([(1,)], [(1.0,)], False),
        ([(1,)], [("1",)], False),
        ([(1,), (1,)], [(1,)], False),
        ([(1, 2)], [(1,)], False),
        ([(0.3,)], [(0.3001,)], False),
        ("no such table", "no such table", False),
        ([(1,)], "no such table", False),
    ],
)
def test_invariant(home, pool, same):
    assert invariant(home, pool) is same


def test_a_hundred_thousand_tables():
    start = time.process_time()
    catalogs = [catalog(f"d{d}", *(f"t{d % 7}_{t}" for t in range(100))) for d in range(1000)]
    pool, names = build_pool(catalogs), bare_names(catalogs)
    built = time.process_time() - start
    assert len(pool.by_name) == len(names.by_name) == 100_000
    start = time.process_time()
    for _ in range(100):
        read = read_prediction(from_bare("SELECT * FROM d9.t2_5, t0_0_1", names, "sqlite"), pool, "sqlite")
    assert [".".join(table) for table in read.tables] == ["d0.t0_0", "d9.t2_5"]
    # A look-up that walked the pool would take a hundred times as long as the parser.
    assert time.process_time() - start < max(1.0, built)
