"""Does the linkage graph pick rules that matter? The same slices under three ways to pair metric and rule.

`graph` keeps the rule that the graph links to the metric. `semantic` takes the rule whose document is nearest
to the document of that rule, `random` any other one. An operation of a foreign rule is put on every metric of
the slice that it fits; where none fits, or the rule holds for a part of the slice only, nothing changes.

Source: DI-Bench, Appendix C, Table 8.
"""

import math
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import msgspec
import numpy as np

from warebench.errors import MissingExtra, StraddleError, UserError
from warebench.harness.embedding import embed
from warebench.questions.model import QuestionSet
from warebench.stats.intervals import Interval, wilson
from warebench.tracks.intelligence.analyses.figures import figures
from warebench.tracks.intelligence.compute.counterfactual import as_written
from warebench.tracks.intelligence.compute.run import Opened, find_values
from warebench.tracks.intelligence.knowledge.check_rules import check_operation
from warebench.tracks.intelligence.knowledge.links import (
    find_metric,
    find_rule,
    governing_rules,
    metric_tree,
)
from warebench.tracks.intelligence.knowledge.model import Knowledge, Metric, Operation, Rule
from warebench.tracks.intelligence.link.confirm import on_metrics
from warebench.tracks.intelligence.slice import Slice, Window
from warebench.tracks.intelligence.slicing import sliceable
from warebench.tracks.intelligence.stored import ask_of, knowledge_name

STRATEGIES = ("graph", "semantic", "random")
SHARES_OF_WINDOWS = (1.0, 0.5, 0.25)
"""Lengths of drawn windows, relative to the days that the data cover."""


@dataclass(frozen=True, slots=True)
class Case:
    """A slice without rules, and the rule that the graph pairs its metric with."""

    slice: Slice
    rule: str


@dataclass(frozen=True, slots=True)
class Pairing:
    """A case under one strategy."""

    case: Case
    strategy: str
    rule: str
    """The rule that was paired."""
    changed: bool


Nearest = Callable[[Sequence[str]], list[int]]
"""Texts to the position of the other text nearest to each."""


def cases_of_set(question_set: QuestionSet, knowledge: str) -> list[Case]:
    """Return a case for every rule question of a set about one knowledge base: its first required rule.

    These questions were kept because their rules change the answer: `graph` is favoured by construction.
    """
    found = []
    for question in question_set.questions:
        ask = ask_of(question)
        if ask is None or knowledge_name(question) != knowledge or question.facets.get("tier") != "rule":
            continue
        rule = str(question.facets["rules"]).split(",")[0].strip()
        found.append(Case(msgspec.structs.replace(figures(ask)[0].slice, rules=()), rule))
    return found


def cases_of_graph(knowledge: Knowledge, opened: Opened, *, per_link: int, seed: int) -> list[Case]:
    """Return slices drawn for every link of rule and metric, whether or not the rule changes them.

    Args:
        knowledge: The knowledge base, checked.
        opened: Its database.
        per_link: Slices for each link.
        seed: Seed of the draws.
    """
    found = []
    for metric in knowledge.metrics:
        for rule in governing_rules(knowledge, metric.id):
            rng = random.Random(f"{seed}:{metric.id}:{rule}")  # noqa: S311 - repeatable
            for _ in range(per_link):
                found.append(Case(_draw(knowledge, opened, metric, rng), rule))
    return found


def pair_rules(
    knowledge: Knowledge, opened: Opened, cases: Sequence[Case], *, nearest: Nearest, seed: int
) -> list[Pairing]:
    """Return every case under every strategy.

    Args:
        knowledge: The knowledge base, with documents.
        opened: Its database.
        cases: What to pair.
        nearest: `nearest_dense` or `nearest_tfidf`.
        seed: Of the random pairing.

    Raises:
        GoldDisagreement: The two methods differ: a bug of warebench.
    """
    rules = knowledge.rules
    near = nearest([knowledge.documents[rule.document] for rule in rules])
    neighbour = {rule.id: rules[other].id for rule, other in zip(rules, near, strict=True)}
    found = []
    for number, case in enumerate(cases):
        rng = random.Random(f"{seed}:{number}:{case.rule}")  # noqa: S311 - repeatable
        others = [rule.id for rule in rules if rule.id != case.rule]
        paired = (case.rule, neighbour[case.rule], rng.choice(others))
        for strategy, name in zip(STRATEGIES, paired, strict=True):
            changed = changes_answer(knowledge, opened, case.slice, find_rule(knowledge, name))
            found.append(Pairing(case, strategy, name, changed))
    return found


def discriminative_validity(pairings: Sequence[Pairing]) -> dict[str, Interval]:
    """Return the share of pairings that change an answer, with its Wilson interval, by strategy."""
    counts = {name: [item.changed for item in pairings if item.strategy == name] for name in STRATEGIES}
    return {name: wilson(sum(changed), len(changed)) for name, changed in counts.items()}


