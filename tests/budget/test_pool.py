"""Gold at home and in the pool: a name without its database finds the wrong table there."""

from pathlib import Path

import pytest
from tests.budget.pools import duckdb_pool, write_spider

from warebench.engine.collection import Collection, read_collection
from warebench.engine.run import Failure, Rows
from warebench.errors import SetError
from warebench.questions.assemble import assemble
from warebench.tracks.budget.pool import find_dialect, open_pool


@pytest.fixture(scope="module", params=["sqlite", "duckdb"])
def collection(request, tmp_path_factory: pytest.TempPathFactory) -> Collection:
    if request.param == "duckdb":
        return duckdb_pool()
    return read_collection(f"spider:{write_spider(tmp_path_factory.mktemp('s'), bad=False)}")


COUNT = "SELECT count(*) FROM "
SHARED = {"sqlite": ("school", "course", 2, 3), "duckdb": ("shop", "customers", 6, 2)}
"""A database, a table that another one has too, and how many rows it has here and there."""


def test_home_and_pool(collection):
    database, table, here, there = SHARED[collection.dialect]
    with open_pool(collection, 5) as pool:
        counts = [
            pool.run_home(database, COUNT + table),
            pool.run_pooled(database, f"{COUNT}{database}.{table}"),
            pool.run_pooled(database, COUNT + table),
        ]
    assert [found.rows[0][0] for found in counts if isinstance(found, Rows)] == [here, here, there]


def test_other_databases_cannot_be_read_at_home(collection):
    database, table, _, _ = SHARED[collection.dialect]
    with open_pool(collection, 5) as pool:
        other = pool.decoys(database)[0]
        assert isinstance(pool.run_home(database, f"{COUNT}{other}.{table}"), Failure)


def test_written_files_go_away():
    with open_pool(duckdb_pool(), 5) as pool:
        files = list(pool.files.values())
        assert all(path.is_file() for path in files)
    assert not any(path.exists() for path in files)


def test_dialect_of_a_set():
    def made(**parameters):
        return assemble(
            track="budget", profile="default", seed=1, parameters=parameters, catalogs=(), questions=()
        )

    assert find_dialect(made(dialect="duckdb")) == "duckdb"
    with pytest.raises(SetError, match="no dialect"):
        find_dialect(made(dialect="duckbd"))
    with pytest.raises(SetError, match="no dialect"):
        find_dialect(made())


def test_paths_are_those_of_the_source(tmp_path: Path):
    collection = read_collection(f"spider:{write_spider(tmp_path, bad=False)}")
    with open_pool(collection, 5) as pool:
        assert pool.files["school"] == tmp_path / "database/school/school.sqlite"
