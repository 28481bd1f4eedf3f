"""Examples become questions, or are left out with their reason."""

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from tests.budget.pools import BAD, GOOD, duckdb_pool, write_spider
from tests.queries.compose_schemas import shop

from warebench.answers import model as answers
from warebench.answers.result import Comparison
from warebench.catalog.model import Catalog, Column, Table
from warebench.engine.collection import Collection, Example, Trouble, read_collection
from warebench.errors import BuildError, SourceError
from warebench.questions.model import QuestionSet
from warebench.questions.store import read_questions, write_questions
from warebench.sql.lint import Fault
from warebench.tracks.budget.ask import is_settled
from warebench.tracks.budget.build import NONE_COMPOSED, Options, build
from warebench.tracks.budget.faulted import read_faults
from warebench.tracks.budget.labelled import read_labels
from warebench.tracks.budget.left_out import read_left_out
from warebench.tracks.budget.pairs import compose_examples
from warebench.tracks.budget.remark import remark_set
from warebench.tracks.budget.subtypes import Subtype

QUICK = Options(seconds=3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_spider(tmp_path_factory.mktemp("spider"))


def hashes(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(scope="module")
def made(folder: Path) -> QuestionSet:
    before = hashes(folder)
    question_set = build([read_collection(f"spider:{folder}")], QUICK)
    assert hashes(folder) == before
    return question_set


def by_text(question_set: QuestionSet):
    return {question.text: question for question in question_set.questions}


def test_good_examples_are_questions(made):
    assert sorted(by_text(made)) == sorted(text for _, text, _ in GOOD)


def test_bad_examples_are_left_out_with_their_reason(made):
    number = {f"dev-{len(GOOD) + place}": row[3] for place, row in enumerate(BAD)}
    assert {item.where: item.reason for item in read_left_out(made) if item.example} == number


def test_databases_that_cannot_be_read_are_on_record(made):
    troubles = {(item.where, item.reason) for item in read_left_out(made) if not item.example}
    assert troubles == {("broken", "corrupt"), ("empty", "empty"), ("hollow", "no rows")}


def test_counts_add_up(made):
    examples = len(GOOD) + len(BAD)
    short = made.manifest.shortfalls
    assert len(made.questions) + sum(item.asked - item.made for item in short) == examples
    assert made.manifest.parameters["label_coverage"] == round(10 / 11, 6)


def test_gold(made):
    found = by_text(made)
    assert found["List the names of students by age."].gold == answers.Table(
        columns=(answers.Column("name"),), rows=(("Cy",), ("Ann",), ("Bo",)), ordered=True
    )
    assert found["Which students from France have which marks?"].gold == answers.Table(
        columns=(answers.Column("name"), answers.Column("mark", "number")),
        rows=(("Ann", 3), ("Ann", 4), ("Cy", 3)),
    )
    assert found["Which staff is called Zoe?"].gold == answers.Table(columns=(answers.Column("id"),), rows=())


def test_every_question_declares_its_comparison(made):
    found = by_text(made)
    by_age = Comparison(ordered=True)  # by what is not among its columns
    assert found["List the names of students by age."].comparison == by_age
    others = {question.comparison for question in made.questions} - {by_age}
    assert others == {Comparison()}


def write_declared(folder: Path, *declared: object) -> Path:
    """Write a folder in Spider's layout whose first questions declare how they are compared."""
    write_spider(folder, bad=False)
    entries = json.loads((folder / "dev.json").read_text())
    for entry, comparison in zip(entries, declared, strict=False):
        entry["comparison"] = comparison
    (folder / "dev.json").write_text(json.dumps(entries))
    return folder


def test_a_source_declares_a_comparison(tmp_path):
    declared = {"ordered": False, "duplicates": False, "columns": "given", "nulls": "blank", "relative": 1e-6}
    folder = write_declared(tmp_path, declared, {}, {"ordered": False}, None)
    made = by_text(build([read_collection(f"spider:{folder}")], Options(seconds=3, paraphrase=True)))
    assert made[GOOD[0][1]].comparison == Comparison(**declared)
    assert [made[GOOD[at][1]].comparison for at in (1, 2, 3)] == [Comparison()] * 3
    (reworded,) = [
        question
        for question in made.values()
        if question.variant and question.certificate.parameters["example"] == "dev-0"
    ]
    assert reworded.comparison == Comparison(**declared)


def test_a_comparison_that_does_not_fit_is_left_out(tmp_path):
    bad = ({"null": "blank"}, {"nulls": "empty"}, {"relative": "1e-6"}, {"ordered": True}, "strict")
    folder = write_declared(tmp_path, *bad)
    made = build([read_collection(f"spider:{folder}")], QUICK)
    left_out = {item.where: (item.reason, item.detail) for item in read_left_out(made) if item.example}
    assert {reason for reason, _ in left_out.values()} == {"malformed"}
    told = [left_out[f"dev-{number}"][1] for number in range(len(bad))]
    assert told[0] == "comparison: a comparison has no `null`. Did you mean `nulls`?"
    assert told[1] == "comparison: `nulls` is not `empty`. Known: blank, equal."
    assert "$.relative" in told[2]
    assert "no ORDER BY" in told[3]
    assert told[4] == "its `comparison` is not an object"
    assert len(made.questions) == len(GOOD) - len(bad)


def test_subtypes(made):
    assert [question.subtype for question in made.questions if question.context == "school"] == [
        "lookup",
        "lookup",
        "lookup",
        "join",
        "multi_join",
        "nested",
    ]


def test_facets_and_certificate(made):
    question = by_text(made)["Who takes which course?"]
    assert question.facets == {
        "tables": 3,
        "columns": 6,
        "joins": 2,
        "collisions": 1,
        "ordered": False,
        "faults": 0,
        "overlap": 0.3333,
    }
    assert (question.catalog, question.context) == ("school", "school")
    assert '"school"."course" AS "course"' in str(question.certificate.parameters["pool_sql"])


def test_one_sql_asked_in_two_ways_is_one_fact(made):
    first, second = (by_text(made)[text] for text in (GOOD[0][1], GOOD[1][1]))
    assert first.fact == second.fact
    assert [question.facets.get("sibling", False) for question in (first, second)] == [False, True]


def test_labels_have_pool_names(made):
    labels = read_labels(made)[by_text(made)["Which students from France have which marks?"].id]
    assert labels.tables == ("school.student", "school.takes")
    roles = {(item.table, item.column): item.roles for item in labels.columns}
    assert roles["school.student", "id"] == ("join",)
    assert roles["school.student", "country"] == ("filter",)


def test_faults_are_on_record(made):
    faults = {item.question: [fault.code for fault in item.faults] for item in read_faults(made)}
    faulty = ("Which staff is called Zoe?", "How much is nothing?")
    assert faults == {by_text(made)[text].id: ["empty_result"] for text in faulty}
    assert by_text(made)["Which staff is called Zoe?"].facets["faults"] == 1


def test_faulty_gold_can_be_dropped(folder):
    collection = read_collection(f"spider:{folder}")
    kept = Collection(
        name=collection.name,
        dialect="sqlite",
        databases=collection.databases,
        examples=tuple(item for item in collection.examples if item.database == "clinic"),
    )
    dropped = build([kept], Options(lint="drop"))
    assert [question.text for question in dropped.questions] == ["How many courses are high?"]
    assert {item.reason for item in read_left_out(dropped)} == {"faulty", "asked twice"}


@pytest.mark.parametrize(
    ("code", "how", "settled"),
    [
        ("tie_in_order", Comparison(ordered=True), False),
        ("tie_in_order", Comparison(ordered=True, order_keys=(0,)), True),
        ("tie_in_order", Comparison(), True),
        ("join_duplicates", Comparison(), False),
        ("join_duplicates", Comparison(duplicates=False), True),
        ("tie_at_limit", Comparison(duplicates=False), False),
    ],
)
def test_what_the_comparison_leaves_open_is_no_fault(code, how, settled):
    assert is_settled(Fault(code=code, detail=""), how) == settled


def test_set_survives_the_disk(made, tmp_path):
    write_questions(made, tmp_path / "set")
    again = read_questions(tmp_path / "set")
    assert again.questions == made.questions
    assert again.manifest == made.manifest
    assert (tmp_path / "set/files/databases/school.sqlite").is_file()


@pytest.mark.parametrize(
    ("rows", "names"), [("all", ["clinic", "hollow", "school"]), ("asked", ["clinic", "school"])]
)
def test_rows_of_all_databases_or_of_those_asked_about(folder, rows, names):
    collection = read_collection(f"spider:{folder}")
    asking = tuple(item for item in collection.examples if item.id in ("dev-0", "dev-6"))
    pool = Collection(
        name="p",
        dialect="sqlite",
        databases=collection.databases,
        schemas=collection.schemas,
        examples=asking,
    )
    made = build([pool], Options(rows=rows))
    assert sorted(made.catalogs) == ["clinic", "hollow", "school"]
    assert [path for path in made.files if path.startswith("databases")] == [
        f"databases/{name}.sqlite" for name in names
    ]


def test_size_is_filled_in_spite_of_bad_examples(folder):
    made = build([read_collection(f"spider:{folder}")], Options(size=5, seconds=1))
    assert Counter(question.context for question in made.questions) == {"school": 5, "clinic": 2, "hollow": 1}
    places = [question.certificate.parameters["example"] for question in made.questions]
    assert places == [f"dev-{number}" for number in (6, 7, 8, *_school(places))]


def _school(places):
    return sorted(int(str(place)[4:]) for place in places if int(str(place)[4:]) < 6)


def test_set_does_not_depend_on_workers(folder):
    collection = read_collection(f"spider:{folder}")
    good = Collection(
        name="good",
        dialect="sqlite",
        databases=collection.databases,
        examples=collection.examples[: len(GOOD)],
    )
    one, three = (build([good], Options(workers=workers, paraphrase=True)) for workers in (1, 3))
    assert one == three


def test_duckdb():
    made = build([duckdb_pool()], Options())
    assert made.manifest.parameters["dialect"] == "duckdb"
    assert list(made.databases) == ["archive", "shop"]
    kept, most = made.questions
    assert kept.gold == answers.Table(
        columns=(answers.Column("box", "number"), answers.Column("kept")),
        rows=((1, "1970-01-01"), (2, "1970-01-02")),
    )
    assert kept.facets["collisions"] == 1
    assert isinstance(most.gold, answers.Table)
    assert most.gold.ordered
    assert [column.kind for column in most.gold.columns] == ["text", "quantity"]


def test_own_databases_without_gold_get_composed_pairs():
    made = build([Collection(name="own", dialect="duckdb", databases=(shop(),))], Options())
    missing = sum(item.asked - item.made for item in made.manifest.shortfalls if item.catalog == "tiny")
    assert len(made.questions) + missing == len(compose_examples(shop(), seed=7))
    assert {question.context for question in made.questions} == {"tiny"}
    assert [item for item in read_left_out(made) if item.example] == []


def test_a_file_with_the_name_of_another_does_not_stop_composing():
    twice = Trouble(where="b/TINY.sqlite", kind="same name", reason="there is one before it")
    made = build(
        [Collection(name="own", dialect="duckdb", databases=(shop(),), troubles=(twice,))], Options()
    )
    assert made.questions
    assert [item.where for item in read_left_out(made)] == ["b/TINY.sqlite"]


def test_composed_questions_are_refused_where_duckdb_keeps_the_name():
    named = replace(shop(), catalog=msgspec.structs.replace(shop().catalog, name="Main"))
    with pytest.raises(SourceError, match="cannot name a database `Main`"):
        build([Collection(name="own", dialect="sqlite", databases=(named,))], Options())


def test_own_sqlite_files_without_gold_are_asked_about_in_duckdb(folder):
    school = [item for item in read_collection(f"spider:{folder}").databases if item.catalog.name == "school"]
    made = build([Collection(name="own", dialect="sqlite", databases=tuple(school))], Options())
    assert made.manifest.parameters["dialect"] == "duckdb"
    assert made.questions
    assert len(made.manifest.shortfalls) > 2


def test_a_subtype_that_no_composed_question_has_is_a_shortfall():
    made = build([Collection(name="one", dialect="duckdb", databases=(shop(),))], Options())
    asked = {question.subtype for question in made.questions}
    missing = {item.subtype for item in made.manifest.shortfalls if item.reason == NONE_COMPOSED}
    assert missing == set(get_args(Subtype)) - asked
    assert missing
    (remark,) = remark_set(made)
    assert (remark.code, remark.severity) == ("WB013", "warning")


def test_examples_that_cannot_be_used_are_not_replaced_by_composed_ones(folder):
    databases = read_collection(f"spider:{folder}").databases
    example = Example(id="x", database="school", question="What?", sql="SELECT shoe FROM student")
    with pytest.raises(BuildError, match="fails"):
        build([Collection(name="x", dialect="sqlite", databases=databases, examples=(example,))], Options())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (Options(profile="paper"), "no profile `paper`"),
        (Options(size=-1), "size is at least 0"),
        (Options(workers=0), "workers"),
        (Options(seconds=0), "at most 3600 seconds"),
        (Options(seconds=float("nan")), "at most 3600 seconds"),
        (Options(seconds=float("inf")), "at most 3600 seconds"),
    ],
)
def test_options_that_make_no_sense(options, words):
    with pytest.raises(BuildError, match=words):
        build([duckdb_pool()], options)


