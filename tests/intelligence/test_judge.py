"""Stage 2: a judge admits, dismisses, or has a text rewritten; a guard keeps what fixes gold."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    StopReason,
    get_model,
)
from inspect_ai.tool import ToolChoice, ToolInfo
from tests.intelligence.chinook import EXAMPLE, write_chinook

from warebench.engine.database import Database
from warebench.engine.load import read_database
from warebench.errors import BuildError, InternalError
from warebench.tracks.intelligence.analyses.lab import Lab
from warebench.tracks.intelligence.analyses.types import TYPES
from warebench.tracks.intelligence.compute.run import open_database
from warebench.tracks.intelligence.generate.tasks import PATIENCE, Made, Plan, make_tasks
from warebench.tracks.intelligence.judge import review
from warebench.tracks.intelligence.judge.drafts import draft_of, with_text
from warebench.tracks.intelligence.judge.guard import find_losses
from warebench.tracks.intelligence.judge.model import DIMENSIONS, PHRASING, Draft, Judged
from warebench.tracks.intelligence.judge.phrase import phrase_drafts
from warebench.tracks.intelligence.judge.review import judge_review, phrase_review
from warebench.tracks.intelligence.judge.score import judge_drafts, score_draft, text_schema
from warebench.tracks.intelligence.knowledge.model import Knowledge
from warebench.tracks.intelligence.knowledge.read import read_knowledge
from warebench.tracks.intelligence.phrase.leads import RULED, STANDARD
from warebench.tracks.intelligence.replies import RETRIES, ask, open_model, read_object
from warebench.tracks.intelligence.stored import with_pages
from warebench.tracks.intelligence.validate.model import Task
from warebench.tracks.intelligence.validate.programmatic import review as programmatic

DRAFT = Draft(
    id="1",
    text="Say the Revenue for state SP from 1 May 2018 to 31 May 2018 (both days included). "
    "Answer with one number.",
    must_contain=(
        "Revenue",
        "for state SP",
        "from 1 May 2018 to 31 May 2018 (both days included)",
        "Answer with one number.",
    ),
    gold='{"answer": 417.25}',
    sql="SELECT 417.25",
    analysis="point_query",
    metric="Revenue",
)
BETTER = (
    "How high was the Revenue for state SP from 1 May 2018 to 31 May 2018 (both days included)? "
    "Answer with one number."
)


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


def scores(*failed: str) -> str:
    return json.dumps({name: {"score": int(name not in failed), "reason": f"{name}?"} for name in DIMENSIONS})


def judging(*replies: str) -> Model:
    """Return a model that gives replies in turn."""
    left = iter(replies)
    return speaking(lambda _: next(left))


def judge(*replies: str) -> Judged:
    return asyncio.run(judge_drafts([DRAFT], judging(*replies)))


def text(words: str) -> str:
    return json.dumps({"text": words})


def test_a_draft_for_which_all_eight_hold_is_admitted_as_it_is() -> None:
    found = judge(scores())
    assert found == Judged(admitted=(DRAFT,), dismissed=())
    assert found.counts() == {}


@pytest.mark.parametrize("name", [name for name in DIMENSIONS if name not in PHRASING])
def test_a_fault_that_no_text_mends_dismisses_at_once(name: str) -> None:
    found = judge(scores(name, "naturalness"))
    (item,) = found.dismissed
    assert name in item.failed
    assert f"{name}: {name}?" in item.reason
    assert found.counts() == {"naturalness": 1, name: 1}


@pytest.mark.parametrize("name", PHRASING)
def test_a_fault_of_phrasing_is_rewritten_and_scored_once_more(name: str) -> None:
    found = judge(scores(name), text(BETTER), scores())
    assert found == Judged(admitted=(replace(DRAFT, text=BETTER),), dismissed=(), rewritten=("1",))


def test_a_rewritten_text_that_fails_again_is_dismissed() -> None:
    (item,) = judge(scores("naturalness"), text(BETTER), scores("leakage")).dismissed
    assert (item.draft.text, item.failed) == (BETTER, ("leakage",))


LOSSES = [
    (BETTER.replace("for state SP ", ""), "the text no longer says: for state SP"),
    (BETTER.replace("31 May", "30 May"), "the text no longer says: from 1 May 2018"),
    (BETTER.replace(" Answer with one number.", ""), "the text no longer says: Answer with one number."),
    (BETTER + " Compare it with 500.", "the text has a new number: 500"),
    (BETTER + " It was 417.25, was it not?", "the text has a new number: 417.25"),
    (BETTER + " And so on." * 30, "the text is more than 2.5 times as long"),
    ("", "the text no longer says: Revenue"),
]


@pytest.mark.parametrize(("words", "reason"), LOSSES)
def test_a_text_that_loses_or_adds_something_is_dismissed(words: str, reason: str) -> None:
    assert any(loss.startswith(reason) for loss in find_losses(DRAFT, words))
    for found in (
        judge(scores("naturalness"), text(words)),
        asyncio.run(phrase_drafts([DRAFT], judging(text(words)))),
    ):
        (item,) = found.dismissed
        assert found.admitted == ()
        assert reason in item.detail
        assert reason.partition(":")[0] in item.reason


def test_a_text_answer_may_not_be_in_the_text() -> None:
    draft = replace(DRAFT, gold="Rio de Janeiro")
    assert find_losses(draft, BETTER) == []
    assert find_losses(draft, f"{BETTER} (rio de  janeiro?)") == ["the text contains the answer"]


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("no", "no JSON object"),
        ("[1]", "no JSON object"),
        ("{}", "no score of objectivity"),
        ('{"objectivity": 1}', "no score of objectivity"),
        (scores().replace('"score": 1', '"score": 2', 1), "no score of objectivity"),
    ],
)
def test_a_verdict_that_cannot_be_read_admits_nothing(reply: str, reason: str) -> None:
    assert asyncio.run(score_draft(DRAFT, judging(reply))) == reason
    (item,) = judge(reply).dismissed
    assert item.reason == f"the judge's reply cannot be read: {reason}"
    assert judge(reply).counts() == {"other": 1}


REPEATS = '{"objectivity":{"score":1,"reason":"The question has one answer. The question has one ans'
"""As gemma-3-270m replied: it writes sentences of the prompt until its tokens are spent."""


def cut_off(said: str, why: StopReason = "max_tokens") -> Model:
    made = ModelOutput.from_content("mockllm/model", said, stop_reason=why)
    made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return get_model("mockllm/model", custom_outputs=lambda *_: made)


@pytest.mark.parametrize(
    ("said", "why", "reason"),
    [
        (REPEATS, "max_tokens", "cut off at the model's token limit"),
        (f'{{"a": {REPEATS}"}}', "max_tokens", "cut off at the model's token limit"),
        ("", "model_length", "the prompt is too long for the model"),
        ("", "content_filter", "held back by the model's provider"),
        ("", "stop", "no JSON object"),
    ],
)  # fmt: skip
def test_a_reply_without_an_end_says_why(said: str, why: StopReason, reason: str) -> None:
    (item,) = asyncio.run(judge_drafts([DRAFT], cut_off(said, why))).dismissed
    assert item.reason == f"the judge's reply cannot be read: {reason}"
    (item,) = asyncio.run(phrase_drafts([DRAFT], cut_off(said, why))).dismissed
    assert (item.reason, item.draft) == (f"the phrasing model's reply cannot be read: {reason}", DRAFT)


def test_an_object_that_was_whole_before_the_cut_is_read() -> None:
    assert asyncio.run(ask(cut_off('{"text": "a"} and so'), "?", text_schema())).said == {"text": "a"}


def test_a_model_that_does_not_answer_is_a_user_error() -> None:
    retries: list[int | None] = []

    def fail(*given: object) -> ModelOutput:
        config = given[3]
        assert isinstance(config, GenerateConfig)
        retries.append(config.max_retries)
        raise ConnectionError("refused  by\nthe server")

    with pytest.raises(BuildError, match="ConnectionError: refused by the server") as caught:
        asyncio.run(ask(get_model("mockllm/model", custom_outputs=fail), "?", text_schema()))
    assert (caught.value.where, retries) == ("mockllm/model", [RETRIES])


@pytest.mark.parametrize("name", ["nobody/model", "model"])
def test_an_unknown_model_is_a_user_error(name: str) -> None:
    with pytest.raises(BuildError, match="cannot be used"):
        open_model(name)


def test_the_judge_sees_question_gold_sql_and_all_dimensions() -> None:
    prompts: list[str] = []

    def reply(prompt: str) -> str:
        prompts.append(prompt)
        return scores()

    asyncio.run(judge_drafts([DRAFT], speaking(reply)))
    for words in (DRAFT.text, DRAFT.gold, DRAFT.sql, "point query", *DIMENSIONS):
        assert words in prompts[0]


def test_a_model_that_phrases_never_sees_the_answer() -> None:
    prompts: list[str] = []

    def reply(prompt: str) -> str:
        prompts.append(prompt)
        return text(BETTER)

    found = asyncio.run(phrase_drafts([DRAFT], speaking(reply)))
    assert [draft.text for draft in found.admitted] == [BETTER]
    assert "417.25" not in prompts[0]


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ('Sure! ```json\n{"a": {"b": 1}}\n```', {"a": {"b": 1}}),
        ("{not} {\"a\": 1} {\"b\": 2}", {"a": 1}),
        ("none", None),
        ("{", None),
    ],
)  # fmt: skip
def test_objects_are_found_in_replies(said: str, wanted: object) -> None:
    assert read_object(said) == wanted


Base = tuple[Knowledge, Database, list[Task]]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Base:
    """The example of Chinook with tasks of every analysis type, under rules and standard definitions."""
    database = read_database(write_chinook(tmp_path_factory.mktemp("judge") / "chinook.sqlite"))
    knowledge = with_pages(read_knowledge(EXAMPLE), database.catalog)
    quotas = dict.fromkeys((kind.name for kind in TYPES), 3)
    plan = Plan(quotas=quotas, rule_share=0.5, target=30, seed=3, review=programmatic)
    with open_database(database) as opened:
        return knowledge, database, make_tasks(Lab(knowledge, opened), plan).tasks


def test_every_task_of_the_track_becomes_a_draft_that_keeps_its_own_text(base: Base) -> None:
    knowledge, _, tasks = base
    assert {task.analysis for task in tasks} == {kind.name for kind in TYPES}
    for number, task in enumerate(tasks):
        draft = draft_of(knowledge, task, str(number))
        assert find_losses(draft, task.text) == []
        for words in draft.must_contain:
            assert find_losses(draft, task.text.replace(words, "something else"))


def test_a_text_without_its_days_is_our_bug(base: Base) -> None:
    knowledge, _, tasks = base
    task = next(task for task in tasks if task.ask and task.ask.window)
    with pytest.raises(InternalError, match="does not say"):
        draft_of(knowledge, with_text(replace_text(task), "How much? Please."), "1")


def replace_text(task: Task) -> Task:
    """Return a task without a variant under the standard definition."""
    return task.__class__(**{key: getattr(task, key) for key in task.__struct_fields__} | {"standard": None})


def greet(prompt: str) -> str:
    """Rewrite by putting a greeting before the plain version."""
    plain = prompt.partition("must keep exactly:\n")[2].partition("\n\n")[0]
    return text(f"Good morning! {plain}")


def test_reviews_give_new_texts_to_a_task_and_its_twin_alike(base: Base) -> None:
    knowledge, database, tasks = base
    kept, rejected = phrase_review(speaking(greet))(knowledge, database.catalog, tasks)
    assert rejected == []
    assert [task.gold for task in kept] == [task.gold for task in tasks]
    for old, new in zip(tasks, kept, strict=True):
        assert new.text == f"Good morning! {old.text}"
        if new.standard and old.standard:
            (ruled,) = (words for words in RULED if words in new.text)
            (standard,) = (words for words in STANDARD if words in old.standard.text)
            assert new.standard.text == new.text.replace(ruled, standard)


def test_reviews_keep_every_rejection_with_its_reason(base: Base) -> None:
    knowledge, database, tasks = base

    def reply(prompt: str) -> str:
        return scores("correctness") if "trend" in prompt.partition("\n")[0] else scores()

    kept, rejected = judge_review(speaking(reply))(knowledge, database.catalog, tasks)
    trends = [task for task in tasks if task.analysis == "trend"]
    assert [(item.stage, item.analysis, item.reason) for item in rejected] == [
        ("judge", "trend", "correctness")
    ] * len(trends)
    assert kept == [task for task in tasks if task.analysis != "trend"]


def test_one_model_words_and_the_next_judges(base: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    knowledge, database, tasks = base
    models = {"a/words": speaking(greet), "a/judge": speaking(lambda prompt: scores("correctness"))}
    monkeypatch.setattr(review, "open_model", models.__getitem__)
    kept, _ = review.model_review(phrase="a/words")(knowledge, database.catalog, tasks)
    assert all(task.text.startswith("Good morning! ") for task in kept)
    kept, rejected = review.model_review(phrase="a/words", judge="a/judge")(
        knowledge, database.catalog, tasks
    )
    assert kept == []
    assert all("Good morning! " in item.text and item.reason == "correctness" for item in rejected)


def made_with(base: Base, model: Model, size: int) -> tuple[Made, int]:
    """Return what a judge leaves of the tasks of the example, and how often it was asked."""
    knowledge, database, _ = base
    quotas = dict.fromkeys((kind.name for kind in TYPES), size)
    plan = Plan(quotas=quotas, rule_share=0.5, target=30, seed=3, review=judge_review(model))
    with open_database(database) as opened:
        made = make_tasks(Lab(knowledge, opened), plan)
    return made, sum(item.stage == "judge" for item in made.rejections)


def test_a_judge_that_admits_nothing_is_asked_no_more(base: Base) -> None:
    made, rejected = made_with(base, speaking(lambda _: REPEATS), 40)
    assert made.tasks == []
    assert PATIENCE <= rejected < 2 * PATIENCE


def test_a_judge_that_admits_no_question_of_one_type_is_asked_about_the_others(base: Base) -> None:
    def reply(prompt: str) -> str:
        return scores("correctness") if "type is point query" in prompt else scores()

    made, rejected = made_with(base, speaking(reply), 3)
    assert {task.analysis for task in made.tasks} == {kind.name for kind in TYPES} - {"point_query"}
    # Three streams of the type, and a few while rules and metrics are covered.
    assert PATIENCE <= rejected <= 4 * PATIENCE
