import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from warebench.errors import RunError
from warebench.harness.scores import COLUMNS, read_scores, to_table, write_scores

ROW: dict[str, Any] = {
    "track": "tiny",
    "set_hash": "abc",
    "obfuscation": "none",
    "model": "m",
    "method": "plain",
    "question_id": "q2",
    "epoch": 1,
    "outcome": "verdict",
    "em": 1.0,
    "f1": 1.0,
    "path_length": 2,
}


def rows() -> list[dict[str, Any]]:
    unscored = {
        "question_id": "q1",
        "outcome": "unscored",
        "em": math.nan,
        "feasible": True,
        "path_length": None,
    }
    return [ROW, {**ROW, **unscored}]


def test_columns_are_complete_ordered_and_typed() -> None:
    table = to_table(rows())
    assert list(table.columns) == [*COLUMNS, "feasible", "path_length"]
    assert list(table["question_id"]) == ["q1", "q2"]
    assert table["catalog"].tolist() == ["", ""]
    assert math.isnan(table["em"][0])
    assert math.isnan(table["seconds"][0])
    assert table["em"].dtype == "float64"


def test_no_row_still_has_columns() -> None:
    assert list(to_table([]).columns) == list(COLUMNS)


def test_every_column_is_explained() -> None:
    assert all(len(meaning) > 5 for _, meaning in COLUMNS.values())


def test_write_and_read_give_the_same_table(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "scores.parquet"
    write_scores(to_table(rows()), path, logs={"b.eval": "2", "a.eval": "1"})
    again = read_scores(path)
    pd.testing.assert_frame_equal(again, to_table(rows()), check_dtype=False)
    facts = again.attrs["warebench"]
    assert facts["set_hashes"] == ["abc"]
    assert facts["logs"] == {"a.eval": "1", "b.eval": "2"}
    assert [entry.name for entry in path.parent.iterdir()] == ["scores.parquet"]


def test_equal_tables_give_equal_bytes(tmp_path: Path) -> None:
    for name in ("a.parquet", "b.parquet"):
        write_scores(to_table(rows()), tmp_path / name)
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_a_flipped_bit_never_changes_a_number(tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    write_scores(to_table(rows()), path)
    whole, said = path.read_bytes(), to_table(rows())
    refused = 0
    for place in range(0, len(whole), 41):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ (1 << place % 8)]) + whole[place + 1 :])
        try:
            again = read_scores(path)
        except RunError:
            refused += 1
        else:  # a statistic or the name of the program that wrote it, which nobody reads
            pd.testing.assert_frame_equal(again, said, check_dtype=False)
    assert refused > 50


def test_an_edited_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    write_scores(to_table(rows()), path)
    table = pq.read_table(path)
    better = table.set_column(table.column_names.index("em"), "em", pa.array([1.0, 1.0]))
    pq.write_table(better, path)
    with pytest.raises(RunError, match="checksum does not fit"):
        read_scores(path)


@pytest.mark.parametrize("ending", [".parquet", ".PARQUET", ".csv"])
def test_the_ending_is_the_form(tmp_path: Path, ending: str) -> None:
    path = str(tmp_path / f"x{ending}")
    write_scores(to_table(rows()), path)
    if ending == ".csv":
        assert pd.read_csv(path)["question_id"].tolist() == ["q1", "q2"]
        with pytest.raises(RunError, match="for other programs"):
            read_scores(path)
    else:
        assert len(read_scores(path)) == 2


@pytest.mark.parametrize("name", ["x", "x.json", "x.parquet.gz", "x.xlsx"])
def test_another_ending_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(RunError, match="a score table is no") as caught:
        write_scores(to_table(rows()), tmp_path / name)
    assert ".csv" in caught.value.fix
    assert not (tmp_path / name).exists()


def test_torn_missing_and_foreign_files_are_named(tmp_path: Path) -> None:
    torn = tmp_path / "torn.parquet"
    write_scores(to_table(rows()), torn)
    torn.write_bytes(torn.read_bytes()[:200])
    foreign = tmp_path / "foreign.parquet"
    to_table(rows()).to_parquet(foreign)
    for path in (torn, foreign, tmp_path / "missing.parquet"):
        with pytest.raises(RunError) as caught:
            read_scores(path)
        assert path.name in caught.value.where
        assert "warebench score" in caught.value.fix


def test_a_folder_of_logs_is_no_score_table(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="a folder is no score table") as caught:
        read_scores(tmp_path)
    assert "warebench score" in caught.value.fix


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no column `method`"):
        write_scores(to_table(rows()).rename(columns={"method": "methods"}), tmp_path / "x.parquet")


def test_does_not_import_inspect() -> None:
    code = "import sys, warebench.harness.scores; print('inspect_ai' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        == "False\n"
    )


def test_a_table_of_millions_of_equal_rows_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "scores.parquet"
    write_scores(to_table([{**ROW, "question_id": "q", "epoch": 1}] * 20_000), path)
    assert path.stat().st_size < 100_000
    monkeypatch.setenv("WAREBENCH_MAX_UNPACKED", "0.001")
    with pytest.raises(RunError, match="unpacks to") as caught:
        read_scores(path)
    assert "WAREBENCH_MAX_UNPACKED" in caught.value.fix


def test_a_pipe_or_a_device_is_no_score_table(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.parquet")
    (tmp_path / "zero.parquet").symlink_to("/dev/zero")
    for name in ("pipe", "zero"):
        with pytest.raises(RunError, match="a pipe, a socket or a device"):
            read_scores(tmp_path / f"{name}.parquet")
