"""Real data come under the catalog of the twin; what is torn or missing is said."""

from datetime import date
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pytest
from tests.intelligence.twin_samples import BERKA, CSV, NAMES, SQLITE, needs_data

from warebench.engine.database import Database
from warebench.engine.load import read_database
from warebench.errors import SourceError
from warebench.tracks.intelligence.conform import conform
from warebench.tracks.intelligence.sources import Source
from warebench.worlds import find_world, make_world

BANK, SHOP = find_world("banking").catalog, find_world("ecommerce").catalog


def read(name: str, path: Path) -> Database:
    """Return published files as a build reads them."""
    return Source(name, read_database(path)).read(0, 1.0)[1]


@pytest.fixture(scope="module")
def made():
    return {name: make_world(name, seed=11, scale=0.01) for name in NAMES}


@pytest.fixture
def shop_files(tmp_path, made):
    """Write the twin as the shop's data are published."""
    for table, rows in made["ecommerce"].tables.items():
        named = table if table.startswith("product_category") else f"olist_{table}_dataset"
        spelled = [_spell(rows[name]) for name in rows.column_names]
        pyarrow.csv.write_csv(pa.table(spelled, names=rows.column_names), tmp_path / f"{named}.csv")
    return tmp_path


def _spell(values: pa.ChunkedArray) -> pa.ChunkedArray:
    if not pa.types.is_timestamp(values.type):
        return values
    return pc.strftime(values.cast(pa.timestamp("s")), "%Y-%m-%d %H:%M:%S")


@pytest.fixture
def bank_files(tmp_path, made):
    """Write the twin as the bank's data are published."""
    for table, rows in made["banking"].tables.items():
        options = pyarrow.csv.WriteOptions(delimiter=";", quoting_header="none")
        pyarrow.csv.write_csv(rows, tmp_path / f"{table}.asc", options)
    return tmp_path


def test_a_shop_written_as_published_comes_back(shop_files, made):
    found = read("ecommerce", shop_files)
    assert found.tables == made["ecommerce"].tables


def test_a_bank_written_as_published_comes_back(bank_files, made):
    found = read("banking", bank_files)
    assert found.tables == made["banking"].tables
    assert found.catalog.source == f"ASC files of {bank_files.name}"


@pytest.mark.parametrize("cut", [1, 9, 30])
def test_a_torn_last_line_is_left_out_and_said(bank_files, made, cut):
    path = bank_files / "trans.asc"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]) + lines[-1][:cut])
    found = read("banking", bank_files)
    whole = made["banking"].tables["trans"]
    assert found.tables["trans"].equals(whole.slice(0, whole.num_rows - 1))
    assert "`trans`: the last line is torn" in "; ".join(found.catalog.remarks)


def test_a_last_line_without_end_is_kept(bank_files, made):
    path = bank_files / "loan.asc"
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    assert read("banking", bank_files).tables["loan"].equals(made["banking"].tables["loan"])


@pytest.mark.parametrize("nothing", ['""', '" "', " ", "?", ""])
def test_every_spelling_of_nothing_is_null(bank_files, nothing):
    header = '"order_id";"account_id";"bank_to";"account_to";"amount";"k_symbol"\r\n'
    (bank_files / "order.asc").write_text(f'{header}1;2;"AB";"0012";5.00;{nothing}\r\n', newline="")
    assert read("banking", bank_files).tables["order"].to_pylist() == [
        {
            "order_id": 1,
            "account_id": 2,
            "bank_to": "AB",
            "account_to": "0012",
            "amount": 5.0,
            "k_symbol": None,
        }
    ]


BAD_BANKS = {
    "a file is missing": (lambda path: path.unlink(), "no table `loan`"),
    "a column is missing": (
        lambda path: path.write_text('"loan_id";"account_id"\n1;2\n'),
        "no column `date`",
    ),
    "a number is none": (
        lambda path: path.write_text(
            "loan_id;account_id;date;amount;duration;payments;status\n1;2;970101;many;12;5;A\n"
        ),
        "`amount` cannot be read as int32",
    ),
    "a value is missing": (
        lambda path: path.write_text(
            "loan_id;account_id;date;amount;duration;payments;status\n1;2;970101;60;12;5;?\n"
        ),
        "`status` lacks 1 values",
    ),
    "lines are ragged": (lambda path: path.write_text("loan_id;account_id\n1\n2;3\n"), "cannot be read"),
    "the file is empty": (lambda path: path.write_text(""), "cannot be read"),
}


@pytest.mark.parametrize("what", BAD_BANKS)
def test_bad_bank_files_are_user_errors(bank_files, what):
    spoil, said = BAD_BANKS[what]
    spoil(bank_files / "loan.asc")
    with pytest.raises(SourceError, match=said):
        read("banking", bank_files)


def test_a_shop_without_reviews_is_a_user_error(shop_files):
    (shop_files / "olist_order_reviews_dataset.csv").unlink()
    with pytest.raises(SourceError, match="no table `order_reviews`"):
        read("ecommerce", shop_files)


def test_days_that_a_server_keeps_as_dates_are_refused(made):
    """Arrow casts them to the number of days since 1970, and some of those read as days written yymmdd."""
    tables = dict(made["banking"].tables)
    days = pa.array([date(1997, 8, 28)] * tables["loan"].num_rows)
    place = tables["loan"].schema.get_field_index("date")
    tables["loan"] = tables["loan"].set_column(place, "date", days)
    with pytest.raises(SourceError, match=r"`date` holds date32\[day\], and the published one int32"):
        conform(tables, BANK, "a server")


def test_money_that_a_server_keeps_as_decimals_is_the_same(made):
    tables = dict(made["banking"].tables)
    cents = tables["trans"]["amount"].cast(pa.decimal128(14, 2))
    place = tables["trans"].schema.get_field_index("amount")
    tables["trans"] = tables["trans"].set_column(place, "amount", cents)
    assert conform(tables, BANK, "a server").tables == made["banking"].tables


@needs_data
@pytest.mark.parametrize("path", [SQLITE, CSV])
def test_the_real_shop_has_the_schema_of_the_twin(path, made):
    found = read("ecommerce", path)
    assert found.catalog.fingerprint == SHOP.fingerprint
    for table, rows in made["ecommerce"].tables.items():
        assert found.tables[table].schema == rows.schema
    assert found.tables["orders"].num_rows == 3_000
    assert found.tables["order_items"].num_rows == 3_397


@needs_data
def test_both_forms_of_the_real_shop_hold_the_same():
    one, other = read("ecommerce", SQLITE), read("ecommerce", CSV)
    for table in set(SHOP.table_names) - {"geolocation"}:
        assert one.tables[table].equals(other.tables[table]), table
    points = [found.tables["geolocation"] for found in (one, other)]
    for column in points[0].column_names:
        left, right = (rows[column].to_pylist() for rows in points)
        if isinstance(left[0], float):  # SQLite read the last digit of three otherwise
            right = pytest.approx(right, rel=1e-14)
        assert left == right, column


@needs_data
def test_the_real_bank_has_the_schema_of_the_twin(made):
    found = read("banking", BERKA)
    assert found.catalog.fingerprint == BANK.fingerprint
    for table, rows in made["banking"].tables.items():
        assert found.tables[table].schema == rows.schema
    assert found.tables["trans"].num_rows == 49_102
    assert "`trans`: the last line is torn" in "; ".join(found.catalog.remarks)
    assert found.tables["order"]["k_symbol"].null_count == 1_379