def test_change_meanwhile_is_refused(tmp_path):
    collection = read_collection(f"spider:{write_spider(tmp_path, bad=False)}")
    path = tmp_path / "database/school/school.sqlite"

    def spoil(name: str) -> None:
        path.write_bytes(path.read_bytes() + b"\0")

    with pytest.raises(BuildError, match="changed"):
        build([collection], Options(), spoil)


def test_large_pool_of_schemas():
    two = duckdb_pool()
    tables = tuple(Table(name=f"t{number}", columns=(Column(name="c"),)) for number in range(100))
    more = tuple(Catalog(name=f"d{number}", tables=tables) for number in range(200))
    customers = Catalog(name="zoo", tables=(Table(name="Customers", columns=(Column(name="c"),)),))
    pool = replace(two, schemas=(*more, customers))
    small, large = build([two], Options()), build([pool], Options())
    assert len(large.catalogs) == 203
    assert [question.gold for question in large.questions] == [question.gold for question in small.questions]


def test_same_bytes_under_every_hash_seed(tmp_path):
    write_spider(tmp_path / "spider", bad=False)
    program = (
        "import sys; from warebench.engine.collection import read_collection;"
        "from warebench.tracks.budget.build import Options, build;"
        "from warebench.questions.store import encode_questions;"
        "made = build([read_collection(sys.argv[1])], Options(paraphrase=True, size=4));"
        "sys.stdout.buffer.write(encode_questions(made.questions) + repr(made.manifest).encode())"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", program, f"spider:{tmp_path / 'spider'}"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    ]
    assert outputs[0] == outputs[1]
    assert msgspec.json.decode(outputs[0].splitlines()[0])["track"] == "budget"
