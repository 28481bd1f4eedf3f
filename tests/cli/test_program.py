"""The program: its help, how fast it starts, and what every way to fail looks like."""

import signal
import subprocess
import sys

import click
import pytest

from warebench._version import __version__
from warebench.cli.program import COMMANDS, main
from warebench.errors import GoldDisagreement, UserError


def commands() -> list[tuple[str, click.Command]]:
    context = click.Context(main)
    found = [(name, main.get_command(context, name)) for name in COMMANDS]
    return [(name, command) for name, command in found if command is not None]


def start(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "warebench", *words], capture_output=True, text=True, check=False
    )


def test_help_imports_click_and_nothing_else() -> None:
    # What help costs is what it imports; seconds would depend on the machine.
    code = (
        "import sys\n"
        "before = set(sys.modules)\n"
        "from warebench.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(sorted(new - set(sys.stdlib_module_names)), file=sys.stderr)\n"
        "rooms = {name for name in sys.modules if name.startswith('warebench.')}\n"
        "print(sorted(name for name in rooms if not name.startswith('warebench.cli')), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines() == [
        "['click', 'warebench']",
        "['warebench._version', 'warebench.errors', 'warebench.secrets']",
    ]
    assert all(name in done.stdout for name in COMMANDS)


@pytest.mark.parametrize("name", ["catalog", "build", "check", "run", "score", "list", "init"])
def test_no_command_needs_inspect_for_its_help(name: str) -> None:
    code = (
        "import sys\n"
        "from warebench.cli import main\n"
        f"try: main(['{name}', '--help'])\n"
        "except SystemExit: pass\n"
        "print('inspect_ai' in sys.modules, 'torch' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "False False"


@pytest.mark.parametrize(("name", "command"), commands())
def test_every_command_explains_itself(name: str, command: click.Command) -> None:
    assert command.get_short_help_str(200) == COMMANDS[name]
    text = command.get_help(click.Context(command, info_name=name))
    example = text[text.index("Example:") :]
    assert f"warebench {name}" in example
    for option in command.params:
        if isinstance(option, click.Option):
            words = [word for word in option.opts if word.startswith("--")]
            assert all(word == word.lower() and "_" not in word for word in words)
            assert option.help or option.show_default, option.name
    assert {"--config", "--quiet", "--verbose", "--no-color", "--version"} <= {
        word for option in command.params for word in option.opts
    }


def test_commands_are_in_the_reference() -> None:
    done = subprocess.run([sys.executable, "scripts/reference.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_version(run) -> None:
    assert run("--version").stdout == run("build", "--version").stdout == f"warebench {__version__}\n"


@pytest.mark.parametrize(
    "words",
    [
        ["-q", "build", "topology", "--size", "1", "--out", "x"],
        ["build", "-q", "topology", "--size", "1", "--out", "x"],
        ["-v", "build", "topology", "--size", "1", "--out", "x", "-q"],
    ],
)
def test_common_options_stand_before_a_command_or_after_it(run, words: list[str]) -> None:
    done = run(*words)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "total" in done.stdout


def test_settings_named_before_the_command_count(run, tmp_path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[build]\nsize = 1\nseed = 3\n")
    for words in (["--config", str(file), "build"], ["build", "--config", str(file)]):
        assert f"seed = 3  ({file})" in run("-v", *words, "topology", "--dry-run").stderr


def test_unknown_command_names_the_closest(run) -> None:
    done = run("biuld")
    assert done.exit_code == 2
    assert "Did you mean 'build'?" in done.stderr


def test_unknown_flag_is_exit_2(run) -> None:
    done = run("list", "tracks", "--fromat", "json")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--format" in done.stderr


def failing(error: BaseException):
    def read(*_: object, **__: object) -> None:
        raise error

    return read


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (
            UserError("it is torn", where="a file", fix="Mend it."),
            2,
            "Error: it is torn\n  where: a file\n  fix: Mend it.",
        ),
        (
            GoldDisagreement("two methods disagree"),
            2,
            "bug of warebench, please report it: GoldDisagreement: two",
        ),
        (ZeroDivisionError("1/0"), 2, "bug of warebench, please report it: ZeroDivisionError: 1/0\nAdd -v"),
        (PermissionError(13, "Permission denied", "/a/b"), 2, "Error: Permission denied\n  where: /a/b"),
        (OSError("no file"), 2, "bug of warebench, please report it: OSError: no file"),
        (KeyboardInterrupt(), 130, "Interrupted."),
        (RuntimeError("Query interrupted"), 130, "Interrupted."),
    ],
)
def test_failure(run, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, said: str) -> None:
    monkeypatch.setattr("warebench.cli.catalog.find_catalog", failing(error))
    done = run("catalog", "shop")
    assert done.exit_code == code
    assert said in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_verbose_shows_the_traceback_of_a_bug_only(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warebench.cli.catalog.find_catalog", failing(ZeroDivisionError()))
    assert "Traceback" in run("catalog", "shop", "-v").stderr
    monkeypatch.setattr("warebench.cli.catalog.find_catalog", failing(UserError("no")))
    assert "Traceback" not in run("catalog", "shop", "-v").stderr


def test_user_error_in_a_process() -> None:
    done = start("catalog", "nowhere.duckdb")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("Error: no such file or folder")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("handler", "size", "code"), [("signal.default_int_handler", 5000, 130), ("signal.SIG_IGN", 20, 0)]
)
def test_ctrl_c_in_a_process(handler: str, size: int, code: int) -> None:
    # A background job of a shell, as `make test &`, inherits that Ctrl-C is ignored: so the child says it.
    program = (
        "import signal\n"
        f"signal.signal(signal.SIGINT, {handler})\n"
        "from warebench.cli import build, main\n"
        "real = build.build_questions\n"
        "def told(*sources, **options):\n"
        "    print('working', flush=True)\n"
        "    return real(*sources, **options)\n"
        "build.build_questions = told\n"
        f"main(['build', '--size', '{size}', '--dry-run'])"
    )
    working = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert working.stdout is not None
    assert working.stdout.readline() == "working\n"
    assert working.poll() is None, "it was over before it could be interrupted"
    working.send_signal(signal.SIGINT)
    _, said = working.communicate(timeout=60)
    assert working.returncode == code
    assert "Traceback" not in said


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m warebench catalog adventureworks --format json | head -n 1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr, done.returncode) == ("{\n", "", 0)
