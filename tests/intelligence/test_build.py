"""Question sets: proved, sealed by rules, covered, repeatable."""

import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from tests.intelligence import shop

from warebench.answers.compare import compare
from warebench.answers.parse import kind_of, parse
from warebench.answers.render import render
from warebench.engine.database import Database
from warebench.errors import BuildError, KnowledgeError, SetError
from warebench.questions.check import check_questions
from warebench.questions.model import Question, QuestionSet
from warebench.questions.store import encode_questions, read_questions, write_questions
from warebench.tracks.intelligence.analyses.answers import answer
from warebench.tracks.intelligence.analyses.figures import figures
from warebench.tracks.intelligence.analyses.lab import Lab
from warebench.tracks.intelligence.analyses.model import Ask, Unfit
from warebench.tracks.intelligence.analyses.types import TYPES
from warebench.tracks.intelligence.build import Options, build
from warebench.tracks.intelligence.certify import prove_set
from warebench.tracks.intelligence.compute.run import execute, open_database
from warebench.tracks.intelligence.profiles import PAPER_COUNTS, SHARES, quotas
from warebench.tracks.intelligence.stored import ask_of, stored_documents, stored_knowledge


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return shop.write_folder(tmp_path_factory.mktemp("shop") / "knowledge")


def _build(folder: Path, **options: object) -> QuestionSet:
    given = {"knowledge": str(folder), "size": 4, "target": 40, **options}
    return build([shop.make_database(42, 1500)], msgspec.convert(given, Options))


@pytest.fixture(scope="module")
def made(folder: Path) -> QuestionSet:
    return _build(folder)


@pytest.fixture(scope="module")
def market() -> QuestionSet:
    """A small marketplace, with every analysis type."""
    return build([], Options(domains=("ecommerce",), scale=0.03, size=4, target=40))


@pytest.fixture(params=["made", "market"])
def either(request) -> QuestionSet:
    return request.getfixturevalue(request.param)


def _main(question_set: QuestionSet) -> list[Question]:
    return [question for question in question_set.questions if "matched" not in question.facets]


def test_a_set_is_proved_on_disk(either: QuestionSet, tmp_path: Path) -> None:
    write_questions(either, tmp_path / "set")
    assert check_questions(read_questions(tmp_path / "set"), prove_set) == []


def test_every_type_is_asked(market: QuestionSet) -> None:
    found = {kind.name: sum(question.subtype == kind.name for question in _main(market)) for kind in TYPES}
    assert found == {kind.name: 4 for kind in TYPES}
    assert {question.facets["tier"] for question in market.questions} == {"knowledge", "analytics", "rule"}


def _without(lab: Lab, ask: Ask, rules: tuple[str, ...]) -> object:
    """Return the answer by executed SQL under other rules; None where it has none."""
    other = msgspec.structs.replace(ask, rules=rules)
    found = {figure.name: execute(lab.opened, lab.sql(figure)) for figure in figures(other)}
    try:
        return answer(lab.knowledge, other, found)
    except Unfit:
        return None


def _is_right(gold: object, said: object) -> bool:
    return said is not None and compare(gold, parse(render(said), kind_of(gold))).correct


def test_rules_matter_exactly_as_the_facets_say(either: QuestionSet) -> None:
    (database,) = either.databases.values()
    ruled = [question for question in either.questions if question.facets["tier"] == "rule"]
    assert len(ruled) > 8
    with open_database(database) as opened:
        lab = Lab(stored_knowledge(either, str(ruled[0].facets["domain"])), opened)
        for question in ruled:
            ask = ask_of(question)
            assert ask is not None
            needed = str(question.facets["rules"]).split(",")
            assert question.facets["n_rules"] == len(needed) >= 1
            for rule in ask.rules:
                rest = tuple(name for name in ask.rules if name != rule)
                assert _is_right(question.gold, _without(lab, ask, rest)) is (rule not in needed)
            if ask.variant != "no_rules":
                assert not _is_right(question.gold, _without(lab, ask, ())), "ignoring the rules must fail"


