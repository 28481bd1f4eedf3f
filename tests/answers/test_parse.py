import json
import time
from collections import Counter
from pathlib import Path as File

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warebench.answers.model import (
    Abstain,
    Boolean,
    Choice,
    Column,
    Field,
    NameSet,
    Number,
    Path,
    Quantity,
    Record,
    Reply,
    Table,
    Text,
)
from warebench.answers.parse import AnswerKind, Unparsed, kind_of, parse
from warebench.answers.render import render

FIXTURES = File(__file__).resolve().parents[1] / "fixtures" / "answers" / "parse.jsonl"
CASES = [json.loads(line) for line in FIXTURES.read_text(encoding="utf-8").splitlines()]
KINDS: tuple[AnswerKind, ...] = (
    "boolean", "number", "names", "path", "quantity", "text", "choice", "record", "table"
)  # fmt: skip

PIECES = """{"answer": _ answer _ Answer: _ \\boxed{ _ [ _ ] _ { _ } _ " _ ' _ , _ -> _ ` _ true _ no _ 3
_ 1,234 _ .5 _ -$ _ % _ 1e5 _ (B) _ B) _ /C _ or D _ 2020-01-05 _ three _ null _ ... _
{"a": 1} _ "a": _ [{"a": "b", _ }, _ [1, 2] _ {a: _ ]} _
a _ \\ _ ``` _ ** _ : _ “"""
TORN = st.lists(st.sampled_from([*PIECES.split("_"), "\n", " ", "\0", "- "]), max_size=25).map("".join)
NAMES = (
    st.text(alphabet="abXY_1\u00e9\u987e .", min_size=1, max_size=12)
    .map(str.strip)
    .filter(lambda s: s.strip(". "))
)


def stated(reply: Reply | Unparsed) -> object:
    match reply:
        case Unparsed(reason):
            return {"unparsed": reason}
        case Abstain():
            return "abstain"
        case Boolean(value) | Number(value) | Quantity(value) | Text(value) | Choice(value):
            return value
        case NameSet(names) | Path(names):
            return list(names)
        case Record(fields):
            return {"fields": [[field.name, field.value.value] for field in fields]}
        case Table(columns, rows):
            return {"columns": [column.name for column in columns], "rows": [list(row) for row in rows]}


def test_there_are_cases_enough() -> None:
    assert len(CASES) >= 60
    assert len({case["id"] for case in CASES}) == len(CASES)
    counts = Counter(case["kind"] for case in CASES)
    assert all(counts[kind] >= 15 for kind in KINDS), counts


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: dict[str, object]) -> None:
    kind = next(kind for kind in KINDS if kind == case["kind"])
    got = stated(parse(str(case["text"]), kind))
    assert (type(got), got) == (type(case["want"]), case["want"])


@given(st.text() | TORN, st.sampled_from(KINDS))
@settings(max_examples=600, deadline=None)
def test_any_text_gives_a_reply_of_its_kind_or_a_reason(text: str, kind: AnswerKind) -> None:
    reply = parse(text, kind)
    match reply:
        case Unparsed(reason):
            assert reason
        case Abstain():
            pass
        case _:
            assert kind_of(reply) == kind
            assert parse(render(reply), kind) is not None


@given(TORN, st.sampled_from(KINDS), st.lists(NAMES, min_size=2, max_size=5))
@settings(max_examples=200, deadline=None)
def test_the_last_line_wins_over_any_text_before(text: str, kind: AnswerKind, names: list[str]) -> None:
    said: dict[AnswerKind, Reply] = {
        "boolean": Boolean(True),
        "number": Number(7),
        "names": NameSet(tuple(names)),
        "path": Path(tuple(names)),
        "quantity": Quantity(-1234.5),
        "text": Text(names[0]),
        "choice": Choice("C"),
        "record": Record((Field("a", Text(names[0])), Field("b", Text(names[1])))),
        "table": Table((Column("a"), Column("b")), ((names[0], "1"), (None, names[1]))),
    }
    alone = parse(render(said[kind]), kind)
    assert not isinstance(alone, Unparsed)
    assert parse(f"{text}\n{render(said[kind])}", kind) == alone


@given(st.lists(NAMES, min_size=1, max_size=6), st.integers(min_value=0))
@settings(deadline=None)
def test_no_part_of_a_list_is_scored(names: list[str], cut: int) -> None:
    line = render(Path(tuple(names)))
    end = line.index("[") + 1 + cut % (line.index("]") - line.index("["))
    assert parse(line[:end], "path") == Unparsed("truncated")


