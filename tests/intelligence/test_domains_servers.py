"""The bundled domains on PostgreSQL and MariaDB: the same database comes back, and every metric the same."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache

import pytest
from sqlglot import exp
from tests.intelligence.servers import ask, load, open_schema

from warebench.engine.database import Database
from warebench.engine.load import read_database
from warebench.questions.store import encode_questions
from warebench.tracks.intelligence.build import Options, build
from warebench.tracks.intelligence.compute.dialects import to_dialect
from warebench.tracks.intelligence.compute.rewrite import apply_rules
from warebench.tracks.intelligence.compute.run import execute, open_database, same_values
from warebench.tracks.intelligence.compute.sql import base_sql
from warebench.tracks.intelligence.knowledge.links import find_metric, governing_rules
from warebench.tracks.intelligence.knowledge.read import read_knowledge
from warebench.tracks.intelligence.slice import Key, Slice
from warebench.tracks.intelligence.slicing import sliceable
from warebench.tracks.intelligence.sources import DOMAINS, Source, bundled_folder
from warebench.worlds import make_world

SEED, SCALE = 42, 0.01
KNOWLEDGE = {name: read_knowledge(bundled_folder(name)) for name in DOMAINS}
Finder = Callable[[str, Slice], tuple[exp.Select, dict[Key, float]]]
METRICS = [(name, metric.id) for name, base in KNOWLEDGE.items() for metric in base.metrics]


@cache
def twin(name: str) -> Database:
    return make_world(name, seed=SEED, scale=SCALE)


@pytest.fixture(scope="module")
def by_duckdb() -> Iterator[Finder]:
    """Yield what gives the query of a slice and its values in DuckDB, each found once."""
    with ExitStack() as stack:
        opened = {name: stack.enter_context(open_database(twin(name))) for name in DOMAINS}

        @cache
        def find(name: str, wanted: Slice) -> tuple[exp.Select, dict[Key, float]]:
            knowledge, catalog = KNOWLEDGE[name], twin(name).catalog
            tree = apply_rules(base_sql(knowledge, catalog, wanted), knowledge, catalog, wanted)
            return tree, execute(opened[name], to_dialect(tree))

        yield find


@pytest.fixture(scope="module", params=["mysql", "postgres"])
def servers(request):
    """Yield a dialect, and for each domain a connection to a server that holds its twin, with the address."""
    with ExitStack() as stack:
        found = {name: stack.enter_context(open_schema(request.param)) for name in DOMAINS}
        for name, (connection, _) in found.items():
            load(connection, twin(name))
        yield request.param, found


@pytest.mark.parametrize("name", DOMAINS)
def test_the_database_of_the_twin_comes_back(servers, name):
    _, found = servers
    _, database = Source(name, read_database(found[name][1])).read(SEED, 1.0)
    assert database.catalog.fingerprint == twin(name).catalog.fingerprint
    for table in database.catalog.tables:
        # A server keeps no order of its own.
        order = table.primary_key or [column.name for column in table.columns]
        expected = twin(name).tables[table.name].sort_by([(column, "ascending") for column in order])
        assert database.tables[table.name].equals(expected), table.name


def _bank(database: Database) -> bytes:
    options = Options(knowledge="banking", size=1, target=6, minimum=0)
    return encode_questions(build([database], options).questions)


@pytest.mark.parametrize("servers", ["postgres"], indirect=True)
def test_questions_are_those_of_the_twin(servers):
    """One server is enough: the other gives the same database, as the test above says."""
    _, found = servers
    assert _bank(read_database(found["banking"][1])) == _bank(twin("banking"))


@cache
def slices(name: str, metric: str) -> list[Slice]:
    """Return the whole, and groups by period, under no rule, each rule and all of them."""
    knowledge, catalog = KNOWLEDGE[name], twin(name).catalog
    governing = governing_rules(knowledge, metric)
    dimension = sliceable(knowledge, catalog, metric)[0].id
    grain = "quarter" if find_metric(knowledge, metric).time else ""
    whole = [Slice(metric=metric, rules=rules) for rules in ((), governing)]
    each = [(), *((rule,) for rule in governing)]
    return [*whole, *(Slice(metric=metric, group=(dimension,), grain=grain, rules=rules) for rules in each)]


@pytest.mark.parametrize(("name", "metric"), METRICS)
def test_every_metric_under_every_rule_is_that_of_duckdb(servers, by_duckdb, name, metric):
    dialect, found = servers
    for wanted in slices(name, metric):
        tree, expected = by_duckdb(name, wanted)
        assert expected or wanted.rules
        query = to_dialect(tree, dialect)
        assert same_values(ask(found[name][0], query), expected), f"{wanted}\n{query}"
