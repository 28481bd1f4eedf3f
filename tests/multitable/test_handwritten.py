"""The hand-written templates serve real databases of the same shape, and no others."""

import msgspec
import pyarrow as pa
import pytest
from benchmarks.sqlite_file import write_sqlite

from warebench.engine.database import Database
from warebench.engine.load import read_database
from warebench.queries.compose import compose_set
from warebench.questions.check import check_questions
from warebench.tracks.multitable.build import Options, build
from warebench.tracks.multitable.certify import prove_set
from warebench.tracks.multitable.handwritten import find_templates
from warebench.worlds import make_world
from warebench.worlds.questions import library

ONE = Options(windows=("8K",), instances=1)


@pytest.mark.parametrize("name", library())
def test_templates_fit_their_twin_and_the_twin_in_a_file(name, tmp_path):
    twin = make_world(name, scale=0.01, seed=3)
    write_sqlite(twin, tmp_path / f"{name}.sqlite")
    assert find_templates(twin) == library()[name]
    assert find_templates(read_database(tmp_path / f"{name}.sqlite")) == library()[name]


@pytest.mark.parametrize("name", ["airline", "cookbook"])
def test_a_real_database_is_asked_about_by_hand_written_templates(name, tmp_path):
    twin = make_world(name, seed=7)
    write_sqlite(twin, tmp_path / f"{name}.sqlite")
    made = build([read_database(tmp_path / f"{name}.sqlite")], ONE)
    assert made.manifest.parameters["handwritten"] == name
    assert {question.certificate.sql for question in made.questions} == {
        question.certificate.sql
        for question in build([], msgspec.structs.replace(ONE, databases=(name,))).questions
    }
    assert check_questions(made, prove_set) == []


def without(database: Database, **changes) -> Database:
    return Database(
        catalog=msgspec.structs.replace(database.catalog, **changes), tables=dict(database.tables)
    )


def test_another_shape_is_asked_about_by_composed_templates():
    twin = make_world("restaurant", scale=0.1, seed=3)
    (first, *rest) = twin.catalog.foreign_keys
    label = twin.tables["generalinfo"].column_names.index("review")
    shapes = [
        without(twin, name="restaurants"),
        without(twin, foreign_keys=tuple(rest)),
        without(twin, foreign_keys=(msgspec.structs.replace(first, parent=first.child), *rest)),
        Database(
            catalog=twin.catalog,
            tables={**twin.tables, "generalinfo": twin.tables["generalinfo"].drop_columns(["review"])},
        ),
        Database(
            catalog=twin.catalog,
            tables={
                **twin.tables,
                "generalinfo": twin.tables["generalinfo"].set_column(
                    label, "review", twin.tables["generalinfo"]["review"].cast(pa.string())
                ),
            },
        ),
    ]
    assert [find_templates(shape) for shape in shapes] == [()] * len(shapes)
    made = build([shapes[0]], ONE)
    assert "handwritten" not in made.manifest.parameters
    composed = {template.name for template in compose_set(shapes[0], seed=ONE.seed).templates}
    assert {question.facets["template"] for question in made.questions} <= composed