def test_matched_variants_differ_by_the_rules_alone(either: QuestionSet) -> None:
    by_id = {question.id: question for question in either.questions}
    twins = [question for question in either.questions if "matched" in question.facets]
    assert twins
    for twin in twins:
        origin = by_id[str(twin.facets["matched"])]
        ask, other = ask_of(twin), ask_of(origin)
        assert ask is not None
        assert other is not None
        assert (twin.fact, twin.variant, twin.facets["tier"]) == (origin.fact, "no_rule", "analytics")
        assert other.rules
        assert ask == msgspec.structs.replace(other, rules=())
        assert not _is_right(origin.gold, twin.gold)
    ruled = [q for q in _main(either) if q.facets["tier"] == "rule"]
    free = [q for q in ruled if (asked := ask_of(q)) and asked.variant == "no_rules"]
    assert len(twins) == len(ruled) - len(free)


def test_facts_are_asked_once(either: QuestionSet) -> None:
    facts = [question.fact for question in _main(either)]
    assert len(set(facts)) == len(facts)
    assert len({question.text for question in either.questions}) == len(either.questions)


def test_a_set_carries_what_it_rests_on(made: QuestionSet) -> None:
    documents = stored_documents(made, "shop")
    assert set(documents) == {
        *shop.DOCUMENTS,
        *(f"metrics/{m.id.lower()}.md" for m in shop.make_knowledge().metrics),
        *(
            f"dimensions/{d}.md"
            for d in ("customer-state", "customer-segment", "item-category", "order-status")
        ),
    }
    assert "SELECT" in documents["metrics/mv-rev-001.md"]
    for question in made.questions:
        assert set(str(question.facets["documents"]).split(",")) <= set(documents)
    record = json.loads(made.read_file("rejections/shop.json"))
    assert sum(row["count"] for row in record["counts"]) == len(record["rejections"])
    assert all(row["reason"] for row in record["counts"])
    assert len(json.loads(made.read_file("artifacts/shop.json"))["nodes"]) == 20
    assert made.manifest.parameters["rejected.computation"] == len(record["rejections"])


def test_every_metric_and_rule_is_asked_about(made: QuestionSet) -> None:
    knowledge = shop.make_knowledge()
    assert {q.facets.get("metric") for q in made.questions} - {None} == {m.id for m in knowledge.metrics}
    needed = {rule for q in made.questions for rule in str(q.facets["rules"]).split(",") if rule}
    assert needed == {rule.id for rule in knowledge.rules} - {"BR-05"}, "no group of the shop is so small"


def test_a_shortfall_says_why(made: QuestionSet) -> None:
    short = {item.subtype: item for item in made.manifest.shortfalls}
    assert "too few values" in short["ranking"].reason, "the shop has four states"


def test_seeds_make_the_set(folder: Path, made: QuestionSet) -> None:
    assert encode_questions(_build(folder).questions) == encode_questions(made.questions)
    assert encode_questions(_build(folder, seed=7).questions) != encode_questions(made.questions)


PROGRAM = """
import sys
from pathlib import Path
sys.path[:0] = [{root!r}]
from tests.intelligence import shop
from warebench.questions.model import digest
from warebench.tracks.intelligence.build import Options, build
options = Options(knowledge={folder!r}, size=1, target=8)
made = build([shop.make_database(42, 400)], options)
print(digest(made.manifest))
"""


def test_hash_seeds_do_not_matter(folder: Path) -> None:
    program = PROGRAM.format(root=str(Path(__file__).parents[2]), folder=str(folder))
    said = {
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }  # fmt: skip
    assert len(said) == 1


def _spoil(made: QuestionSet, path: str, old: str, new: str) -> QuestionSet:
    text = made.read_file(path).decode()
    assert old in text
    return msgspec.structs.replace(made, files={**made.files, path: text.replace(old, new).encode()})