def changes_answer(knowledge: Knowledge, opened: Opened, wanted: Slice, rule: Rule) -> bool:
    """Return whether a rule, put on the metrics of a slice that it fits, changes the answer as written."""
    trial = fit_rule(knowledge, opened, wanted.metric, rule)
    if not trial.operations:
        return False
    tested = msgspec.structs.replace(knowledge, rules=(trial,))
    decimals = find_metric(knowledge, wanted.metric).decimals
    try:
        after = find_values(tested, opened, msgspec.structs.replace(wanted, rules=(trial.id,)))
    except StraddleError:
        return False
    before = find_values(tested, opened, msgspec.structs.replace(wanted, rules=()))
    return as_written(before, decimals) != as_written(after, decimals)


def fit_rule(knowledge: Knowledge, opened: Opened, metric: str, rule: Rule) -> Rule:
    """Return a rule with each operation on those metrics only, of which a metric is made, that it fits."""
    bare = msgspec.structs.replace(rule, supersedes=(), refers_to=(), facts=())
    tested = msgspec.structs.replace(knowledge, rules=(bare,))
    return msgspec.structs.replace(bare, operations=tuple(_fitting(tested, opened, metric, bare)))


def _fitting(knowledge: Knowledge, opened: Opened, metric: str, rule: Rule) -> Iterator[Operation]:
    for operation in rule.operations:
        for part in metric_tree(knowledge, metric):
            moved = on_metrics(operation, (part.id,))
            try:
                check_operation(knowledge, opened.database.catalog, rule, moved)
            except UserError:
                continue
            yield moved


def _draw(knowledge: Knowledge, opened: Opened, metric: Metric, rng: random.Random) -> Slice:
    window = _window(knowledge, opened, metric, rng)
    dimensions = sliceable(knowledge, opened.database.catalog, metric.id)
    filters: tuple[tuple[str, str], ...] = ()
    if dimensions and rng.random() < 0.5:
        dimension = rng.choice(dimensions)
        groups = find_values(knowledge, opened, Slice(metric=metric.id, group=(dimension.id,), window=window))
        if groups:
            filters = ((dimension.id, str(rng.choice(sorted(groups, key=repr))[0])),)
    return Slice(metric=metric.id, filters=filters, window=window)


def _window(knowledge: Knowledge, opened: Opened, metric: Metric, rng: random.Random) -> Window | None:
    if not all(part.time for part in metric_tree(knowledge, metric.id) if part.relation):
        return None
    months = sorted(key[0] for key in find_values(knowledge, opened, Slice(metric=metric.id, grain="month")))
    if not months:
        return None
    length = max(1, math.ceil(len(months) * rng.choice(SHARES_OF_WINDOWS)))
    start = rng.randint(0, len(months) - length)
    return Window(first=f"{months[start]}-01", last=_last_day(str(months[start + length - 1])))


def _last_day(month: str) -> str:
    year, number = map(int, month.split("-"))
    following = date(year + number // 12, number % 12 + 1, 1)
    return (following - timedelta(days=1)).isoformat()


def choose_nearest() -> tuple[str, Nearest]:
    """Return how documents are compared here, and the function: embeddings where they are installed."""
    try:
        embed([""])
    except MissingExtra:
        return "TF-IDF cosine (the extra `dense` is not installed)", nearest_tfidf
    return "all-MiniLM-L6-v2 embeddings", nearest_dense


def nearest_dense(texts: Sequence[str]) -> list[int]:
    """Return the nearest other text of each by the cosine of embeddings.

    Raises:
        MissingExtra: The extra `dense` is not installed.
    """
    vectors = np.asarray(embed(list(texts)), dtype=np.float64)
    return _nearest(vectors @ vectors.T)


def nearest_tfidf(texts: Sequence[str]) -> list[int]:
    """Return the nearest other text of each by the cosine of TF-IDF vectors of words."""
    words = [Counter(re.findall(r"[^\W\d_]+", text.casefold())) for text in texts]
    spread = Counter(word for counts in words for word in counts)
    columns = {word: place for place, word in enumerate(sorted(spread))}
    vectors = np.zeros((len(texts), len(columns)))
    for row, counts in enumerate(words):
        for word, count in counts.items():
            vectors[row, columns[word]] = count * math.log(len(texts) / spread[word])
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors /= np.where(lengths == 0, 1, lengths)
    return _nearest(vectors @ vectors.T)


def _nearest(cosines: np.ndarray) -> list[int]:
    """Return the position of the largest cosine in each row but on the diagonal; the first of equal ones."""
    found = np.round(cosines, 6)
    np.fill_diagonal(found, -2.0)
    return [int(place) for place in found.argmax(axis=1)]


def table_of(found: Mapping[str, Interval]) -> str:
    """Return discriminative validity as a table in Markdown."""
    lines = ["| pairing | changes the answer | 95 % interval (Wilson) | n |", "|---|---|---|---|"]
    for name, share in found.items():
        lines.append(f"| {name} | {share.estimate:.1%} | {share.low:.1%} to {share.high:.1%} | {share.n} |")
    return "\n".join(lines)
