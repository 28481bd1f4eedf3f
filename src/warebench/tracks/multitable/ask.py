"""Questions about one database instance, each answered by two methods that share no code."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from typing import Any

import duckdb
from msgspec.structs import replace

from warebench.answers.model import Answer
from warebench.engine.database import Database
from warebench.errors import GoldDisagreement
from warebench.queries.bind import Bound, bind
from warebench.queries.compose.phrasing import GIVEN
from warebench.queries.compose.wording import LEFT_OUT
from warebench.queries.fanout import is_repeated
from warebench.queries.model import Query
from warebench.queries.prove import agree, prove
from warebench.queries.solve import Row, join_rows
from warebench.queries.sql import to_sql
from warebench.queries.template import Subcategory, Template
from warebench.questions.assemble import identify
from warebench.questions.model import Certificate, Difficulty, Question, Value, digest
from warebench.tracks.multitable.choices import Choices, choose
from warebench.tracks.multitable.instances import Instance
from warebench.tracks.multitable.restate import restate, same_answer
from warebench.tracks.multitable.wording import answer_format, is_named, to_gold

DIFFICULTY: dict[Subcategory, Difficulty] = {
    "EL": "easy",
    "TS": "easy",
    "CNT": "medium",
    "SUM": "medium",
    "AVG": "medium",
    "CC": "hard",
    "COR": "hard",
}
"""By the paper's three categories: lookup, aggregation, complex calculation (TQA-Bench, section II-C)."""

SPARE = 6
"""Questions drawn for each one wanted: some have no three plausible wrong answers."""

OTHERS = 12
"""Questions drawn besides, whose answers are wrong answers to the ones asked."""


