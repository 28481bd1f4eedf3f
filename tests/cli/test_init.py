"""`warebench init`."""

from pathlib import Path

from warebench.cli.init import TEMPLATE
from warebench.config import FILE_NAME, read_settings


def test_written_file_is_read_back(run) -> None:
    assert run("init").exit_code == 0
    assert read_settings().of_command("build") == {"seed": 7}


def test_every_commented_setting_is_known(tmp_path: Path) -> None:
    lines = TEMPLATE.splitlines()
    bare = [
        line.removeprefix("# ") for line in lines if not line.startswith("# ") or " = " in line or "[" in line
    ]
    text = "\n".join(line for line in bare if "url_env" not in line)
    path = tmp_path / FILE_NAME
    path.write_text(text, encoding="utf-8")
    found = read_settings(path)
    assert found.sources["shop"].dialect == "tsql"
    assert found.of_command("build")["size"] == 20
    assert found.of_command("compare")["by"] == "subtype"


def test_an_existing_file_is_kept(run) -> None:
    Path(FILE_NAME).write_text("[build]\nseed = 1\n", encoding="utf-8")
    assert run("init").exit_code == 2
    assert "seed = 1" in Path(FILE_NAME).read_text(encoding="utf-8")
    assert run("init", "--force").exit_code == 0
    assert Path(FILE_NAME).read_text(encoding="utf-8") == TEMPLATE
