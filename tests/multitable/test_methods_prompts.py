"""Every prompt a model reads, for one small shop.

`python -m tests.multitable.test_methods_prompts` writes the snapshot anew.
"""

from pathlib import Path

import msgspec
import pytest
from tests.multitable.shop import SHOP, shop_set

from warebench.answers.model import Choice, Number, Quantity, Text
from warebench.answers.parse import kind_of
from warebench.errors import RunError
from warebench.harness.sql import QUERY, QUERY_ARGUMENTS
from warebench.harness.structured import answer_schema
from warebench.tracks.multitable.methods import METHODS, find_method, prompts
from warebench.tracks.multitable.methods.settings import Settings
from warebench.tracks.multitable.methods.solvers import schema_and_sizes
from warebench.tracks.multitable.methods.sql_tools import SCHEMA
from warebench.tracks.multitable.methods.subject import as_choice, open_subject
from warebench.tracks.multitable.serialise import FORMATS
from warebench.tracks.multitable.track import METHODS as TRACK_METHODS

SNAPSHOT = Path(__file__).parents[1] / "snapshots" / "multitable" / "prompts.md"


def prompt(method, number=0, settings=Settings(), gold=None):  # noqa: B008
    subject = open_subject(shop_set(), METHODS[method].form)
    question = subject.question_set.questions[number]
    if gold is not None:
        question = msgspec.structs.replace(question, gold=gold)
    context = METHODS[method].context(subject, question, settings)
    if method == "text_to_sql":
        return prompts.sql_prompt(context, question.text)
    options = question.options if subject.form == "choice" else ()
    return prompts.answer_prompt(context, question.text, kind_of(question.gold), options)


def render():
    parts = [f"# System\n\n{prompts.ANSWER_SYSTEM}", f"# System of text_to_sql\n\n{prompts.SQL_SYSTEM}"]
    parts += [f"# {method}\n\n{prompt(method)}" for method in METHODS]
    parts += [
        f"# single_table as {form}\n\n{prompt('single_table', settings=Settings(serialisation=form))}"
        for form in FORMATS
        if form != "markdown"
    ]
    parts += [
        f"# sql_agent: {subtype}\n\n{prompt('sql_agent', number)}" for number, subtype in _of_each_kind()
    ]
    parts += [
        f"# Tool schema\n\n{SCHEMA}\n\n{schema_and_sizes(SHOP)}",
        f"# Tool query\n\n{QUERY} {QUERY_ARGUMENTS}",
    ]
    return "\n\n".join(parts) + "\n"


def _of_each_kind():
    return [(at, question.subtype) for at, question in enumerate(shop_set().questions)][1:]


def test_prompts_are_the_ones_reviewed():
    assert render() == SNAPSHOT.read_text(encoding="utf-8")


@pytest.mark.parametrize("method", [name for name in METHODS if name != "oracle"])
def test_no_prompt_depends_on_gold(method):
    for number, question in enumerate(shop_set().questions):
        forged = {"number": Number(77), "quantity": Quantity(77.5), "text": Text("nobody")}
        gold = Choice("D") if METHODS[method].form == "choice" else forged[kind_of(question.gold)]
        assert prompt(method, number, gold=gold) == prompt(method, number)


def test_single_table_differs_from_choice_in_its_tables_alone():
    for number in range(len(shop_set().questions)):
        merged, whole = prompt("single_table", number), prompt("choice", number)
        assert merged.split("</tables>")[1] == whole.split("</tables>")[1]
        assert merged.count("\n## ") == 1
        assert whole.count("\n## ") == 2


def test_no_row_stands_in_the_prompts_that_show_a_schema_only():
    for method in ("text_to_sql", "code_agent", "sql_agent"):
        assert "2024-" not in prompt(method, 2)


def test_the_letter_is_that_of_the_gold_and_ids_stay():
    whole = shop_set(3)
    lettered = as_choice(whole)
    assert [question.id for question in lettered.questions] == [question.id for question in whole.questions]
    assert lettered.manifest == whole.manifest
    for question in lettered.questions:
        right = question.options["ABCD".index(question.gold.letter)]
        assert right.origin == "gold"
    assert {question.gold.letter for question in lettered.questions} == set("ABCD")


def test_without_options_there_is_no_choice():
    bare = tuple(msgspec.structs.replace(question, options=()) for question in shop_set().questions)
    with pytest.raises(RunError, match="the question has no options"):
        open_subject(msgspec.structs.replace(shop_set(), questions=bare), "choice")


def test_every_kind_has_a_form_and_a_schema():
    for question in (*shop_set().questions, *as_choice(shop_set()).questions):
        kind = kind_of(question.gold)
        assert kind in prompts.FORMATS
        assert answer_schema(kind).json_schema.properties["answer"].anyOf


def test_the_track_lists_these_methods():
    assert tuple(METHODS) == tuple(TRACK_METHODS)


def test_every_serialisation_has_a_notation():
    assert set(prompts.NOTATION) == set(FORMATS)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"calls": -1}, "calls must be at least 0"),
        ({"rounds": -1}, "rounds must be at least 0"),
        ({"serialisation": "markdwn"}, "Did you mean `markdown`"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, message):
    with pytest.raises(RunError, match=message):
        Settings(**arguments)


def test_unknown_methods_are_refused():
    with pytest.raises(RunError, match=r"unknown method `choise`\n  fix: Did you mean `choice`"):
        find_method("choise")


if __name__ == "__main__":
    SNAPSHOT.write_text(render(), encoding="utf-8")
