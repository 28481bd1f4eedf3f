"""Links are proposed from documents, and count only where the data confirm them."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
import pytest
from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolChoice, ToolInfo
from tests.intelligence.shop import DOCUMENTS, FILES, make_database, make_knowledge, write_folder

from warebench.errors import KnowledgeError
from warebench.tracks.intelligence.knowledge.check import check_knowledge
from warebench.tracks.intelligence.knowledge.front_matter import split_front_matter
from warebench.tracks.intelligence.knowledge.links import find_rule, touched_metrics
from warebench.tracks.intelligence.knowledge.model import Knowledge, Rule, Threshold
from warebench.tracks.intelligence.knowledge.read import parse_knowledge, read_knowledge
from warebench.tracks.intelligence.link.confirm import confirm_links
from warebench.tracks.intelligence.link.extract import extract_links
from warebench.tracks.intelligence.link.model import Proposal
from warebench.tracks.intelligence.link.propose import propose_links, read_documents, stored_values
from warebench.tracks.intelligence.link.sentences import (
    find_days,
    find_names,
    find_numbers,
    split_sentences,
)
from warebench.tracks.intelligence.link.truth import confirmed_rules, describe_links, write_truth

DATABASE = make_database()
KNOWLEDGE = make_knowledge()


def with_front_matter() -> dict[str, str]:
    """Return the shop's documents, each with its truth on top."""
    found = {}
    for rule in KNOWLEDGE.rules:
        head = msgspec.to_builtins(rule)
        keys = ("id", "kind", "effective_from", "effective_to", "supersedes", "operations")
        head = {key: head[key] for key in keys if head[key]}
        found[rule.document] = f"---\n{json.dumps(head)}\n---\n\n{DOCUMENTS[rule.document]}"
    return found


def proposals() -> tuple[Proposal, ...]:
    return propose_links(KNOWLEDGE, with_front_matter(), stored_values(KNOWLEDGE, DATABASE))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("# Title\n\nOne. Two!\n\n- *three* four.\n- five", ["Title", "One.", "Two!", "three four.", "five"]),
        ("It costs 3.50 a day.\nNext line.", ["It costs 3.50 a day.", "Next line."]),
        ("", []),
    ],
)
def test_sentences(text: str, wanted: list[str]) -> None:
    assert split_sentences(text) == wanted


def test_longer_names_hide_shorter_ones() -> None:
    names = {"a": ("Revenue", "sales"), "b": ("Revenue per Order",), "c": ("Sales",)}
    assert find_names("The revenue per order rises.", names) == ["b"]
    assert find_names("Revenue per Order and Revenue rise.", names) == ["a", "b"]
    assert find_names("Salesmen know no revenues.", names) == []
    assert find_names("SALES fall.", names) == ["a", "c"]


def test_days_and_numbers() -> None:
    text = (
        "From 1 July 2017 (not 31 June 2017, see 2018-04-01) 3 of 1,000 pay 2.5 % more; see CR-02 and v1.2.3."
    )
    assert list(find_days(text)) == ["2017-07-01", "2018-04-01"]
    assert find_numbers(text) == ["3", "1,000", "2.5 %"]


def test_front_matter_is_split_off() -> None:
    assert split_front_matter("---\nid: A\n---\n\n# T\n", "x.md") == ({"id": "A"}, "# T\n")
    assert split_front_matter("# T\n\n---\n\nText\n", "x.md") == ({}, "# T\n\n---\n\nText\n")
    assert split_front_matter("---\n---\nText", "x.md") == ({}, "Text")
    with pytest.raises(KnowledgeError, match="no mapping"):
        split_front_matter("---\n- a\n---\n", "x.md")


def test_no_model_is_shown_front_matter() -> None:
    knowledge = parse_knowledge({**FILES, **with_front_matter()})
    assert knowledge.documents == KNOWLEDGE.documents


