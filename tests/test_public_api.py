"""The public names, and that looking at them costs nothing."""

import sqlite3
import subprocess
import sys

import pytest

import warebench
from warebench.errors import UserError


def test_all_is_what_is_public() -> None:
    assert set(warebench.__all__) == {*warebench.HOMES, "__version__"}
    assert warebench.__all__ == sorted(warebench.__all__, key=lambda name: (not name[0].isupper(), name))
    assert dir(warebench) == sorted(warebench.__all__)


@pytest.mark.parametrize("name", warebench.HOMES)
def test_every_name_loads_and_is_documented(name: str) -> None:
    found = getattr(warebench, name)
    assert found.__doc__
    assert found.__name__ == name


def test_unknown_name() -> None:
    with pytest.raises(AttributeError, match="no attribute 'read_catalogue'"):
        _ = warebench.read_catalogue


@pytest.mark.parametrize(
    "code",
    [
        "import warebench",
        "import warebench; [getattr(warebench, name) for name in warebench.HOMES]",
        "import warebench.tracks.dispatch",
    ],
)
def test_inspect_is_not_imported(code: str) -> None:
    code += "; import sys; print('inspect_ai' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_bare_import_loads_the_standard_library_only() -> None:
    code = "import sys, warebench; print({name.split('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert "warebench" in done.stdout
    assert not any(name in done.stdout for name in ("click", "msgspec", "duckdb", "pandas"))


def test_the_way_of_the_docstring(tmp_path) -> None:
    script = tmp_path / "shop.sql"
    script.write_text(
        "CREATE TABLE a (id INT PRIMARY KEY); CREATE TABLE b (id INT PRIMARY KEY, a_id INT REFERENCES a);",
        encoding="utf-8",
    )
    catalog = warebench.read_catalog(script)
    questions = warebench.build_questions("topology", [catalog], size=2, seed=7)
    assert warebench.check_questions(questions) == []
    warebench.write_questions(questions, tmp_path / "set")
    assert warebench.read_questions(tmp_path / "set") == questions


def test_sources_may_be_given_by_name(tmp_path) -> None:
    file = tmp_path / "shop.sqlite"
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE a (id INTEGER PRIMARY KEY)")
        connection.execute("CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a(id))")
    one = warebench.build_questions("topology", str(file), size=1)
    assert [*one.catalogs] == ["shop"]
    assert one == warebench.build_questions("topology", file, size=1)
    assert one == warebench.build_questions("topology", [warebench.read_catalog(file)], size=1)
    several = warebench.build_questions("topology", [str(file), "tpc_di"], size=1)
    assert [*several.catalogs] == ["shop", "tpc_di"]
    with pytest.raises(UserError, match="no such file"):
        warebench.build_questions("topology", "nowhere.sqlite")
    with pytest.raises(UserError, match="cannot be read"):
        warebench.read_scores("nowhere.parquet")


def test_a_set_says_what_it_is_in_one_line() -> None:
    made = warebench.build_questions("topology", "tpc_di", size=1)
    assert repr(made) == f"<QuestionSet topology: {len(made.questions)} questions about tpc_di>"
