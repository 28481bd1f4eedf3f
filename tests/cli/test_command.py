"""What every command has: settings with a precedence, and their origins."""

from pathlib import Path

import pytest

from warebench.config import FILE_NAME


@pytest.fixture
def size(run, shop: Path):
    """Return the size a build was asked for, read off a refusal."""
    Path(FILE_NAME).write_text('[sources.mine]\npath = "shop.sql"\n[build]\nsize = -3\n', encoding="utf-8")

    def asked(*words: str, **environment: str) -> int:
        done = run("build", "--source", "mine", *words, **environment)
        assert done.exit_code == 2
        return int(done.stderr.split("not ")[1].split()[0])

    return asked


def test_flag_then_environment_then_file(size) -> None:
    assert size() == -3
    assert size(WAREBENCH_BUILD_SIZE="-2") == -2
    assert size("--size", "-1", WAREBENCH_BUILD_SIZE="-2") == -1


def test_verbose_says_where_values_come_from(run, shop: Path) -> None:
    Path(FILE_NAME).write_text("[build]\nseed = 3\n", encoding="utf-8")
    done = run("build", "--source", shop, "--dry-run", "-v", WAREBENCH_BUILD_SIZE="1")
    assert f"seed = 3  ({Path.cwd() / FILE_NAME})" in done.stderr
    assert "size = 1  (environment)" in done.stderr
    assert "dry_run = True  (flag)" in done.stderr
    assert "profile = 'default'  (default)" in done.stderr


def test_named_source(run, shop: Path) -> None:
    Path("s.toml").write_text('[sources.mine]\npath = "shop.sql"\n', encoding="utf-8")
    assert "mine" in run("catalog", "mine", "--config", "s.toml").stdout
    assert "mine" in run("catalog", "mine", WAREBENCH_CONFIG="s.toml").stdout


def test_a_broken_file_leaves_help_alone(run) -> None:
    Path(FILE_NAME).write_text("[biuld]\n", encoding="utf-8")
    assert run("build", "--help").exit_code == 0
    assert run("list", "tracks").exit_code == 2


def test_no_color(run) -> None:
    assert "\x1b" not in run("catalog", "nowhere", "--no-color").stderr
