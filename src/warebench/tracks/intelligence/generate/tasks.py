"""All tasks of one knowledge base: skeletons asked in turn until quotas are met, and reviewed.

Source: DI-Bench, section 3.2 and Appendix L.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from warebench.errors import BuildError, EmptySlice, StraddleError
from warebench.tracks.intelligence.analyses.lab import Lab
from warebench.tracks.intelligence.analyses.metrics import suited_test
from warebench.tracks.intelligence.analyses.model import Analysis, Unfit
from warebench.tracks.intelligence.analyses.types import TYPE, compatible
from warebench.tracks.intelligence.generate.facts import fact_tasks
from warebench.tracks.intelligence.generate.pool import Pool, draw_pool
from warebench.tracks.intelligence.generate.rows import Attempt, make_task
from warebench.tracks.intelligence.knowledge.links import find_dimension, find_metric, metric_tree
from warebench.tracks.intelligence.knowledge.model import Knowledge
from warebench.tracks.intelligence.sampling.subgraph import Subgraph
from warebench.tracks.intelligence.validate.model import Rejection, Review, Task, Tier

TURNS = 6
"""Times that a selected skeleton is asked in one way before unused ones are taken."""

SPARE_TURNS = 2
"""Times that an unused one is."""


PATIENCE = 20
"""Questions in a row that a model may reject before it is asked about no more of that kind: one that rejects
half of all does so by chance once in a million times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is wanted of one knowledge base."""

    quotas: Mapping[Analysis, int]
    rule_share: float
    target: int
    """Skeletons to select, of both tiers together."""
    seed: int
    review: Review


@dataclass(slots=True)
class Load:
    """How often artifacts were asked about: what was asked about least is next."""

    metrics: Counter[str] = field(default_factory=Counter)
    dimensions: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    """Rules that were needed."""

    def add(self, task: Task) -> None:
        """Count a task."""
        if task.skeleton:
            self.metrics[task.skeleton.metric] += 1
            self.dimensions.update(task.skeleton.dimensions)
            self.rules.update(task.required)

    def of(self, subgraph: Subgraph) -> float:
        """Return how much a skeleton's artifacts were asked about, each kind relative to its mean."""
        dimensions, rules = subgraph.dimensions, subgraph.rules
        return (
            _relative(self.metrics, [subgraph.metric], max)
            + _relative(self.dimensions, dimensions, max)
            # One rule that was never needed makes a skeleton worth asking about.
            + _relative(self.rules, rules, min)
        )


def _relative(counts: Counter[str], names: Sequence[str], of: Callable[[Iterable[int]], int]) -> float:
    return of(counts[name] for name in names) * len(counts) / counts.total() if names and counts else 0.0


@dataclass(slots=True)
class Made:
    """Tasks, and what did not become one."""

    tasks: list[Task] = field(default_factory=list)
    rejections: list[Rejection] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Run:
    """The making of one knowledge base's tasks, as far as it is."""

    lab: Lab
    plan: Plan
    pools: Mapping[Tier, Pool]
    made: Made = field(default_factory=Made)
    load: Load = field(default_factory=Load)
    seen: set[str] = field(default_factory=set)

    def count(self, analysis: Analysis, tier: Tier | None = None) -> int:
        """Return how many tasks of a type (and tier) there are."""
        return sum(task.analysis == analysis and tier in (None, task.tier) for task in self.made.tasks)

    @property
    def hopeless(self) -> bool:
        """Whether a model rejected whatever it was shown, and that was enough."""
        return not self.made.tasks and _judged(self.made.rejections) >= PATIENCE


