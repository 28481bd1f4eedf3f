"""Tracks: their table, their options by name, their dispatch."""

import inspect
from dataclasses import replace
from importlib import import_module
from typing import Any

import pyarrow as pa
import pytest

from warebench.catalog.bundled import load_bundled
from warebench.catalog.model import Catalog, Column, Table
from warebench.engine.collection import Collection, collect
from warebench.engine.database import Database
from warebench.errors import BuildError
from warebench.tracks import TRACKS, find_track
from warebench.tracks.dispatch import build_questions, check_questions, obfuscate_questions


def test_names_are_distinct_and_found() -> None:
    assert [find_track(track.name) for track in TRACKS] == list(TRACKS)
    assert len({track.name for track in TRACKS}) == len(TRACKS)
    with pytest.raises(BuildError, match="Did you mean `topology`"):
        find_track("topolgy")


@pytest.mark.parametrize("track", TRACKS, ids=lambda track: track.name)
def test_the_task_exists_and_takes_a_set_and_a_method(track) -> None:
    module, name = track.task.split(":")
    task = getattr(import_module(module), name)
    assert {"questions", "method", "limit_per_subtype"} <= set(inspect.signature(task).parameters)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"sise": 3}, "Did you mean `size`?"),
        ({"size": "three"}, "does not fit"),
        ({"subtypes": ["forwrd"]}, "Did you mean `forward`?"),
    ],
)
def test_options_that_do_not_fit(options: dict[str, object], said: str) -> None:
    with pytest.raises(BuildError) as caught:
        build_questions("topology", load_bundled("tpc_di"), **options)
    assert said in str(caught.value)


def test_build_check_and_obfuscate_by_name() -> None:
    done: list[str] = []
    made = build_questions("topology", load_bundled("tpc_di"), size=1, progress=done.append)
    assert done == ["tpc_di"]
    assert {question.subtype for question in made.questions} == {kind.name for kind in TRACKS[0].subtypes}
    twin = obfuscate_questions(made, "tables")
    assert twin.manifest.obfuscation == "tables"
    assert check_questions(made) == check_questions(twin) == []


def test_words_become_options() -> None:
    words = {"windows": "8K, 16K", "mess": "true", "workers": "2", "databases": ""}
    read = find_track("multitable").read_words(words)
    assert read == {"windows": ("8K", "16K"), "mess": True, "workers": 2, "databases": ()}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"wndows": "8K"}, "no option `wndows`\n  fix: Did you mean `windows`"),
        ({"workers": "two"}, "`workers=two` does not fit the multitable track"),
    ],
)
def test_words_that_do_not_fit(words: dict[str, str], said: str) -> None:
    with pytest.raises(BuildError) as caught:
        find_track("multitable").read_words(words)
    assert said in str(caught.value)


def test_a_track_about_rows_needs_rows() -> None:
    with pytest.raises(BuildError, match="the multitable track asks about rows"):
        build_questions("multitable", load_bundled("tpc_di"))


def test_a_database_is_a_catalog_too() -> None:
    catalog = load_bundled("tpc_di")
    rows = {
        table.name: pa.table({c.name: pa.array([], pa.string()) for c in table.columns})
        for table in catalog.tables
    }
    made = build_questions("topology", Database(catalog=catalog, tables=rows), size=1)
    assert made.questions == build_questions("topology", catalog, size=1).questions


def _rows(name: str) -> Database:
    catalog = Catalog(name=name, tables=(Table(name="t", columns=(Column(name="a"),)),))
    return Database(catalog=catalog, tables={"t": pa.table({"a": [1]})})


def test_a_collection_is_split_or_stays_one() -> None:
    seen: list[Any] = []

    def note(sources: Any, options: Any, progress: Any) -> Any:
        seen.append(sources)

    topology, multitable = find_track("topology"), find_track("multitable")
    whole = collect("whole", [_rows("a"), _rows("b")])
    replace(topology, build=note).build_with([whole, _rows("c").catalog], {}, len)
    assert [catalog.name for catalog in seen[-1]] == ["a", "b", "c"]
    replace(multitable, build=note).build_with([whole, _rows("c")], {}, len)
    assert [database.catalog.name for database in seen[-1]] == ["a", "b", "c"]
    pooled = replace(multitable, build=note, rows=False, collections=True)
    pooled.build_with([whole], {}, len)
    assert seen[-1] == [whole]
    pooled.build_with([whole, _rows("c")], {}, len)
    (merged,) = seen[-1]
    assert [database.catalog.name for database in merged.databases] == ["a", "b", "c"]
    pooled.build_with([], {}, len)
    assert seen[-1] == []
    with pytest.raises(BuildError, match="asks about rows"):
        pooled.build_with([_rows("c").catalog], {}, len)


def test_schemas_alone_are_no_rows() -> None:
    schemas = Collection(name="x", dialect="sqlite", databases=(), schemas=(_rows("a").catalog,))
    with pytest.raises(BuildError, match="no database with rows"):
        build_questions("multitable", schemas)


def test_rows_make_no_twin() -> None:
    made = build_questions("multitable", windows=("8K",), instances=1, databases=("movie",))
    with pytest.raises(BuildError, match="no obfuscated twin"):
        obfuscate_questions(made, "tables")
    assert check_questions(made) == []