@given(
    st.lists(NAMES, min_size=2, max_size=6), st.integers(min_value=0), st.sampled_from(["record", "table"])
)
@settings(deadline=None)
def test_no_part_of_a_record_or_table_is_scored(names: list[str], cut: int, kind: AnswerKind) -> None:
    record = Record(tuple(Field(f"f{at}", Text(name)) for at, name in enumerate(names)))
    table = Table((Column("a"), Column("b")), tuple((name, "1") for name in names))
    line = render(record if kind == "record" else table)
    begin = line.index(": ") + 3
    assert parse(line[: begin + cut % (len(line) - 1 - begin)], kind) == Unparsed("truncated")


SIZE = 10_000_000
LARGE = {
    "letters": "a" * SIZE,
    "spaces": " " * SIZE + "x",
    "lines": "\n" * SIZE + "x",
    "braces": "{" * SIZE,
    "brackets": "[" * SIZE,
    "quotes": '"' * SIZE,
    "backslashes": "\\" * SIZE,
    "nested-answers": '{"answer": [' * (SIZE // 12),
    "open-strings": '{"answer": "' * (SIZE // 12),
    "labels": "answer is " * (SIZE // 10),
    "boxes": "\\boxed{" * (SIZE // 7),
    "arrays": '["a", ' * (SIZE // 6),
    "bullets": "- a\n" * (SIZE // 4),
    "arrows": "a -> " * (SIZE // 5),
    "dashes": "\u2500" * (SIZE // 2) + "-" * (SIZE // 2),
    "commas": "a," * (SIZE // 2),
    "digits": '{"answer": ' + "9" * SIZE + "}",
    "latex": "\\boxed{" + "\\text{" * (SIZE // 6) + "}",
    "spaced-brackets": ("[" + " " * 99) * (SIZE // 100),
    "one-string": '{"answer": ["' + "a" * SIZE + '"]}',
    "asterisks": '{"answer": ["' + "*" * SIZE + '"]}',
    "quoted-asterisks": "- " + "**" * (SIZE // 2),
    "letters-apart": "A " * (SIZE // 2),
    "letters-slashed": "Answer: " + "A/" * (SIZE // 2),
    "emphasis": "**1** " * (SIZE // 6),
    "groups": "Answer: 1" + ",234" * (SIZE // 4),
    "points": "Answer: " + "1." * (SIZE // 2),
    "parens": "Answer: B" + " (B)" * (SIZE // 4),
    "minuses": '{"answer": "' + "-" * SIZE + '"}',
    "objects": '{"a": 1}, ' * (SIZE // 10),
    "rows": '{"answer": [' + '{"a": 1, "b": "x"}, ' * (SIZE // 20) + "]}",
    "rows-apart": '{"answer": [' + "".join(f'{{"a{n}": 1, "x": 2}}, ' for n in range(SIZE // 25)) + "]}",
    "pairs": '{"answer": [' + "".join(f'{{"a{n}": 1}}, ' for n in range(SIZE // 16)) + "]}",
    "deep": '{"answer": [{"a": ' + "[{" * (SIZE // 2),
    "open-deep": '{"answer": {"a": {' * (SIZE // 18),
    "bare-keys": '{"answer": {' + "a " * (SIZE // 2),
    "quotes-deep": '{"answer": {"a": [' + '"\\' * (SIZE // 2),
    "curled-deep": '{"answer": {"a": [' + "\u201c" * SIZE,
    "braces-words": "{a " * (SIZE // 3),
    "brackets-braces": "[{" * (SIZE // 2),
    "escapes": '{"answer": ["' + "\\_" * (SIZE // 2) + '"]}',
}


@pytest.mark.parametrize("text", [text[: SIZE // 50] for text in LARGE.values()], ids=list(LARGE))
@pytest.mark.parametrize("kind", KINDS)
def test_large_text_takes_linear_time(text: str, kind: AnswerKind) -> None:
    started = time.process_time()
    parse(text, kind)
    # 0.2 MB take about 0.5 s at most; quadratic work would take hours.
    assert time.process_time() - started < 5


def test_a_megabyte_of_names_is_read() -> None:
    names = tuple(f"table_{number:07}" for number in range(60_000))
    assert parse(render(NameSet(names)), "names") == NameSet(names)
