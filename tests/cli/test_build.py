"""`warebench build`."""

import json
from pathlib import Path

import pytest

from warebench.questions.store import read_questions


def test_a_user_file(run, shop: Path) -> None:
    done = run("build", "topology", "--source", shop, "--size", 2, "--out", "sets/shop", "--format", "json")
    said = json.loads(done.stdout)
    made = read_questions(Path("sets/shop"))
    assert done.exit_code == 0
    assert said["questions"] == len(made.questions) == sum(said["counts"]["shop"].values())
    assert said["questions_sha256"] == made.manifest.questions_sha256
    assert said["shortfalls"][0]["reason"] == "the catalog has no lineage edges"
    assert said["written"] == ["sets/shop"]


def test_table_adds_up(run, shop: Path) -> None:
    done = run("build", "--source", shop, "--size", 2, "--dry-run")
    counts, short = done.stdout.split("\nfewer questions than asked for:\n")
    rows = [line.split() for line in counts.splitlines()[2:]]
    assert rows[-1][0] == "total"
    assert sum(int(row[1]) for row in rows[:-1]) == int(rows[-1][1]) == int(rows[-1][2])
    assert "the catalog has no lineage edges" in short
    assert not Path("sets").exists()


def test_same_seed_same_bytes(run, shop: Path) -> None:
    for out in ("a", "b"):
        run("build", "--source", shop, "--size", 2, "--seed", 3, "--out", out)
    run("build", "--source", shop, "--size", 2, "--seed", 4, "--out", "c")
    first, second, other = (Path(out, "questions.jsonl").read_bytes() for out in "abc")
    assert first == second != other


def test_twins_stand_beside(run, shop: Path) -> None:
    done = run(
        "build",
        "--source",
        shop,
        "--size",
        1,
        "--out",
        "s",
        "--obfuscate",
        "tables",
        "--obfuscate",
        "columns",
    )
    assert done.exit_code == 0
    original, twin = read_questions(Path("s")), read_questions(Path("s-tables"))
    assert [question.pair_id for question in twin.questions] == [
        question.id for question in original.questions
    ]
    assert "orders" not in Path("s-tables/questions.jsonl").read_text(encoding="utf-8")
    assert Path("s-columns/manifest.json").exists()


def test_words_are_checked_before_a_source_is_read(run) -> None:
    for track, words, said in (
        ("budget", ("--param", "size=1"), "Give --size."),
        ("budget", ("--param", "sedd=1"), "Did you mean `seed`?"),
        ("multitable", ("--param", "windws=8K"), "Did you mean `windows`?"),
        (
            "topology",
            ("--param", "fk_direction=up"),
            "Give undirected or parent_to_child or child_to_parent.",
        ),
    ):
        done = run("build", track, "--source", "nowhere", *words)
        assert done.exit_code == 2
        assert said in done.stderr


def test_parameters_reach_the_manifest(run, shop: Path) -> None:
    options = ("--subtype", "join_path", "--param", "fk_direction=child_to_parent")
    run("build", "--source", shop, *options, "--out", "s")
    made = read_questions(Path("s"))
    assert made.manifest.parameters["fk_direction"] == "child_to_parent"
    assert {question.subtype for question in made.questions} == {"join_path"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--subtype", "forwrd"), "Did you mean `forward`?"),
        (("--param", "fk_directon=x"), "Did you mean `fk_direction` or `impact_fk_direction`?"),
        (("--param", "fk_direction"), "not of the form NAME=VALUE"),
        (("--profile", "papr"), "Did you mean `paper`?"),
        (("--size", "0"), "size must be at least 1"),
        (("--profile", "paper"), "the paper's counts exist for its own five catalogs only"),
    ],
)
def test_refusals(run, shop: Path, words: tuple[str, ...], said: str) -> None:
    done = run("build", "--source", shop, *words)
    assert done.exit_code == 2
    assert said in done.stderr
    assert not Path("sets").exists()


def test_unwritable_folder(run, shop: Path) -> None:
    Path("taken").write_text("a file", encoding="utf-8")
    done = run("build", "--source", shop, "--size", 1, "--out", "taken/set")
    assert done.exit_code == 2
    assert "Traceback" not in done.stderr


def test_paper_profile_prints_the_papers_counts(run) -> None:
    done = run("build", "--profile", "paper", "--dry-run", "--format", "json")
    said = json.loads(done.stdout)
    assert {name: sum(row.values()) for name, row in said["counts"].items()} == {
        "adventureworks": 208,
        "tpc_ds": 127,
        "tpc_di": 181,
        "omop_cdm": 158,
        "syn_logistics": 372,
    }
    assert said["shortfalls"] == []
