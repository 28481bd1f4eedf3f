"""The score table: what its columns are, and how it lies on disk. Does not need Inspect."""

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, get_args

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from warebench._version import __version__
from warebench.bounds import check_file, refuse_large
from warebench.errors import RunError, did_you_mean
from warebench.questions.model import digest

Outcome = Literal["verdict", "error", "unscored", "not_run"]
"""Ways a sample ends: judged, broken machinery (em 0), no reading, cancelled or never begun (both em NaN)."""

Kind = Literal["string", "int64", "float64"]

COLUMNS: Final[Mapping[str, tuple[Kind, str]]] = MappingProxyType(
    {
        "track": ("string", "track of the question set"),
        "set_hash": ("string", "SHA-256 of the set's questions.jsonl"),
        "obfuscation": ("string", "none, tables or columns"),
        "model": ("string", "provider/model as given to --model"),
        "method": ("string", "how the model was given the schema"),
        "agent": ("string", "solver that took the place of the method's own, with its arguments"),
        "label": ("string", "version of what ran, as given to --label"),
        "options": ("string", "options of generation and limits that are not the usual ones"),
        "experiment": ("string", "the declared comparison that the run is part of"),
        "probe": ("string", "why the condition does not rank; empty for the benchmark itself"),
        "catalog": ("string", "catalog the question is about"),
        "subtype": ("string", "subtype of the track"),
        "variant": ("string", "named variant of the subtype, empty for its main form"),
        "difficulty": ("string", "easy, medium or hard, fixed by subtype"),
        "path_difficulty": ("string", "easy, medium or hard, by the length of the gold path"),
        "question_id": ("string", "hash of the question, answer included"),
        "pair_id": ("string", "id shared by a question and its obfuscated twins"),
        "fact": ("string", "questions with one fact are siblings: cluster intervals by it"),
        "abstain": ("float64", "1 where gold is that it cannot be answered, else 0"),
        "epoch": ("int64", "1, 2, ... when questions are asked repeatedly"),
        "outcome": ("string", "verdict, error, unscored or not_run"),
        "em": ("float64", "exact match, 0 or 1; 0 for an error, NaN when unscored or not run"),
        "f1": ("float64", "set F1 in [0, 1]; 0 for an error, NaN when unscored or not run"),
        "reason": ("string", "why the outcome is what it is"),
        "input_tokens": ("float64", "tokens read, cached ones included; NaN when not run"),
        "output_tokens": ("float64", "tokens written; NaN when not run"),
        "seconds": ("float64", "seconds the sample took, waiting included; NaN when not run"),
        "tool_calls": ("float64", "tool calls asked for, refused ones included; NaN when not run"),
        "code_runs": ("float64", "code blocks run; NaN when not run"),
        "cost": ("float64", "dollars, by Inspect's prices; NaN where it has none"),
        "log": ("string", "log that holds the answer, as the table's metadata names it"),
        "sample_id": ("string", "the sample's unique id in that log"),
    }
)
"""Column to pandas type and meaning. The question's facets follow as further columns, by their own names, and
columns whose names begin with one of the three prefixes below."""

SETTING: Final = "setting."
"""What of the run can be compared by: a budget, a ranker."""
BREAKDOWN: Final = "by."
"""A facet that is shown beside the subtypes."""
MEASURE: Final = "measure."
"""A further number of one sample."""

MADE_BY: Final = ("model", "method", "agent", "label", "options", "experiment")
"""Columns that tell what ran. Where any of them differs, or a setting, nothing is merged."""
KEY: Final = ("track", "set_hash", "obfuscation", *MADE_BY, "question_id", "epoch")
"""Columns that name a row."""
REQUIRED: Final = ("track", "question_id", "method", "model", "outcome", "em")
"""Columns without which nothing can be reported; the report fills the others where a table lacks them."""
OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)

FORMAT: Final = 3
PARQUET, CSV = ".parquet", ".csv"
"""Endings of a score table: Parquet is read again, CSV is for other programs."""
_METADATA = b"warebench"
_CELL = 16
"""Bytes that a cell takes in memory, about."""


