"""A set on disk is read back as it was, or refused with the file's name."""

import os

import msgspec
import pyarrow as pa
import pytest
from tests.topology.sample import CATALOG

from warebench.answers.model import Abstain
from warebench.catalog.model import Catalog, Column, Table
from warebench.engine.database import Database
from warebench.errors import SetError
from warebench.questions.assemble import assemble
from warebench.questions.store import RESERVED, read_questions, write_questions
from warebench.tracks.topology.build import Options, build

MADE = build([CATALOG], Options(size=2))


@pytest.fixture
def folder(tmp_path):
    write_questions(MADE, tmp_path)
    return tmp_path


def test_round_trip(folder):
    assert read_questions(folder) == MADE


def test_gold_that_cannot_be_determined_is_kept(tmp_path):
    gold = Abstain("no currency is given", "number")
    question = msgspec.structs.replace(MADE.questions[0], gold=gold)
    made = assemble(
        track="topology",
        profile="default",
        seed=1,
        parameters={},
        catalogs=list(MADE.catalogs.values()),
        questions=[question],
    )
    write_questions(made, tmp_path)
    assert read_questions(tmp_path).questions[0].gold == gold


def test_written_over_an_older_set(folder):
    renamed = msgspec.structs.replace(MADE.catalogs["sample"], name="new")
    question = msgspec.structs.replace(MADE.questions[0], catalog="new")
    other = assemble(
        track="topology", profile="default", seed=1, parameters={}, catalogs=[renamed], questions=[question]
    )
    write_questions(other, folder)
    assert [path.name for path in (folder / "catalogs").iterdir()] == ["new.json"]
    assert read_questions(folder) == other


@pytest.fixture
def with_files(tmp_path):
    kept = tmp_path / "kept.bin"
    kept.write_bytes(b"on disk")
    made = msgspec.structs.replace(MADE)
    return assemble(
        track=made.manifest.track,
        profile="default",
        seed=1,
        parameters={},
        catalogs=made.catalogs.values(),
        questions=made.questions,
        files={"rules/one.md": b"# One", "data.bin": kept},
    )


def test_further_files_come_back(with_files, tmp_path):
    write_questions(with_files, tmp_path / "set")
    read = read_questions(tmp_path / "set")
    assert {path: read.read_file(path) for path in read.files} == {
        "rules/one.md": b"# One",
        "data.bin": b"on disk",
    }
    (tmp_path / "set" / "files" / "rules" / "one.md").write_text("# Two")
    with pytest.raises(SetError, match="not the one the set was built with"):
        read_questions(tmp_path / "set")


def test_a_set_that_cannot_be_written_leaves_the_older_one(folder, with_files):
    (folder.parent / "gone.bin").unlink(missing_ok=True)
    torn = msgspec.structs.replace(with_files, files={"data.bin": folder.parent / "gone.bin"})
    with pytest.raises(SetError, match="cannot be written"):
        write_questions(torn, folder)
    assert read_questions(folder) == MADE
    assert not (folder / ".draft").exists()


def test_a_path_that_leads_out_of_the_set_is_refused(with_files, tmp_path):
    with pytest.raises(SetError, match="cannot be the path of a file"):
        write_questions(msgspec.structs.replace(with_files, files={"../x": b""}), tmp_path / "set")


@pytest.mark.parametrize("foreign", ['{"name": "My app"}', "not json"])
def test_a_foreign_manifest_is_left_alone(tmp_path, foreign):
    (tmp_path / "catalogs").mkdir()
    (tmp_path / "catalogs" / "mine.json").write_text("{}")
    (tmp_path / "manifest.json").write_text(foreign)
    with pytest.raises(SetError, match="other files"):
        write_questions(MADE, tmp_path)
    assert (tmp_path / "catalogs" / "mine.json").read_text() == "{}"
    assert (tmp_path / "manifest.json").read_text() == foreign


@pytest.mark.parametrize("name", ["../evil", "/abs", "a/b", ".hidden", "", "x" * 300])
def test_a_name_that_is_no_file_name_is_refused(tmp_path, name):
    catalog = msgspec.structs.replace(MADE.catalogs["sample"], name=name)
    other = assemble(
        track="topology", profile="default", seed=1, parameters={}, catalogs=[catalog], questions=[]
    )
    with pytest.raises(SetError, match="name of a file"):
        write_questions(other, tmp_path / "set")
    assert not (tmp_path / "set").exists()


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("manifest.json", None, "No such file"),
        ("manifest.json", b"{", "torn"),
        ("manifest.json", b"[]", "torn"),
        ("questions.jsonl", None, "No such file"),
        ("questions.jsonl", b"", "not the ones"),
        ("questions.jsonl", b"edited", "not the ones"),
        ("catalogs/sample.json", None, "No such file"),
        ("catalogs/sample.json", b"\xff\xfe", "not the one"),
        ("catalogs/sample.json", b'{"name":"sample","tables":[]}', "not the one"),
    ],
)
def test_damage_is_named(folder, name, content, words):
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(content)
    with pytest.raises(SetError) as error:
        read_questions(folder)
    assert words in str(error.value)
    assert name in str(error.value)


