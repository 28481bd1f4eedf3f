"""Labels of Spider's dev gold: all of it, and as SQLite reads it."""

from tests.budget.spider import catalog, database_file, executable, need_data

from warebench.sql.labels import coverage, disagreement, label, observe


def test_all_gold_that_runs_is_labelled():
    need_data()
    examples = executable()
    report = coverage(examples, {example.database: catalog(example.database) for example in examples})
    assert report.examples == 972
    assert report.gaps == ()


def test_labels_are_what_sqlite_reads():
    need_data()
    differences = {
        example.sql: difference
        for example in executable()
        if (
            difference := disagreement(
                label(example.sql, catalog(example.database), "sqlite"),
                observe(database_file(example.database), example.sql),
                example.sql,
            )
        )
    }
    assert differences == {}