def test_proposals_carry_their_evidence() -> None:
    found = {(item.rule.id, item.metric): item for item in proposals()}
    grace = found["BR-03", "MV-DEL-002"]
    assert grace.evidence == ("The Late Delivery Rate grants one day of grace from 1 July 2017.",)
    assert (grace.dates, grace.origin) == (("2017-07-01",), "front matter")
    assert found["BR-04", "MV-REV-001"].scope == (("customer_state", "SP"),)
    assert found["BR-02", "MV-DEL-001"].numbers == ("30",)
    assert found["BR-05", "MV-DEL-001"].evidence == ()


def test_without_front_matter_there_is_a_name_and_no_operation() -> None:
    found = propose_links(KNOWLEDGE, DOCUMENTS)
    assert {item.origin for item in found} == {"text"}
    assert not any(item.rule.operations for item in found)
    checked = confirm_links(KNOWLEDGE, DATABASE, found)
    assert (checked.confirmed, checked.refuted) == ((), ())
    assert "no gold is made of them" in describe_links(checked)
    assert write_truth(checked) == "rules: []\n"


def test_the_truth_of_the_shop_is_confirmed() -> None:
    checked = confirm_links(KNOWLEDGE, DATABASE, proposals())
    links = {(item.proposal.rule.id, item.proposal.metric) for item in checked.confirmed}
    truth = {(rule.id, metric) for rule in KNOWLEDGE.rules for metric in touched_metrics(rule)}
    assert truth <= links
    assert checked.refuted == ()
    for item in checked.confirmed:
        assert item.before != item.after


def test_what_is_written_is_read_again_and_passes_the_checks(tmp_path: Path) -> None:
    checked = confirm_links(KNOWLEDGE, DATABASE, proposals())
    folder = write_folder(tmp_path / "kb")
    for name, text in with_front_matter().items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "truth.yaml").write_text(write_truth(checked), encoding="utf-8")
    knowledge = read_knowledge(folder)
    check_knowledge(knowledge, DATABASE.catalog)
    assert knowledge.rules == confirmed_rules(checked)
    assert read_documents(folder) == with_front_matter()
    assert [touched_metrics(rule).keys() for rule in knowledge.rules] == [
        touched_metrics(rule).keys() for rule in KNOWLEDGE.rules
    ]
    assert find_rule(knowledge, "BR-07").supersedes == ("BR-03",)


def change_rule(name: str, **change: object) -> Proposal:
    rule = msgspec.structs.replace(find_rule(KNOWLEDGE, name), **change)
    (metric,) = touched_metrics(rule)
    return Proposal(rule=rule, metric=metric, origin="test")


@pytest.mark.parametrize(
    ("proposal", "reason"),
    [
        (
            change_rule("BR-01", operations=(
                Threshold(metrics=("MV-CUS-001",), parameter="minimum_orders", value=1),)),
            "it changes the answer of none of",
        ),
        (
            change_rule("BR-01", operations=(
                Threshold(metrics=("MV-CUS-001",), parameter="grace_days", value=1),)),
            "MV-CUS-001 has no parameter `grace_days`",
        ),
        (change_rule("BR-03", effective_from="2025-01-01"), "it changes the answer of none of"),
        (change_rule("BR-03", effective_from="soon"), "`soon` is no day"),
        (
            Proposal(rule=find_rule(KNOWLEDGE, "BR-01"), metric="MV-XXX-001", origin="test"),
            "there is no metric `MV-XXX-001`",
        ),
    ],
)  # fmt: skip
def test_what_does_not_fit_or_changes_nothing_is_refuted(proposal: Proposal, reason: str) -> None:
    checked = confirm_links(KNOWLEDGE, DATABASE, [proposal])
    assert [item.reason[: len(reason)] for item in checked.refuted] == [reason]
    assert not checked.confirmed


def test_a_composite_inherits_the_operations_on_its_parts() -> None:
    proposal = Proposal(rule=find_rule(KNOWLEDGE, "BR-02"), metric="MV-FUL-001", origin="test")
    checked = confirm_links(KNOWLEDGE, DATABASE, [proposal])
    assert [item.proposal.metric for item in checked.confirmed] == ["MV-FUL-001"]


