"""Two builds of one set: what stayed, changed, went and came."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warebench.answers.model import Number
from warebench.answers.result import Comparison
from warebench.catalog.model import Catalog
from warebench.errors import SetError
from warebench.questions.assemble import assemble, identify
from warebench.questions.diff import STATUSES, count_changes, diff_questions
from warebench.questions.model import Certificate, Question


def ask(fact, gold=1, text="How many?", subtype="count", tier="rule"):
    return identify(
        Question(
            id="",
            pair_id="",
            track="intelligence",
            subtype=subtype,
            catalog="shop",
            text=text,
            gold=Number(gold),
            certificate=Certificate(method="m", second_method="s", digest="d"),
            difficulty="easy",
            path_difficulty="easy",
            fact=fact,
            facets={"tier": tier},
        )
    )


def judged(question):
    """Return the question with a comparison that it declares."""
    return identify(msgspec.structs.replace(question, comparison=Comparison(nulls="blank")))


def build(*questions, track="intelligence", **files):
    return assemble(
        track=track,
        profile="default",
        seed=1,
        parameters={},
        catalogs=[Catalog(name="shop", tables=())],
        questions=list(questions),
        files={name: text.encode() for name, text in files.items()},
    )


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ([ask("a")], [ask("a")], [("kept", ())]),
        ([ask("a")], [ask("a", gold=2)], [("changed", ("gold",))]),
        ([ask("a")], [ask("a", text="Count!")], [("changed", ("text",))]),
        ([ask("a")], [ask("a", gold=2, text="Count!")], [("changed", ("text", "gold"))]),
        ([ask("a")], [judged(ask("a"))], [("changed", ("comparison",))]),
        ([ask("a")], [ask("b")], [("new", ()), ("retired", ())]),
        ([ask("a")], [ask("a", tier="analytics")], [("new", ()), ("retired", ())]),
        ([ask("a")], [ask("a", subtype="sum")], [("new", ()), ("retired", ())]),
        ([], [ask("a")], [("new", ())]),
        ([ask("a")], [], [("retired", ())]),
        # siblings pair by content, then by text, then in order
        (
            [ask("a", 1, "x"), ask("a", 2, "y")],
            [ask("a", 2, "y"), ask("a", 3, "x")],
            [("kept", ()), ("changed", ("gold",))],
        ),
        ([ask("", text="x")], [ask("", text="y")], [("new", ()), ("retired", ())]),
    ],
)
def test_what_became_of_each(old, new, expected):
    found = diff_questions(build(*old), build(*new))
    assert [(change.status, change.what) for change in found.changes] == expected


def test_changes_name_both_ids_and_golds():
    one, other = ask("a"), ask("a", gold=2)
    (change,) = diff_questions(build(one), build(other)).changes
    assert (change.old_id, change.new_id) == (one.id, other.id)
    assert (change.old_gold, change.new_gold) == ('{"answer": 1}', '{"answer": 2}')


def test_inputs_that_differ_are_named():
    old = build(ask("a"), same="x", edited="x", gone="x")
    new = build(ask("a"), same="x", edited="y", fresh="x")
    assert [(item.name, item.status) for item in diff_questions(old, new).inputs] == [
        ("edited", "changed"),
        ("fresh", "new"),
        ("gone", "retired"),
    ]


def test_sets_of_two_tracks_are_refused():
    with pytest.raises(SetError, match="two tracks"):
        diff_questions(build(ask("a")), build(ask("a"), track="topology"))


QUESTIONS = st.lists(
    st.builds(ask, st.sampled_from("abc"), st.integers(0, 2), st.sampled_from(["x", "y"])), max_size=6
)


@given(QUESTIONS, QUESTIONS)
def test_every_question_is_told_once(old, new):
    found = diff_questions(build(*old), build(*new))
    counts = {status: sum(of[status] for of in count_changes(found).values()) for status in STATUSES}
    assert counts["kept"] + counts["changed"] + counts["retired"] == len(old)
    assert counts["kept"] + counts["changed"] + counts["new"] == len(new)
    back = diff_questions(build(*new), build(*old))
    assert sum(change.status == "kept" for change in back.changes) == counts["kept"]


@given(QUESTIONS)
def test_a_set_is_kept_by_itself(questions):
    found = diff_questions(build(*questions), build(*questions))
    assert {change.status for change in found.changes} <= {"kept"}
    assert found.inputs == ()
    assert msgspec.json.encode(found) == msgspec.json.encode(
        diff_questions(build(*questions), build(*questions))
    )