def make_tasks(lab: Lab, plan: Plan) -> Made:
    """Return the tasks of a knowledge base, by analysis type; fewer where data and rules give fewer."""
    pools: dict[Tier, Pool] = {
        "rule": draw_pool(lab, ruled=True, target=plan.target // 2, seed=plan.seed),
        "analytics": draw_pool(lab, ruled=False, target=plan.target - plan.target // 2, seed=plan.seed),
    }
    run = Run(lab, plan, pools)
    _cover(run)
    for analysis, wanted in plan.quotas.items():
        if analysis == "knowledge_retrieval":
            _take(run, fact_tasks(lab.knowledge, plan.seed), wanted)
            continue
        streams = {
            tier: _stream(run, _attempts(lab.knowledge, pool, analysis, run.load))
            for tier, pool in pools.items()
        }
        # What one tier cannot give, the other does.
        ruled = round(wanted * plan.rule_share) - run.count(analysis, "rule")
        _take(run, streams["rule"], min(ruled, wanted - run.count(analysis)))
        _take(run, streams["analytics"], wanted - run.count(analysis))
        _take(run, streams["rule"], wanted - run.count(analysis))
    return run.made


COVERING: tuple[Analysis, ...] = (
    "point_query", "threshold_crossing", "comparison", "trend", "ranking", "decomposition",
)  # fmt: skip
"""Types by which artifacts are covered, in turn; rules that suppress groups show in the last ones."""

COVER_ATTEMPTS = 60
"""Tries for each rule or metric."""


def _cover(run: Run) -> None:
    """Make a task that needs each rule, and one of each metric, where data and quotas allow."""
    for rule in run.lab.knowledge.rules:
        if not run.load.rules[rule.id]:
            _take(run, (task for task in _covering(run, "rule", rule.id) if rule.id in task.required), 1)
    for metric in run.lab.knowledge.metrics:
        if not run.load.metrics[metric.id]:
            _take(run, _covering(run, "analytics", metric.id), 1)


def _covering(run: Run, tier: Tier, name: str) -> Iterator[Task]:
    """Yield tasks about a rule or metric, from a few attempts."""
    pool = run.pools[tier]
    fitting = [one for one in (*pool.selected, *pool.unused) if name in (one.metric, *one.rules)]
    # Those with few dimensions first: they have most rows, and so most often an answer.
    fitting.sort(key=lambda one: len(one.dimensions))
    attempts = (
        Attempt(subgraph, COVERING[(turn + place) % len(COVERING)], -turn)
        for turn in range(1, COVER_ATTEMPTS)
        for place, subgraph in enumerate(fitting)
    )
    wanted = (
        attempt
        for attempt in attempts
        if run.count(attempt.analysis) < run.plan.quotas[attempt.analysis]
        and _suits(run.lab.knowledge, attempt.subgraph, attempt.analysis)
    )
    return _stream(run, islice(wanted, COVER_ATTEMPTS))


def _take(run: Run, stream: Iterator[Task], wanted: int) -> None:
    """Add so many tasks that pass the review, while the stream has them and a model does not reject all."""
    catalog = run.lab.opened.database.catalog
    in_a_row = 0
    while wanted > 0 and in_a_row < PATIENCE and not run.hopeless:
        batch = list(_counted(islice(stream, min(wanted, PATIENCE)), run.load))
        if not batch:
            return
        passed, rejected = run.plan.review(run.lab.knowledge, catalog, batch)
        run.made.tasks += passed
        run.made.rejections += rejected
        wanted -= len(passed)
        in_a_row = 0 if passed else in_a_row + _judged(rejected)


def _judged(rejections: Iterable[Rejection]) -> int:
    return sum(item.stage == "judge" for item in rejections)


def _counted(stream: Iterator[Task], load: Load) -> Iterator[Task]:
    for task in stream:
        load.add(task)
        yield task


def _attempts(knowledge: Knowledge, pool: Pool, analysis: Analysis, load: Load) -> Iterator[Attempt]:
    """Yield attempts in turns: in each, every skeleton once, those first that were asked about least."""
    for skeletons, turns, augmented in ((pool.selected, TURNS, False), (pool.unused, SPARE_TURNS, True)):
        fitting = [subgraph for subgraph in skeletons if _suits(knowledge, subgraph, analysis)]
        for turn in range(turns):
            left = list(fitting)
            while left:
                subgraph = min(left, key=load.of)
                left.remove(subgraph)
                yield Attempt(subgraph, analysis, turn, augmented)


def _suits(knowledge: Knowledge, subgraph: Subgraph, analysis: Analysis) -> bool:
    kinds = [find_dimension(knowledge, name).kind for name in subgraph.dimensions]
    if not compatible(TYPE[analysis], kinds):
        return False
    if analysis == "significance":
        return bool(suited_test(find_metric(knowledge, subgraph.metric)))
    if analysis == "counterfactual" and not subgraph.rules:
        return any(metric.parameters for metric in metric_tree(knowledge, subgraph.metric))
    return True


def _stream(run: Run, attempts: Iterator[Attempt]) -> Iterator[Task]:
    """Yield what attempts make; those that make nothing are put on record."""
    for attempt in attempts:
        try:
            yield make_task(run.lab, attempt, run.plan.seed, run.seen)
        except (Unfit, StraddleError, EmptySlice) as error:
            run.made.rejections.append(_rejection(attempt, error))


def _rejection(attempt: Attempt, error: BuildError) -> Rejection:
    reason = "a rule holds for a part of the days" if isinstance(error, StraddleError) else error.what
    return Rejection(
        stage="computation",
        analysis=attempt.analysis,
        tier="rule" if attempt.subgraph.rules else "analytics",
        skeleton=attempt.subgraph.key,
        reason=reason,
    )