@pytest.mark.parametrize("head", ["kind: odd", "operations: [{type: filter}]", "wrong: 1"])
def test_torn_front_matter_is_a_user_error(head: str) -> None:
    with pytest.raises(KnowledgeError, match="front matter"):
        propose_links(KNOWLEDGE, {"rules/a.md": f"---\n{head}\n---\nText"})


def speaking(reply: Callable[[str], str]) -> Model:
    """Return a model whose reply is a function of the prompt."""

    def output(
        input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        assert config.response_schema is not None
        made = ModelOutput.from_content("mockllm/model", reply(input[-1].text))
        made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return made

    return get_model("mockllm/model", custom_outputs=output)


def policy(said: Mapping[str, object]) -> Model:
    """Return a model that says one thing about each document that it was told about, else nothing."""

    def reply(prompt: str) -> str:
        for path, words in said.items():
            if f"Document {path}:" in prompt:
                return words if isinstance(words, str) else f"Sure:\n```json\n{json.dumps(words)}\n```"
        return json.dumps({"kind": "definitional", "links": [], "operations": []})

    return speaking(reply)


GRACE = {
    "kind": "temporal",
    "effective_from": "2017-07-01",
    "effective_to": "",
    "links": [
        {
            "metric": "MV-DEL-002",
            "evidence": "The Late Delivery Rate grants one day of grace from 1 July 2017.",
            "dimensions": [],
        }
    ],
    "operations": [{"type": "threshold", "metrics": ["MV-DEL-002"], "parameter": "grace_days", "value": 1}],
}


def extracted(knowledge: Knowledge, words: object) -> tuple[list[Proposal], list[str]]:
    found = extract_links(knowledge, with_front_matter(), policy({"rules/grace.md": words}))
    return list(found.proposals), [item.reason for item in found.disbelieved]


def test_a_model_proposes_links_and_operations_which_the_data_confirm() -> None:
    found, disbelieved = extracted(KNOWLEDGE, GRACE)
    assert disbelieved == []
    assert [(item.metric, item.dates, item.rule.effective_from) for item in found] == [
        ("MV-DEL-002", ("2017-07-01",), "2017-07-01")
    ]
    assert found[0].rule.operations == find_rule(KNOWLEDGE, "BR-03").operations
    assert len(confirm_links(KNOWLEDGE, DATABASE, found).confirmed) == 1


@pytest.mark.parametrize(
    ("words", "reason", "left"),
    [
        ("I would rather not.", "the reply cannot be read: no JSON object", 0),
        ({**GRACE, "kind": "odd"}, "the reply cannot be read: Invalid enum value", 0),
        ({**GRACE, "operations": [{"type": "drop table"}]}, "no operation", 1),
        ({**GRACE, "links": [{**GRACE["links"][0], "metric": "MV-1"}]}, "there is no metric `MV-1`", 0),  # type: ignore[index]
        (
            {**GRACE, "links": [{"metric": "MV-DEL-002", "evidence": "The rate grants a month."}]},
            "the document does not say",
            0,
        ),
        (
            {**GRACE, "links": [{**GRACE["links"][0], "dimensions": [{"dimension": "x", "value": "y"}]}]},  # type: ignore[index]
            "there is no dimension `x`",
            0,
        ),
    ],
)
def test_nothing_a_model_says_is_believed(words: object, reason: str, left: int) -> None:
    found, disbelieved = extracted(KNOWLEDGE, words)
    assert [text[: len(reason)] for text in disbelieved] == [reason]
    assert len(found) == left


def test_a_model_sees_prose_and_definitions_but_no_truth() -> None:
    prompts: list[str] = []

    def reply(prompt: str) -> str:
        prompts.append(prompt)
        return "{}"

    extract_links(KNOWLEDGE, with_front_matter(), speaking(reply))
    assert len(prompts) == len(DOCUMENTS)
    grace = next(prompt for prompt in prompts if "Document rules/grace.md:" in prompt)
    assert "grants one day of grace" in grace
    assert "MV-DEL-002, Late Delivery Rate" in grace
    assert '"parameter": "grace_days"' not in grace
    assert "effective_from: 2017" not in grace


def test_rules_are_data() -> None:
    assert all(isinstance(item.rule, Rule) for item in proposals())