def to_table(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Return rows as a score table: `COLUMNS` in their order, then facets by name; sorted by `KEY`.

    Args:
        rows: Values by column; a missing text is empty, a missing number NaN.
    """
    facets = sorted({name for row in rows for name in row} - COLUMNS.keys())
    frame = pd.DataFrame(rows, columns=[*COLUMNS, *facets])
    for name, (kind, _) in COLUMNS.items():
        frame[name] = _typed(frame[name], kind)
    for name in facets:
        if frame[name].dtype == object:  # words or booleans: None where a question lacks the facet
            frame[name] = frame[name].where(frame[name].notna(), None)
    return frame.sort_values(list(KEY), kind="stable", ignore_index=True)


def check_ending(path: Path) -> None:
    """Refuse the name of a file that says nothing about its form, or something else.

    Raises:
        RunError: It ends neither in .parquet nor in .csv.
    """
    if path.suffix.lower() not in (PARQUET, CSV):
        raise RunError(
            f"a score table is no `{path.suffix or path.name}` file",
            where=str(path),
            fix=f"give --out a name that ends in {PARQUET} (read by `report` and `compare`) or {CSV}",
        )


def write_scores(
    scores: pd.DataFrame, path: str | Path, *, logs: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Write a score table: as Parquet with what it came from and a checksum of it all, or as CSV.

    Args:
        scores: The table.
        path: File to write, ending in .parquet or .csv; it is replaced whole or not at all.
        logs: Log file name to SHA-256, for the record; CSV has no place for it.

    Raises:
        RunError: when a column is missing, the ending is another, or the file cannot be written.
    """
    path = Path(path)
    check_ending(path)
    _check(scores, str(path))
    facts = {
        "format": FORMAT,
        "warebench": __version__,
        "set_hashes": sorted(set(scores["set_hash"])),
        "logs": dict(sorted(logs.items())),
    }
    table = pa.Table.from_pandas(scores, preserve_index=False)
    facts["checksum"] = _checksum(table, facts)
    metadata = {**(table.schema.metadata or {}), _METADATA: json.dumps(facts, sort_keys=True).encode()}
    draft = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix.lower() == CSV:
            scores.to_csv(draft, index=False, lineterminator="\n")
        else:
            pq.write_table(table.replace_schema_metadata(metadata), draft)
        draft.replace(path)
    except OSError as error:
        raise RunError(
            f"the score table cannot be written: {error.strerror or error}",
            where=str(path),
            fix="give a place you may write to, with --out",
        ) from error


def read_scores(path: str | Path) -> pd.DataFrame:
    """Return a score table written by `write_scores`; `frame.attrs["warebench"]` holds its metadata.

    Raises:
        RunError: when the file is missing, torn, edited, of another format, or no score table.
    """
    path = Path(path)
    table = _read_table(path)
    facts = _facts(table)
    if facts.get("format") != FORMAT:
        raise RunError(
            "this Parquet file is no score table of this version",
            where=f"{path}: format {facts.get('format', 'unknown')}, expected {FORMAT}",
            fix="write it again with `warebench score`",
        )
    if facts.pop("checksum", "") != _checksum(table, facts):
        raise RunError(
            "the score table is not what was written: its checksum does not fit",
            where=str(path),
            fix="write it again with `warebench score`; a score table is never edited by hand",
        )
    frame: pd.DataFrame = table.to_pandas()
    _check(frame, str(path))
    frame.attrs[_METADATA.decode()] = facts
    return frame


def _read_table(path: Path) -> pa.Table:
    if path.is_dir():
        raise RunError(
            "a folder is no score table",
            where=str(path),
            fix="make one of a run's logs with `warebench score`, and give that file",
        )
    if path.suffix.lower() == CSV:
        raise RunError(
            "a CSV file has no checksum, and is for other programs to read",
            where=str(path),
            fix=f"write a {PARQUET} file with `warebench score`, and give that",
        )
    try:
        check_file(path, RunError)
        # a dictionary of one value makes millions of rows of a few bytes: what counts is the cells
        packed = pq.read_metadata(path)
        refuse_large(packed.num_rows * packed.num_columns * _CELL, path, RunError)
        table = pq.read_table(path)
        table.validate(full=True)
    except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
        raise RunError(
            f"the score table cannot be read: {error}",
            where=str(path),
            fix="give the file that `warebench score` wrote",
        ) from error
    return table


def _facts(table: pa.Table) -> dict[str, Any]:
    """Return what a table says of itself; nothing where that is torn, or not ours."""
    try:
        found = json.loads((table.schema.metadata or {}).get(_METADATA, b"{}"))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _checksum(table: pa.Table, facts: Mapping[str, Any]) -> str:
    """Return the SHA-256 of every cell, the type of every column and all metadata of a table."""
    metadata = sorted(
        (key, value) for key, value in (table.schema.metadata or {}).items() if key != _METADATA
    )
    columns = [(name, str(table.schema.field(name).type)) for name in table.column_names]
    cells = [table[name].to_pylist() for name in table.column_names]
    return digest([facts, metadata, columns, cells])


def _typed(values: pd.Series, kind: Kind) -> pd.Series:
    match kind:
        case "string":
            return values.astype("string").fillna("")
        case "int64":
            return values.astype("int64")
        case "float64":
            return values.astype("float64")


def _check(frame: pd.DataFrame, where: str) -> None:
    for name in COLUMNS:
        if name not in frame:
            raise RunError(
                f"the score table has no column `{name}`",
                where=where,
                fix=did_you_mean(name, [str(column) for column in frame.columns]),
            )
