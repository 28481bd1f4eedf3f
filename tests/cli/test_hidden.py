"""No command prints or stores a password or a key, and none lets a name move the cursor."""

import sqlite3
from pathlib import Path

import pytest

from warebench.cli.program import COMMANDS

HIDE_ME = "Qz7-geheim-0815"
ADDRESS = f"postgresql://ann:{HIDE_ME}@127.0.0.1:1/shop"
QUERY = f"postgresql://127.0.0.1:1/shop?user=ann&password={HIDE_ME}"
SPELLED = f"mysql://ann:{HIDE_ME}%40x@127.0.0.1:1/shop"

CALLS = [
    *(
        words
        for address in (ADDRESS, QUERY, SPELLED)
        for words in (
            ["catalog", address],
            ["catalog", address, "--format", "json"],
            ["build", "topology", "--source", address],
            ["build", "multitable", "--source", address],
            ["build", "budget", "--source", address],
            ["build", "intelligence", "--source", address],
            ["init", address],
            ["check", address],
            ["diff", address, address],
            ["score", address],
            ["report", address],
            ["compare", address, address, address],
            ["run", "topology", "--questions", address, "--model", "policy/oracle"],
            ["run", "topology", "--model", address, "--method", "flat_text", "--dry-run"],
            ["list", address],
        )
    ),
    ["catalog", "named"],
    ["catalog", "from_environment"],
    ["build", "topology", "--source", "named"],
    ["run", "topology", "--model", "x/y", "--method", "flat_text", "--dry-run", "-M", f"api_key={HIDE_ME}"],
    [
        "run",
        "topology",
        "--model",
        "x/y",
        "--method",
        "flat_text",
        "--dry-run",
        "-M",
        f"base_url=http://a:{HIDE_ME}@h",
    ],
    [
        "run",
        "topology",
        "--model",
        "policy/oracle",
        "--method",
        "flat_text",
        "--limit",
        "1",
        "-M",
        f"my_token={HIDE_ME}",
    ],
    ["run", "topology", "--model", f"no/{HIDE_ME}", "--method", "flat_text", "--limit", "1"],
    ["run", "topology", "--model", "no/x", "--method", "flat_text", "-T", f"password={HIDE_ME}"],
    ["build", "topology", "--param", f"api_key={HIDE_ME}"],
    ["audit", ADDRESS],
]


def test_every_command_is_called() -> None:
    assert {words[0] for words in CALLS} == set(COMMANDS)


@pytest.mark.parametrize("flag", ["-v", "-q"])
@pytest.mark.parametrize("words", CALLS, ids=" ".join)
def test_no_command_prints_or_stores_a_secret(run, tmp_path: Path, words: list[str], flag: str) -> None:
    settings = tmp_path / "warebench.toml"
    settings.write_text(
        f'[sources.named]\npath = "{ADDRESS}"\n[sources.from_environment]\nurl_env = "SHOP"\n'
    )
    done = run(*words, flag, SHOP=ADDRESS, TINY_API_KEY=HIDE_ME)
    assert HIDE_ME not in done.stdout + done.stderr
    assert "bug of warebench" not in done.stderr
    for path in tmp_path.rglob("*"):
        if path.is_file() and path != settings:
            assert HIDE_ME.encode() not in path.read_bytes()


HOSTILE = "t\x1b[2J\x9b31m\rx\u202e\x07"


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    path = tmp_path / "hostile.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute(f'CREATE TABLE "{HOSTILE}" (id INTEGER PRIMARY KEY, "c{HOSTILE}" INTEGER)')
        connection.execute(f'CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER REFERENCES "{HOSTILE}"(id))')
        connection.execute("CREATE TABLE d (id INTEGER PRIMARY KEY, b INTEGER REFERENCES b(id))")
    return path


@pytest.mark.parametrize(
    "words",
    [
        ["catalog", "hostile.sqlite"],
        ["catalog", "hostile.sqlite", "--format", "json"],
        ["build", "topology", "--source", "hostile.sqlite", "--size", "1", "--format", "json"],
        ["build", "topology", "--source", "hostile.sqlite", "--size", "1", "-v"],
        ["catalog", HOSTILE],
        ["run", "topology", "--model", HOSTILE, "--method", "flat_text", "--dry-run"],
        ["compare", "none.parquet", HOSTILE, HOSTILE],
        [HOSTILE],
        ["list", HOSTILE],
    ],
    ids=ascii,
)
def test_a_name_never_moves_the_cursor(run, hostile: Path, words: list[str]) -> None:
    done = run(*words)
    shown = done.stdout + done.stderr
    assert not set(shown) & set("\x1b\x9b\r\u202e\x07")
