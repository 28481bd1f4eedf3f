"""A set holds no question that its own gold cannot answer."""

import pytest

from warebench.answers.model import Answer, Choice, NameSet, Path, Text
from warebench.catalog.model import Catalog, Column, Table
from warebench.questions.assemble import assemble, identify, oracle_fault
from warebench.questions.model import Certificate, Question, digest

READ = (
    *(Text(value) for value in ("...", "..", "<new>", "</think>", "yes | no", "yes/no", "no path", "none")),
    *(Text(value) for value in ("I do not know", "unanswerable", "true/false", "{}", '"', "a, b", "**..**")),
    NameSet(("true_orders", "a b")), Path(("a", "b")), Choice("C"),
)  # fmt: skip


@pytest.mark.parametrize("gold", READ, ids=str)
def test_gold_is_read_from_the_reply_that_states_it(gold: Answer) -> None:
    assert oracle_fault(gold) == ""


def _question(gold: Answer, number: int) -> Question:
    certificate = Certificate(method="one", second_method="two", digest=digest(gold))
    question = Question(
        id="", pair_id="", track="topology", subtype="direct_upstream", catalog="shop", text=f"{number}?",
        gold=gold, certificate=certificate, difficulty="easy", path_difficulty="easy", fact=str(number),
    )  # fmt: skip
    return identify(question)


def test_a_question_that_no_reply_can_answer_is_left_out_and_told() -> None:
    catalog = Catalog(
        name="shop", source="here", tables=(Table(name="a", columns=(Column(name="id", type="INT"),)),)
    )
    questions = [_question(NameSet((name,)), number) for number, name in enumerate(("a", "..."))]
    given = {"track": "topology", "profile": "default", "seed": 0, "parameters": {}, "catalogs": [catalog]}
    made = assemble(questions=questions, **given)
    assert made.questions == (questions[0],)
    assert made.manifest.questions == 1
    told = [(item.subtype, item.asked, item.made) for item in made.manifest.shortfalls]
    assert told == [("direct_upstream", 2, 1)]
    assert assemble(questions=questions, stated=False, **given).questions == tuple(questions)