MISSING = (
    "Rows that lack a value in a column used here do not count, whatever other tables hold in its place."
)
"""The rule on missing values stands with the question: a cell may be empty beside a known value elsewhere."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """How many questions each template gives, and how their options are made."""

    count: int
    seed: int
    paper: bool
    once: bool = False
    """Leave out questions in which a quantity of a parent would be added up once for each child."""


def ask(instance: Instance, templates: Sequence[Template], wanted: Wanted) -> list[Question]:
    """Return the questions of all templates about one instance; fewer where its rows give fewer.

    Raises:
        GoldDisagreement: The two methods disagree on any answer.
    """
    connection = instance.database.connect()
    questions: list[Question] = []
    joined: dict[tuple[object, ...], list[dict[str, Any]]] = {}
    for template in templates:
        source = (template.query.table, template.query.alias, template.query.joins)
        if source not in joined:
            joined[source] = join_rows(instance.database, template.query)
        if joined[source]:
            questions += _from_template(instance, template, joined[source], wanted, connection)
    connection.close()
    return questions


def _from_template(
    instance: Instance,
    template: Template,
    rows: Sequence[Row],
    wanted: Wanted,
    connection: duckdb.DuckDBPyConnection,
) -> list[Question]:
    rng = random.Random(f"{wanted.seed}:{instance.name}:{template.name}")  # noqa: S311 - repeatable
    others = 0 if wanted.paper else OTHERS
    bounds = bind(template, rows, wanted.count * SPARE + others, rng)
    chosen = _with_options(bounds, rows, wanted, rng)
    return _mark_siblings([_question(instance, bound, options, connection) for bound, options in chosen])


def _mark_siblings(questions: Sequence[Question]) -> list[Question]:
    """Return the questions, of those that share a fact all but the first marked."""
    facts: set[str] = set()
    marked: list[Question] = []
    for question in questions:
        facets = question.facets | ({"sibling": True} if question.fact in facts else {})
        facts.add(question.fact)
        marked.append(identify(replace(question, facets=facets)))
    return marked


def _with_options(
    bounds: Sequence[Bound], rows: Sequence[Row], wanted: Wanted, rng: random.Random
) -> list[tuple[Bound, Choices]]:
    """Return up to the wanted number of questions with options; those with few rows behind them last.

    They are asked in random order, as frequent entities are drawn first: a question's wrong answers are those
    of other questions, and neither shall be the larger.
    """
    chosen: list[tuple[Bound, Choices]] = []
    for thin in (False, True):
        alike = [bound for bound in bounds if bound.thin is thin]
        rng.shuffle(alike)
        alike = _varied(alike)
        for bound in alike:
            if len(chosen) == wanted.count:
                return chosen
            if wanted.once and is_repeated(bound, rows):
                continue
            others = [other for other in alike if other is not bound]
            if options := choose(bound, others, rows, rng, paper=wanted.paper):
                chosen.append((bound, options))
    return chosen


def _varied(bounds: Sequence[Bound]) -> list[Bound]:
    """Return questions about names reordered: the first with each answer, then the second with each."""
    times: Counter[Any] = Counter()
    turns: list[int] = []
    for bound in bounds:
        turns.append(times[bound.outcome] if is_named(bound.template.query.want) else 0)
        times[bound.outcome] += 1
    return [bounds[at] for at in sorted(range(len(bounds)), key=turns.__getitem__)]


def _question(
    instance: Instance, bound: Bound, choices: Choices, connection: duckdb.DuckDBPyConnection
) -> Question:
    template = bound.template
    gold = prove_bound(connection, bound, instance.name)
    return identify(
        Question(
            id="",
            pair_id="",
            track="multitable",
            subtype=template.subcategory,
            variant=str(template.number),
            catalog=instance.database.catalog.name,
            context=instance.name,
            text=_text(instance.database, bound),
            options=choices.options,
            gold=gold,
            certificate=_certificate(bound, gold),
            difficulty=DIFFICULTY[template.subcategory],
            path_difficulty=DIFFICULTY[template.subcategory],
            # Questions of a composed template with one answer are often one question: the same rows decide.
            fact=f"{instance.name}:{template.name}:{digest(gold if template.strict else bound.text)[:16]}",
            facets={
                "window": instance.window.name,
                "instance": instance.number,
                "tokens": instance.tokens,
                "template": template.name,
                "tables": len(template.query.sources),
                **({"measured": template.measured} if template.measured else {}),
            },
        )
    )


def prove_bound(connection: duckdb.DuckDBPyConnection, bound: Bound, place: str) -> Answer:
    """Return the gold of a bound question, found again in SQL.

    Raises:
        GoldDisagreement: The two methods find or state other answers.
    """
    want = bound.template.query.want
    second = prove(connection, bound.template.query, bound.bindings)
    gold, again = to_gold(want, bound.outcome), restate(want, second)
    if not agree(bound.outcome, second) or not same_answer(gold, again):
        raise GoldDisagreement(
            f"two methods disagree on {bound.template.name} about {place}\n  question: {bound.text}\n"
            f"  python: {bound.outcome!r}, {gold}\n  sql: {second!r}, {again}"
        )
    return gold


def _text(database: Database, bound: Bound) -> str:
    """Return text, what a missing value means where a column used lacks some, and the form of the answer."""
    template = bound.template
    says_so = any(rule in bound.text for rule in (LEFT_OUT, GIVEN)) or not lacks_values(
        database, template.query
    )
    parts = (bound.text, "" if says_so else MISSING, answer_format(template.query.want, template.unit))
    return " ".join(filter(None, parts))


def lacks_values(database: Database, query: Query) -> bool:
    """Return whether a column that a query joins, compares, groups or measures lacks a value in some row."""
    joined = [left for join in query.joins for left, _ in join.on]
    places = (column.partition(".") for column in (*joined, *query.columns))
    return any(database.tables[query.sources[alias]][name].null_count for alias, _, name in places)


def _certificate(bound: Bound, gold: Answer) -> Certificate:
    return Certificate(
        method="warebench.queries.solve.answer",
        second_method="warebench.queries.prove.prove",
        parameters=flatten(bound.bindings),
        sql=to_sql(bound.template.query),
        digest=digest(gold),
    )


def flatten(bindings: Sequence[Mapping[str, Any]]) -> dict[str, Value]:
    """Return bindings as a certificate holds them; those of the subtrahend begin with `2.`."""
    return {
        f"{'2.' if position else ''}{name}": _plain(value)
        for position, binding in enumerate(bindings)
        for name, value in binding.items()
    }


def restore(parameters: Mapping[str, Value]) -> list[dict[str, Value]]:
    """Return the bindings of a certificate."""
    first = {name: value for name, value in parameters.items() if not name.startswith("2.")}
    second = {name[2:]: value for name, value in parameters.items() if name.startswith("2.")}
    return [first, second] if second else [first]


def _plain(value: object) -> Value:
    match value:
        case bool() | int() | float() | str():
            return value
        case Decimal():
            return float(value)
        case date() | time():
            return value.isoformat()
        case _:
            return str(value)
