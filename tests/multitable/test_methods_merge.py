"""One table out of several: the same answer, the same cells, no name twice."""

import pytest
from tests.multitable.shop import LINES, SHOP, TEMPLATES, shop_set

from warebench.queries.prove import agree
from warebench.queries.solve import answer, join_rows, keep
from warebench.tracks.multitable.ask import restore
from warebench.tracks.multitable.build import Options, build
from warebench.tracks.multitable.methods.merge import merge
from warebench.tracks.multitable.wording import to_gold
from warebench.worlds.questions import library


@pytest.fixture(scope="module")
def bundled():
    """One question of each template about a few twins, with self joins and chains among them."""
    return build([], Options(windows=("8K",), instances=1, databases=("airline", "university", "restaurant")))


def only_table(database):
    ((name, table),) = database.tables.items()
    assert database.catalog.table_names == (name,)
    return table


def test_rows_are_those_of_the_join_in_order():
    merged = only_table(merge(SHOP, shop_set().questions[0]))
    numbers = merged.column("line.id").to_pylist()
    assert numbers == [number for number in range(LINES) if number != 3]
    assert merged.column_names[-2:] == ["buyer.id", "buyer.name"]
    assert merged.column("buyer.id").equals(merged.column("line.customer_id"))


def test_cells_keep_their_types():
    merged = only_table(merge(SHOP, shop_set().questions[0]))
    for column in SHOP.tables["order lines"].schema:
        assert merged.schema.field(f"line.{column.name}").type == column.type


def test_the_answer_is_found_on_the_merged_table_alone(bundled):
    templates = {template.name: template for group in library().values() for template in group}
    for question in bundled.questions:
        query = templates[question.facets["template"]].query
        database = bundled.databases[question.context]
        rows = only_table(merge(database, question)).to_pylist()
        assert len(rows) == len(join_rows(database, query))
        parts = [
            answer(keep(rows, query, _typed(rows, query, b)), query.want)
            for b in restore(question.certificate.parameters)
        ]
        outcome = parts[0] if len(parts) == 1 else parts[0] - parts[1]
        found = to_gold(query.want, outcome)
        assert type(found) is type(question.gold)
        assert agree(found.value, question.gold.value)


def _typed(rows, query, binding):
    """Return parameters as cells: a certificate holds dates as text."""
    columns = {item.parameter: item.column for item in query.filters}
    return {name: _as(rows, columns[name], value) for name, value in binding.items()}


def _as(rows, column, value):
    cells = [row[column] for row in rows if row[column] is not None]
    same = next((cell for cell in cells if str(cell) == str(value)), None)
    return value if same is None else same


def test_templates_without_a_join_merge_too():
    query = TEMPLATES[0].query
    assert query.joins
    assert only_table(merge(SHOP, shop_set().questions[1])).num_rows == LINES - 1