def test_another_format(folder):
    manifest = folder / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"format": 2', '"format": 9'))
    with pytest.raises(SetError, match="format 9"):
        read_questions(folder)


def test_other_files_are_left_alone(tmp_path):
    (tmp_path / "catalogs").mkdir()
    mine = tmp_path / "catalogs" / "mine.json"
    mine.write_text("{}")
    with pytest.raises(SetError, match="other files"):
        write_questions(MADE, tmp_path)
    assert mine.read_text() == "{}"


def test_not_a_folder(tmp_path):
    with pytest.raises(SetError, match="fix: Give the folder"):
        read_questions(tmp_path / "nowhere")


ROWS = Database(
    catalog=Catalog(name="rows", tables=(Table(name="t", columns=(Column(name="a", type="BIGINT"),)),)),
    tables={"t": pa.table({"a": pa.array(range(50), pa.int64())})},
)


@pytest.fixture
def with_rows(tmp_path):
    question = msgspec.structs.replace(MADE.questions[0], catalog="rows", context="rows")
    made = assemble(
        track="topology",
        profile="default",
        seed=1,
        parameters={},
        catalogs=[ROWS.catalog],
        questions=[question],
        databases={"rows": ROWS},
        files={"rule.md": b"# One"},
    )
    write_questions(made, tmp_path)
    assert read_questions(tmp_path).manifest == made.manifest
    return tmp_path


def test_a_flipped_byte_anywhere_is_found(with_rows):
    parts = sorted(path for path in with_rows.rglob("*") if path.is_file())
    assert len(parts) == 5
    for path in parts:
        whole = path.read_bytes()
        for place in range(0, len(whole), 3):
            flipped = bytes([whole[place] ^ (1 << place % 8)])
            path.write_bytes(whole[:place] + flipped + whole[place + 1 :])
            with pytest.raises(SetError):
                read_questions(with_rows)
        path.write_bytes(whole)
    read_questions(with_rows)


def test_another_number_in_the_manifest_is_found(folder):
    manifest = folder / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"seed": 7', '"seed": 8'))
    with pytest.raises(SetError, match="checksum does not fit"):
        read_questions(folder)


def test_a_set_without_a_checksum_is_refused(folder):
    manifest = folder / "manifest.json"
    whole = msgspec.json.decode(manifest.read_bytes())
    manifest.write_bytes(msgspec.json.encode({**whole, "checksum": ""}))
    with pytest.raises(SetError, match="checksum does not fit"):
        read_questions(folder)


def test_rows_that_unpack_to_too_much_are_refused_before_they_do(with_rows, monkeypatch):
    monkeypatch.setattr("warebench.questions.store.decode_table", None)
    monkeypatch.setenv("WAREBENCH_MAX_UNPACKED", "0.0000003")
    monkeypatch.setattr("warebench.questions.store.read_whole", lambda path, _: path.read_bytes())
    with pytest.raises(SetError, match="unpacks to") as caught:
        read_questions(with_rows)
    assert "WAREBENCH_MAX_UNPACKED" in caught.value.fix


@pytest.mark.parametrize("name", ["manifest.json", "questions.jsonl", "catalogs/rows.json", "files/rule.md"])
@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_what_could_be_read_for_ever_is_refused(with_rows, name, kind):
    path = with_rows / name
    path.unlink()
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "device":
            path.symlink_to("/dev/zero")
        case "folder":
            path.mkdir()
    with pytest.raises(SetError):
        read_questions(with_rows)


@pytest.mark.parametrize(
    "raw", ['{"a":' * 1_000_000, "[" * 1_000_000, "\udcff".encode("utf-8", "surrogatepass")]
)
def test_deep_nesting_and_odd_bytes_are_the_users(folder, raw):
    content = raw if isinstance(raw, bytes) else raw.encode()
    for name in ("manifest.json", "catalogs/sample.json"):
        whole = (folder / name).read_bytes()
        (folder / name).write_bytes(b'{"x": ' + content)
        with pytest.raises(SetError):
            read_questions(folder)
        (folder / name).write_bytes(whole)


@pytest.mark.parametrize("name", ["aux", "CON", "nul.old", "~aux", "~~com1", "lpt9", "prn"])
def test_a_database_may_be_called_like_a_device_of_windows(tmp_path, name):
    catalog = msgspec.structs.replace(ROWS.catalog, name=name)
    made = assemble(
        track="topology",
        profile="default",
        seed=1,
        parameters={},
        catalogs=[catalog],
        questions=[msgspec.structs.replace(MADE.questions[0], catalog=name, context=name)],
        databases={name: Database(catalog=catalog, tables=ROWS.tables)},
        files={f"databases/{name}.sqlite": b"rows"},
    )
    write_questions(made, tmp_path)
    read = read_questions(tmp_path)
    assert read.manifest == made.manifest
    assert read.read_file(f"databases/{name}.sqlite") == b"rows"
    on_disk = [part for path in tmp_path.rglob("*") for part in path.relative_to(tmp_path).parts]
    assert not any(RESERVED.fullmatch(part) for part in on_disk)