def test_the_proof_notices_what_is_changed(made: QuestionSet) -> None:
    codes = {
        "rule": _spoil(made, "knowledge/shop.json", '"value": 4.0', '"value": 2.0'),
        "document": _spoil(made, "documents/shop/rules/active_customer.md", "from 4 orders", "from 5 orders"),
    }
    for changed in codes.values():
        found = check_questions(changed, prove_set)
        assert {finding.code for finding in found} == {"WB001"}
    orders = made.databases["shop"].tables["orders"].slice(0, 700)
    fewer = Database(catalog=shop.CATALOG, tables={**made.databases["shop"].tables, "orders": orders})
    found = check_questions(msgspec.structs.replace(made, databases={"shop": fewer}), prove_set)
    assert len([finding for finding in found if finding.code == "WB001"]) > 10
    with pytest.raises(SetError, match="no readable knowledge base"):
        prove_set(msgspec.structs.replace(made, files={}))


def test_a_certificate_whose_sql_is_another_is_noticed(made: QuestionSet) -> None:
    first = next(question for question in made.questions if question.certificate.sql)
    other = msgspec.structs.replace(first.certificate, sql="SELECT 1.0 AS value")
    spoiled = msgspec.structs.replace(first, certificate=other)
    assert prove_set(msgspec.structs.replace(made, questions=(spoiled,))) == {first.id: None}


@pytest.mark.parametrize(
    ("databases", "options", "said"),
    [
        (1, {}, "need a knowledge base"),
        (2, {"knowledge": "ecommerce"}, "one database, not 2"),
        (0, {"domains": ("bankng",)}, "Did you mean `banking`"),
        (0, {"knowledge": "ecommerce"}, "about a database"),
        (1, {"domains": ("banking",)}, "you gave a database"),
        (1, {"knowledge": "nowhere"}, "there is no folder `nowhere`"),
        (0, {"profile": "papr"}, "Did you mean `paper`"),
        (0, {"size": -1}, "size is -1, and may be 1 to 10,000"),
        (0, {"size": 0}, "size is 0"),
        (0, {"target": 10**9}, "target is 1000000000, and may be 1 to 10,000"),
        (0, {"minimum": -1}, "minimum is -1, and may be 0 to 10,000"),
        (0, {"workers": 0}, "workers is 0"),
        (0, {"scale": -1.0}, "scale -1"),
        (0, {"scale": float("nan")}, "scale nan"),
        (0, {"scale": 1000.0, "domains": ("banking",)}, "would have 1,080,000,000 rows"),
        (0, {"profile": "paper", "size": 3, "scale": 0.01, "domains": ("ecommerce",)}, "own counts"),
    ],
)
def test_options_that_do_not_fit(databases: int, options: dict[str, object], said: str) -> None:
    with pytest.raises(BuildError) as caught:
        build([shop.make_database()] * databases, Options(**options))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("metrics.yaml", 'o.delivered)"}\n    formula: days', 'o.arrived)"}\n    formula: days', "arrived"),
        ("metrics.yaml", "late: MV-DEL-002, days", "late: MV-FUL-001, days", "made of itself"),
        ("rules/outliers.md", "Average Delivery Time", "Nothing", "names no metric"),
        ("truth.yaml", "supersedes: [BR-03]", "supersedes: []", "contradict"),
    ],
)
def test_faults_of_a_knowledge_base_are_named(
    tmp_path: Path, file: str, old: str, new: str, said: str
) -> None:
    folder = shop.write_folder(tmp_path / "knowledge")
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(KnowledgeError, match=said):
        _build(folder)


def test_quotas_are_the_papers() -> None:
    counts = {name: sum(quotas("paper", name, None, 10).values()) for name in PAPER_COUNTS}
    assert counts == {"ecommerce": 449, "banking": 282}
    default = {name: quotas("default", name, None, 10) for name in PAPER_COUNTS}
    assert sum(map(sum, (found.values() for found in default.values()))) >= 731
    assert min(number for found in default.values() for number in found.values()) >= 10
    ruled = sum(
        round(number * SHARES["paper"])
        for name in PAPER_COUNTS
        for kind, number in quotas("paper", name, None, 10).items()
        if kind != "knowledge_retrieval"
    )
    assert ruled == 175


def test_an_unknown_judge_is_named(folder: Path) -> None:
    with pytest.raises(BuildError, match="nobody/nothing"):
        _build(folder, judge="nobody/nothing", size=1, target=4)
