"""Settings files: which one counts, what they may say, who wins."""

from pathlib import Path

import click
import msgspec
import pytest

from warebench.cli.program import main
from warebench.config import FILE_NAME, SettingsFile, read_settings
from warebench.errors import UserError


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_no_file(tmp_path: Path) -> None:
    assert read_settings(start=tmp_path).of_command("build") == {}


def test_every_setting_is_a_flag() -> None:
    for field in msgspec.structs.fields(SettingsFile):
        if field.name == "sources":
            continue
        command = main.get_command(click.Context(main), field.name)
        assert command is not None
        assert set(field.type.__struct_fields__) <= {param.name for param in command.params}


def test_the_nearest_file_counts_alone(tmp_path: Path) -> None:
    write(tmp_path / FILE_NAME, "[build]\nsize = 1\nseed = 1\n")
    write(tmp_path / "a" / "pyproject.toml", "[tool.warebench.build]\nsize = 2\n")
    write(tmp_path / "a" / "b" / "pyproject.toml", "[tool.other]\nx = 1\n")
    assert read_settings(start=tmp_path / "a" / "b").of_command("build") == {"size": 2}
    assert read_settings(start=tmp_path).of_command("build") == {"size": 1, "seed": 1}


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    write(tmp_path / "shop.sql", "")
    text = '[sources.shop]\npath = "shop.sql"\n[build]\nsource = ["shop.sql", "tpc_ds"]\nout = "sets/x"\n'
    found = read_settings(write(tmp_path / FILE_NAME, text))
    assert found.sources["shop"].path == str(tmp_path / "shop.sql")
    assert found.of_command("build")["source"] == [str(tmp_path / "shop.sql"), "tpc_ds"]
    assert found.of_command("build")["out"] == str(tmp_path / "sets/x")


def test_an_address_is_no_path(tmp_path: Path) -> None:
    address = "postgresql://u@h/db"
    text = f'[sources.shop]\npath = "{address}"\n[build]\nsource = ["{address}"]\n'
    found = read_settings(write(tmp_path / FILE_NAME, text))
    assert found.sources["shop"].path == address
    assert found.of_command("build")["source"] == [address]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[biuld]\nseed = 1", "Did you mean `build`?"),
        ("[build]\nsede = 1", "Did you mean `seed`?"),
        ("[sources.shop]\npaht = 'x'", "Did you mean `path`?"),
        ("[build]\nseed = 'seven'", "Expected `int"),
        ("[build]\nseed = 1\n[build]", "this is not TOML"),
        ("[build]\nseed = " + "1" * 5_000, "this is not TOML"),
        ("x = " + "[" * 100_000, "this is not TOML"),
        ("build = 3", "Expected `object`"),
        ("sources = 3", "Expected `object`"),
    ],
)
def test_refusals_name_the_file(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UserError) as caught:
        read_settings(write(tmp_path / FILE_NAME, text))
    assert said in str(caught.value)
    assert FILE_NAME in str(caught.value)


def test_a_source_is_a_path_or_a_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "[sources.a]\nurl_env = 'WHERE_A_IS'\n[sources.b]\n[sources.c]\npath = 'x'\nurl_env = 'Y'\n"
    sources = read_settings(write(tmp_path / FILE_NAME, text)).sources
    with pytest.raises(UserError, match="WHERE_A_IS is not set"):
        sources["a"].resolve("a")
    monkeypatch.setenv("WHERE_A_IS", "/data/a.duckdb")
    assert sources["a"].resolve("a") == "/data/a.duckdb"
    for name in "bc":
        with pytest.raises(UserError, match="either"):
            sources[name].resolve(name)


def test_paths_of_collections_are_anchored(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    text = (
        '[sources.a]\npath = "spider:data?split=train"\n[build]\nsource = ["bird:data", "bird:x", "data"]\n'
    )
    found = read_settings(write(tmp_path / FILE_NAME, text))
    assert found.sources["a"].path == f"spider:{data}?split=train"
    assert found.of_command("build")["source"] == [f"bird:{data}", "bird:x", str(data)]
