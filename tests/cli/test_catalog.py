"""`warebench catalog`."""

import json
from pathlib import Path

import pytest


def test_counts(run) -> None:
    done = run("catalog", "adventureworks")
    assert done.exit_code == 0
    rows = dict(line.rsplit(maxsplit=1) for line in done.stdout.splitlines()[2:])
    assert {name: rows[name] for name in ("tables", "foreign key columns", "lineage edges", "silos")} == {
        "tables": "102",
        "foreign key columns": "136",
        "lineage edges": "39",
        "silos": "11",
    }


def test_a_user_file(run, shop: Path) -> None:
    done = run("catalog", shop, "--name", "mine", "--format", "json")
    content = json.loads(done.stdout)
    assert (content["name"], len(content["tables"]), len(content["foreign_keys"])) == ("mine", 6, 4)


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("ddl", 'CREATE TABLE "orders"'),
        ("mermaid", "erDiagram"),
        ("graphml", "<graphml"),
        ("json", '"tables"'),
    ],
)
def test_formats(run, shop: Path, form: str, text: str) -> None:
    assert text in run("catalog", shop, "--format", form).stdout


def test_out_is_a_source_again(run, shop: Path, tmp_path: Path) -> None:
    written = run("catalog", shop, "--format", "json", "--out", "new/shop.json")
    assert (written.stdout, written.stderr) == ("", f"Wrote {Path('new/shop.json')}\n")
    first, again = run("catalog", shop).stdout, run("catalog", "new/shop.json").stdout
    assert first == again


def test_quiet_says_nothing(run, shop: Path) -> None:
    assert run("catalog", shop, "--out", "x", "-q").stderr == ""


def test_missing_source_names_a_close_one(run) -> None:
    done = run("catalog", "adventurework")
    assert done.exit_code == 2
    assert "Did you mean `adventureworks`?" in done.stderr


def test_bundled_takes_no_reader(run) -> None:
    assert run("catalog", "tpc_ds", "--reader", "json").exit_code == 2


def test_presets(run) -> None:
    assert "64" in run("catalog", "syn_logistics", "--preset", "released").stdout
    assert run("catalog", "syn_logistics", "--preset", "table2").exit_code == 2


@pytest.mark.parametrize("out", ["shop.sql", "./x/../shop.sql", "link.sql"])
def test_the_source_is_not_replaced(run, shop: Path, out: str) -> None:
    Path("x").mkdir()
    Path("link.sql").symlink_to(shop)
    before = shop.read_bytes()
    done = run("catalog", shop, "--out", out)
    assert done.exit_code == 2
    assert "would replace its source" in done.stderr
    assert shop.read_bytes() == before


def test_the_source_of_the_settings_file_is_not_replaced(run, shop: Path) -> None:
    Path("warebench.toml").write_text('[sources.mine]\npath = "shop.sql"\n')
    assert run("catalog", "mine", "--out", shop).exit_code == 2


@pytest.mark.parametrize(
    "source", ["x" * 300, "shop.sql/below", "loop", "nul\0byte", ".", "postgresql://nobody@127.0.0.1:1/x"]
)
def test_sources_that_cannot_be_read(run, shop: Path, source: str) -> None:
    Path("loop").symlink_to("loop")
    Path("folder").mkdir()
    done = run("catalog", source if source != "." else "folder")
    assert done.exit_code == 2
    assert done.stderr.startswith("Error:")
