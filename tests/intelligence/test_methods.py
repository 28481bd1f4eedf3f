"""Every prompt a model reads, and the library it searches.

`python -m tests.intelligence.test_methods` writes the snapshot anew.
"""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.intelligence.shop import make_database, make_knowledge

from warebench.answers.model import Column, Field, Quantity, Record, Table, Text
from warebench.answers.parse import kind_of
from warebench.harness.sql import schema_text
from warebench.harness.structured import answer_schema
from warebench.tracks.intelligence.methods import METHODS, prompts
from warebench.tracks.intelligence.methods.library import (
    PASSAGE,
    find_document,
    open_library,
    search,
    title,
    words,
)
from warebench.tracks.intelligence.methods.settings import Settings
from warebench.tracks.intelligence.methods.subject import open_subject
from warebench.tracks.intelligence.select import Choosing, select
from warebench.tracks.intelligence.tasks import default_set

SNAPSHOT = Path(__file__).parents[1] / "snapshots" / "intelligence" / "prompts.md"
SHOP = make_knowledge().documents
GOLD = {
    "quantity": Quantity(77.5),
    "text": Text("nobody"),
    "record": Record((Field("value", Quantity(77.5)),)),
    "table": Table((Column("group"),), (("nobody",),)),
}


def render():
    schema = schema_text(make_database())
    parts = [
        f"# System of agent\n\n{prompts.agent_system(schema, 20, 100)}",
        f"# System of oracle\n\n{prompts.ORACLE}",
    ]
    parts += [f"# {kind}\n\n{prompts.user_prompt('How much?', kind)}" for kind in prompts.FORMATS]
    given_rule = prompts.given_documents(
        {"rules/grace.md": "# One day of grace\n\nA day late is not late.\n"}
    )
    parts += [
        f"# oracle_rule\n\n{prompts.user_prompt('How much?', 'quantity', [given_rule])}",
        f"# oracle\n\n{prompts.user_prompt('How much?', 'record', [prompts.given_gold(GOLD['record'])])}",
        f"# Last turn\n\n{prompts.LAST_TURN}\n\n{prompts.REFUSED}",
        f"# search_knowledge\n\n{prompts.SEARCH} {prompts.SEARCH_ARGUMENTS}",
        f"# read_document\n\n{prompts.READ} {prompts.READ_ARGUMENTS}",
    ]
    return "\n\n".join(parts) + "\n"


def test_prompts_are_the_ones_reviewed():
    assert render() == SNAPSHOT.read_text(encoding="utf-8")


@pytest.mark.parametrize("condition", ["whole", "oracle_rule", "no_rule"])
def test_no_prompt_of_the_agent_depends_on_gold_or_certificate(condition):
    asked = select(default_set(), Choosing(condition=condition, seed=1, limit_per_subtype=2))
    subject = open_subject(default_set(), asked)
    make, _ = METHODS["agent"]
    for question in asked.questions:
        bare = msgspec.structs.replace(
            question,
            gold=GOLD[kind_of(question.gold)],
            certificate=msgspec.structs.replace(
                question.certificate,
                sql="",
                parameters={"knowledge": question.certificate.parameters["knowledge"]},
            ),
        )
        settings = Settings(condition=condition)
        assert make(subject, bare, settings) == make(subject, question, settings)


def test_rule_documents_stand_in_the_prompt_under_oracle_rule_only():
    asked = select(default_set(), Choosing(condition="rule", seed=1, limit_per_subtype=1))
    subject = open_subject(default_set(), asked)
    make, _ = METHODS["agent"]
    for question in asked.questions:
        needed = str(question.facets["rules"]).split(",")
        _, bare = make(subject, question, Settings(condition="rule"))
        _, given_rules = make(subject, question, Settings(condition="oracle_rule"))
        assert "<document" not in bare
        assert given_rules.count("<document") == len(needed)
        assert given_rules.endswith(bare)


def test_what_can_be_searched_holds_no_structured_truth():
    subject = open_subject(default_set(), select(default_set(), Choosing(seed=1)))
    for library in subject.libraries.values():
        assert {path.partition("/")[0] for path in library.documents} == {"rules", "metrics", "dimensions"}
        assert all(path.endswith(".md") for path in library.documents)


def test_every_kind_of_gold_has_a_form_and_a_schema():
    kinds = {kind_of(question.gold) for question in default_set().questions}
    assert kinds == set(prompts.FORMATS)
    for kind in kinds:
        assert answer_schema(kind).json_schema.properties["answer"].anyOf


def test_a_document_is_found_by_its_own_title():
    for base in open_subject(default_set(), default_set()).libraries.values():
        first = [search(base, title(text), 3)[0].document == path for path, text in base.documents.items()]
        assert sum(first) >= 0.85 * len(first)


DOCUMENTS = {
    "rules/late.md": "# Late orders\n\nAn order is late a day after the promise.\n\nVouchers do not count.",
    "metrics/revenue.md": f"# Revenue\n\n{'Sum of prices. ' * 60}",
    "metrics/orders.md": "# Orders\n\nNumber of orders.",
    "rules/bare.md": "Vouchers",
}


def test_hits_show_title_and_the_passage_that_fits():
    library = open_library(DOCUMENTS)
    (late, *_), revenue = search(library, "late orders voucher", 3), search(library, "PRICE", 3)
    assert (late.document, late.title) == ("rules/late.md", "Late orders")
    assert late.passage == "An order is late a day after the promise."
    assert [hit.document for hit in revenue] == ["metrics/revenue.md"]
    assert len(revenue[0].passage) < PASSAGE + 10
    assert search(library, "vouchers", 9)[0].passage == "Vouchers"


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("rules/late.md", "rules/late.md"),
        ("LATE", "rules/late.md"),
        ("revenue.md", "metrics/revenue.md"),
        ("metrics", None),
        ("", None),
        ("../knowledge/shop.json", None),
    ],
)
def test_a_document_opens_by_its_path_or_a_part_of_its_own(name, path):
    assert find_document(open_library(DOCUMENTS), name) == path


@given(st.text(), st.integers(1, 9))
def test_searching_never_fails_and_is_the_same_every_time(query, count):
    library = open_library(DOCUMENTS)
    hits = search(library, query, count)
    assert len(hits) <= count
    assert hits == search(library, query, count)
    assert len({hit.document for hit in hits}) == len(hits)


def test_words_are_compared_without_endings():
    assert words("The Vouchers of SP-2018 classes, status") == ["voucher", "sp", "2018", "classe", "status"]


if __name__ == "__main__":
    SNAPSHOT.parent.mkdir(exist_ok=True)
    SNAPSHOT.write_text(render(), encoding="utf-8")
