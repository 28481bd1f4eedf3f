"""Drawing questions: so many of each group, by pair, in the order of the set."""

import msgspec

from warebench.catalog.bundled import load_bundled
from warebench.questions.sample import draw
from warebench.tracks.dispatch import build_questions, obfuscate_questions

MADE = build_questions("topology", load_bundled("tpc_di"), size=4)


def subtype(question):
    return question.subtype


def test_at_most_so_many_of_each_in_order():
    drawn = draw(MADE.questions, subtype, 2, seed=1)
    assert [question for question in MADE.questions if question in drawn] == drawn
    for name in {question.subtype for question in MADE.questions}:
        asked = sum(question.subtype == name for question in MADE.questions)
        assert sum(question.subtype == name for question in drawn) == min(2, asked)


def test_twins_are_drawn_in_pairs():
    twins = obfuscate_questions(MADE, "tables").questions
    drawn, hidden = (draw(questions, subtype, 2, seed=1) for questions in (MADE.questions, twins))
    assert [question.pair_id for question in hidden] == [question.id for question in drawn]


def test_another_seed_draws_others_and_order_does_not_matter():
    drawn = draw(MADE.questions, subtype, 2, seed=1)
    assert drawn != draw(MADE.questions, subtype, 2, seed=2)
    again = draw(reversed(MADE.questions), subtype, 2, seed=1)
    assert {question.id for question in again} == {question.id for question in drawn}
    assert draw([msgspec.structs.replace(q, text="") for q in MADE.questions], subtype, 2, seed=1)
