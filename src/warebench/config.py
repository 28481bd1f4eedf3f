"""Settings from `warebench.toml` or `[tool.warebench]` in a `pyproject.toml`.

Precedence: flag, then `WAREBENCH_COMMAND_FLAG` in the environment, then the file, then the default. The
nearest file upwards of the working directory counts alone. Paths in a file are relative to that file.
Only settings that exist as flags are known; anything else is an error.
"""

import os
import tomllib
from pathlib import Path

import msgspec

from warebench.bounds import read_whole
from warebench.errors import UserError, did_you_mean

FILE_NAME = "warebench.toml"

Setting = str | int | float | bool | list[str]


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """A named catalog source: a path, or the name of an environment variable that holds it."""

    path: str = ""
    url_env: str = ""
    """Keeps secrets out of the file."""
    reader: str | None = None
    dialect: str | None = None
    schema: list[str] = []
    """Schemas of a server or DuckDB file to read; all when empty."""
    include: list[str] = []
    """Patterns of the tables to read; all when empty."""
    exclude: list[str] = []
    """Patterns of tables and columns to leave out."""

    def resolve(self, name: str) -> str:
        """Return the path.

        Args:
            name: Name of the source, for errors.

        Raises:
            UserError: Neither or both are given, or the variable is not set.
        """
        where = f"[sources.{name}]"
        if bool(self.path) == bool(self.url_env):
            raise UserError("a source has either `path` or `url_env`", where=where, fix="Give one of them.")
        if self.path:
            return self.path
        if not os.environ.get(self.url_env):
            raise UserError(
                f"the environment variable {self.url_env} is not set",
                where=where,
                fix=f"export {self.url_env}=...",
            )
        return os.environ[self.url_env]


class Build(msgspec.Struct, frozen=True, kw_only=True):
    """Flags of `warebench build`."""

    source: list[str] | None = None
    schema: list[str] | None = None
    include: list[str] | None = None
    exclude: list[str] | None = None
    profile: str | None = None
    size: int | None = None
    seed: int | None = None
    subtype: list[str] | None = None
    param: list[str] | None = None
    preset: str | None = None
    obfuscate: list[str] | None = None
    out: str | None = None


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """Flags of `warebench run`."""

    questions: list[str] | None = None
    model: list[str] | None = None
    method: list[str] | None = None
    limit: int | None = None
    limit_per_subtype: int | None = None
    epochs: int | None = None
    log_dir: str | None = None


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """Flags of `warebench score`."""

    out: str | None = None


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Flags of `warebench report`."""

    out: str | None = None
    format: list[str] | None = None
    fail_under: float | None = None


class Compare(msgspec.Struct, frozen=True, kw_only=True):
    """Flags of `warebench compare`."""

    by: str | None = None
    alpha: float | None = None
    fail_on: str | None = None


class SettingsFile(msgspec.Struct, frozen=True, kw_only=True):
    """A settings file, one section per command."""

    sources: dict[str, Source] = {}
    build: Build = Build()
    run: Run = Run()
    score: Score = Score()
    report: Report = Report()
    compare: Compare = Compare()


PATHS = {"path", "out", "log_dir", "questions"}
"""Settings that are paths."""


LAYOUTS = ("spider:", "bird:")
"""What stands before the path of a collection."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What a settings file says; empty when there is none."""

    path: Path | None = None
    sources: dict[str, Source] = {}
    sections: dict[str, dict[str, Setting]] = {}

    def of_command(self, name: str) -> dict[str, Setting]:
        """Return the values of a command's flags that the file sets."""
        return self.sections.get(name, {})


def read_settings(path: Path | None = None, start: Path | None = None) -> Settings:
    """Return the settings of a file.

    Args:
        path: The file; the nearest one upwards of `start` when left out.
        start: Where to look from; the working directory when left out.

    Raises:
        UserError: The file cannot be read, is not TOML, or has an unknown key or a wrong value.
    """
    found = path or _nearest((start or Path.cwd()).resolve())
    if found is None:
        return Settings()
    content = _section(_load(found), found)
    _check_keys(content, found)
    try:
        file = msgspec.convert(_anchor(content, found.resolve().parent), SettingsFile)
    except msgspec.ValidationError as error:
        raise UserError(
            f"a setting does not fit: {error}",
            where=str(found),
            fix="Correct it; `warebench init` writes a commented file to compare with.",
        ) from error
    commands = {name: getattr(file, name) for name in SettingsFile.__struct_fields__ if name != "sources"}
    sections = {
        name: {key: value for key, value in msgspec.structs.asdict(section).items() if value is not None}
        for name, section in commands.items()
    }
    return Settings(path=found, sources=file.sources, sections=sections)


def _nearest(start: Path) -> Path | None:
    for folder in (start, *start.parents):
        if (folder / FILE_NAME).is_file():
            return folder / FILE_NAME
        project = folder / "pyproject.toml"
        if project.is_file() and "warebench" in _tools(_load(project)):
            return project
    return None


def _load(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(read_whole(path).decode())
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(
            f"the settings cannot be read: {error}", where=str(path), fix="Make it a readable file in UTF-8."
        ) from error
    except (ValueError, RecursionError) as error:
        raise UserError(
            f"this is not TOML: {error}", where=str(path), fix="Correct that line; text stands in quotes."
        ) from error


def _tools(content: dict[str, object]) -> dict[str, object]:
    tools = content.get("tool")
    return tools if isinstance(tools, dict) else {}


def _section(content: dict[str, object], path: Path) -> dict[str, object]:
    if path.name != "pyproject.toml":
        return content
    section = _tools(content).get("warebench")
    if not isinstance(section, dict):
        raise UserError(
            "there is no [tool.warebench] here", where=str(path), fix=f"Write one, or a {FILE_NAME}."
        )
    return section


def _check_keys(content: dict[str, object], path: Path) -> None:
    _refuse_unknown(content, SettingsFile.__struct_fields__, f"{path}")
    fields = {field.name: field.type for field in msgspec.structs.fields(SettingsFile)}
    for name, section in content.items():
        tables = section if name == "sources" else {"": section}
        kind = Source if name == "sources" else fields[name]
        for key, table in tables.items() if isinstance(tables, dict) else ():
            if isinstance(table, dict):
                where = f"{path}, [{name}.{key}]" if key else f"{path}, [{name}]"
                _refuse_unknown(table, kind.__struct_fields__, where)


def _refuse_unknown(table: dict[str, object], known: tuple[str, ...], where: str) -> None:
    for key in table:
        if key not in known:
            raise UserError(f"unknown setting `{key}`", where=where, fix=did_you_mean(key, known))


def _anchor(value: object, folder: Path, key: str = "") -> object:
    """Return the content with every path made absolute; an address (`scheme://...`) is no path."""
    if isinstance(value, dict):
        return {name: _anchor(item, folder, name) for name, item in value.items()}
    if isinstance(value, list):
        return [_anchor(item, folder, key) for item in value]
    if not isinstance(value, str) or "://" in value:
        return value
    layout = next((prefix for prefix in LAYOUTS if value.startswith(prefix)), "")
    path = value.removeprefix(layout)
    is_path = key in PATHS or (key == "source" and (folder / path.partition("?")[0]).exists())
    return layout + str(folder / path) if is_path else value
