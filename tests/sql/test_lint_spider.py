"""The second verdict on Spider's dev gold: faults that others have reported are found."""

from collections import Counter
from functools import partial

from tests.budget.spider import catalog, connect, executable, need_data
from tests.sql.labels_schema import run

from warebench.sql.lint import lint


def test_faults_of_dev():
    need_data()
    counts: Counter[str] = Counter()
    for example in executable():
        connection = connect(example.database)
        faults = lint(example.sql, catalog(example.database), partial(run, connection), "sqlite")
        connection.close()
        counts.update({fault.code for fault in faults})
        if example.sql == "SELECT count(*) FROM CARS_DATA WHERE horsepower  >  150;":
            assert [fault.detail for fault in faults] == ["cars_data.Horsepower (with 'null' for no value)"]
    assert counts == {
        "empty_result": 77,
        "tie_at_limit": 46,
        "text_numbers": 20,
        "text_arithmetic": 2,
        "tie_in_order": 16,
        "bare_column": 4,
        "join_duplicates": 4,
    }
