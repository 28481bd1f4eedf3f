"""A database that has everything wrong is asked about, or refused with the reason."""

import random
from datetime import date, timedelta
from decimal import Decimal

import pyarrow as pa
import pytest
from tests.multitable.sampling_shops import key

from warebench.catalog.model import Catalog, Column, Table
from warebench.engine.database import Database
from warebench.errors import BuildError
from warebench.questions.check import check_questions
from warebench.questions.store import read_questions, write_questions
from warebench.tracks.multitable.build import Options, build
from warebench.tracks.multitable.certify import prove_set
from warebench.tracks.multitable.serialise import serialise

ONE = Options(windows=("8K",), instances=2)
CHILD, PARENT, EMPTY, LOOSE = "order by|1", "select", "empty", "no key at all"
ROWS, PARENTS = 400, 12
HUGE = "word " * 40_000


def nasty(*, keys: bool = True, rows: int = ROWS, huge: str = HUGE) -> Database:
    """Return reserved words, pipes and blanks as names; pipes, line ends, blobs and a huge text as cells."""
    rng = random.Random(3)  # noqa: S311
    tables = {
        PARENT: pa.table(
            {
                "from": list(range(PARENTS)),
                "a b|c\\": [f"Label {letter}" for letter in "abcdefghijkl"],
                "blob": [bytes([number, 10, 124]) for number in range(PARENTS)],
            }
        ),
        CHILD: pa.table(
            {
                "where": list(range(rows)),
                "to|": [rng.randrange(PARENTS) for _ in range(rows)],
                "price": pa.array(
                    [Decimal(rng.randrange(100, 9_999)) / 100 for _ in range(rows)], pa.decimal128(8, 2)
                ),
                "weight": [rng.randrange(40, 900) / 4 for _ in range(rows)],
                "small": pa.array([rng.randrange(-128, 128) for _ in range(rows)], pa.int8()),
                "day": [date(2024, 1, 1) + timedelta(days=rng.randrange(90)) for _ in range(rows)],
                "note": [huge, *(f"x | {rng.randrange(9)}\nnext \\ line" for _ in range(rows - 1))],
                "nothing": pa.nulls(rows),
            }
        ),
        EMPTY: pa.table({"id": pa.array([], pa.int64()), "text": pa.array([], pa.string())}),
        LOOSE: pa.table({"value": [1, 1, 2], "text": ["same", "same", None]}),
    }
    primary = {PARENT: ("from",), CHILD: ("where",)} if keys else {}
    specs = tuple(
        Table(
            name=name,
            columns=tuple(Column(name=column) for column in table.column_names),
            primary_key=primary.get(name, ()),
        )
        for name, table in tables.items()
    )
    foreign = (key(f"{CHILD}(to|) -> {PARENT}(from)"),) if keys else ()
    return Database(catalog=Catalog(name="nasty", tables=specs, foreign_keys=foreign), tables=tables)


def test_everything_at_once_is_asked_about_and_proved(tmp_path):
    made = build([nasty()], ONE)
    # nothing of its names says what its numbers measure
    assert {item.subtype for item in made.manifest.shortfalls} <= {"SUM", "AVG", "COR"}
    assert {item.subtype for item in made.questions} >= {"EL", "TS", "CNT", "CC"}
    assert len(made.questions) > 20
    write_questions(made, tmp_path)
    read = read_questions(tmp_path)
    assert read.questions == made.questions
    assert [item.code for item in check_questions(read, prove_set)] == ["WB014"]  # the long cells
    for database in read.databases.values():
        assert database.tables[EMPTY].num_rows == 0
        assert "note" not in database.tables[CHILD].column_names
        lines = serialise(database, "markdown").splitlines()
        tables = [line for line in lines if line.startswith("|")]
        assert len(tables) == database.rows + 2 * len(database.tables)


REFUSED = [
    (nasty(keys=False), "nothing can be asked", "the catalog declares no foreign keys"),
    (nasty(rows=20, huge="short"), "samples cannot be made", "all rows that can be drawn make"),
    (
        Database(catalog=Catalog(name="none", tables=()), tables={}),
        "samples cannot be made",
        "all rows that can be drawn make 0 tokens",
    ),
]


@pytest.mark.parametrize(("database", "what", "why"), REFUSED)
def test_what_cannot_be_asked_about_is_refused_with_the_reason(database, what, why):
    with pytest.raises(BuildError) as caught:
        build([database], ONE)
    assert what in caught.value.what
    assert why in str(caught.value)


def test_a_window_no_sample_can_hit_names_every_instance():
    database = nasty(rows=60, huge="short")
    tables = dict(database.tables)
    notes = pa.array(["word " * 6_500] * 60)
    tables[CHILD] = tables[CHILD].set_column(6, "note", notes)
    with pytest.raises(BuildError, match=r"2 of 2 samples cannot be made.*instances 0, 1"):
        build([Database(catalog=database.catalog, tables=tables)], ONE)


def test_two_sources_of_one_name_are_refused():
    with pytest.raises(BuildError, match="2 sources are named `nasty`"):
        build([nasty(), nasty(rows=300)], ONE)


@pytest.mark.parametrize(
    ("options", "words"),
    [(Options(databases=("movie",)), "`databases` is about"), (Options(mess=True), "`mess` is about")],
)
def test_options_of_the_bundled_databases_are_refused_beside_sources(options, words):
    with pytest.raises(BuildError, match=words):
        build([nasty()], options)
