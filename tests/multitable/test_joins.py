"""Every template needs several tables: databases with another answer, checked by SQL, say so."""

import pytest

from warebench.queries.prove import agree, prove
from warebench.tracks.multitable.joins import find_needs
from warebench.tracks.multitable.sampling import WINDOWS, sample
from warebench.worlds import make_world
from warebench.worlds.questions import library


def keys_hold(database) -> bool:
    """Return whether primary keys are unique and foreign keys lead to a row or are null."""
    rows = {name: table.to_pylist() for name, table in database.tables.items()}

    def keys(name, columns) -> list[tuple]:
        return [tuple(row[column] for column in columns) for row in rows[name]]

    primary = [keys(table.name, table.primary_key) for table in database.catalog.tables]
    foreign = [
        {key for key in keys(each.child, each.child_columns) if None not in key}
        <= set(keys(each.parent, each.parent_columns))
        for each in database.catalog.foreign_keys
    ]
    return all(len(set(each)) == len(each) for each in primary) and all(foreign)


@pytest.mark.parametrize("name", library())
def test_no_one_table_answers_any_template(name):
    small = sample(make_world(name, seed=7), WINDOWS["8K"], seed=7, instance=0).database
    for template, needs in find_needs(small, library()[name], 3, seed=7):
        assert any(need.proved for need in needs), template.name
        for witness in needs[0].witnesses:
            there = witness.database
            changed = {name for name, rows in small.tables.items() if there.tables[name] != rows}
            assert changed, witness.change
            assert changed <= set(witness.tables)
            assert keys_hold(there)
            connection = there.connect()
            answer = prove(connection, template.query, needs[0].bound.bindings)
            connection.close()
            assert agree(witness.outcome, answer), witness.change
            assert not agree(needs[0].bound.outcome, answer)
