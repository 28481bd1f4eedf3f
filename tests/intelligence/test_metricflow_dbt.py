"""A manifest that dbt wrote, and the values that MetricFlow printed: the reader's metrics have the same.

`semantic_manifest.json` is the whole of what dbt-core 1.12.6 wrote for a project over the small Chinook
(its time spine left out), `mf_query.json` what `mf query --csv` of dbt-metricflow 0.15.0 (metricflow 0.213.0)
printed on it: metric, then what it is grouped by, then group to value.
"""

import json
import sqlite3
from pathlib import Path

import pytest
from tests.intelligence.chinook import write_chinook

from warebench.engine.database import Database
from warebench.engine.load import read_database
from warebench.tracks.intelligence.compute.run import find_values, open_database
from warebench.tracks.intelligence.knowledge.check import check_knowledge
from warebench.tracks.intelligence.knowledge.check_data import check_data
from warebench.tracks.intelligence.knowledge.model import Knowledge
from warebench.tracks.intelligence.readers.metricflow import read_metricflow
from warebench.tracks.intelligence.readers.model import Reading
from warebench.tracks.intelligence.slice import Slice

FIXTURES = Path(__file__).parents[1] / "fixtures" / "intelligence" / "dbt"
PRINTED: dict[str, dict[str, dict[str, float]]] = json.loads((FIXTURES / "mf_query.json").read_text())

MODELS = """
CREATE TABLE invoices (invoice_id INTEGER, customer_id INTEGER, invoiced_at DATETIME, billing_country TEXT);
INSERT INTO invoices SELECT InvoiceId, CustomerId, InvoiceDate, BillingCountry FROM Invoice;
CREATE TABLE invoice_lines (line_id INTEGER, invoice_id INTEGER, track_id INTEGER, unit_price NUMERIC(10,2),
  quantity INTEGER, invoiced_at DATETIME);
INSERT INTO invoice_lines SELECT InvoiceLineId, InvoiceId, TrackId, UnitPrice, Quantity, InvoiceDate
  FROM InvoiceLine JOIN Invoice USING (InvoiceId);
CREATE TABLE customers (customer_id INTEGER, country TEXT);
INSERT INTO customers SELECT CustomerId, Country FROM Customer;
CREATE TABLE tracks (track_id INTEGER, genre TEXT);
INSERT INTO tracks SELECT TrackId, g.Name FROM Track LEFT JOIN Genre g USING (GenreId);
"""
"""The project's models."""

REFUSED = {
    "median_price": "median",
    "revenue_filled": "join_to_timespine",
    "loyal_revenue": "Metric() in a filter",
    "revenue_so_far": "cumulative",
    "revenue_30_days": "cumulative, window",
    "revenue_growth": "offset_window",
    "growth_percent": "made of revenue_growth",
    "line__is_dear": "computed expression",
}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Database:
    path = write_chinook(tmp_path_factory.mktemp("dbt") / "chinook.sqlite")
    with sqlite3.connect(path) as connection:
        connection.executescript(MODELS)
    connection.close()
    return read_database(path)


@pytest.fixture(scope="module")
def reading(database: Database) -> Reading:
    return read_metricflow(FIXTURES / "semantic_manifest.json", database.catalog)


def test_what_is_refused_is_refused_by_name_and_the_rest_is_read(reading: Reading) -> None:
    assert {item.name: item.construct for item in reading.refusals} == REFUSED
    assert {metric.id for metric in reading.metrics} == set(PRINTED)
    assert {item.id: item.label for item in reading.dimensions} == {
        "invoice__invoiced_at": "invoice invoiced at",
        "invoice__billing_country": "billing country",
        "line__invoiced_at": "line invoiced at",
        "customer__country": "country",
        "track__genre": "genre",
    }


@pytest.mark.parametrize("metric", PRINTED)
def test_values_are_those_that_metricflow_printed(metric: str, database: Database, reading: Reading) -> None:
    knowledge = Knowledge(
        name="chinook", company="A shop.", metrics=reading.metrics, dimensions=reading.dimensions
    )
    for grouped_by, printed in PRINTED[metric].items():
        wanted = Slice(metric=metric, grain="year" if grouped_by == "year" else "")
        if grouped_by not in ("", "year"):
            wanted = Slice(metric=metric, group=(grouped_by,))
        with open_database(database) as opened:
            found = find_values(knowledge, opened, wanted)
        assert {"".join(map(str, key)): value for key, value in found.items()} == pytest.approx(printed)


def test_what_is_read_passes_the_checks(database: Database, reading: Reading) -> None:
    knowledge = Knowledge(
        name="chinook", company="A shop.", metrics=reading.metrics, dimensions=reading.dimensions
    )
    check_knowledge(knowledge, database.catalog)
    check_data(knowledge, database)
