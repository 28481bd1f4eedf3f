"""All tasks of one knowledge base: skeletons asked in turn until quotas are met, and reviewed.

Source: DI-Bench, section 3.2 and Appendix L.
"""

from collections.abc import Iterator, Mapping
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
from warebench.tracks.intelligence.knowledge.links import find_dimension, find_metric
from warebench.tracks.intelligence.knowledge.model import Knowledge
from warebench.tracks.intelligence.sampling.subgraph import Subgraph
from warebench.tracks.intelligence.validate.model import Rejection, Review, Task, Tier

TURNS = 6
"""Times that a selected skeleton is asked in one way before unused ones are taken."""

SPARE_TURNS = 2
"""Times that an unused one is."""


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
class Made:
    """Tasks, and what did not become one."""

    tasks: list[Task] = field(default_factory=list)
    rejections: list[Rejection] = field(default_factory=list)


def make_tasks(lab: Lab, plan: Plan) -> Made:
    """Return the tasks of a knowledge base, by analysis type; fewer where data and rules give fewer."""
    made = Made()
    pools: dict[Tier, Pool] = {
        "rule": draw_pool(lab, ruled=True, target=plan.target // 2, seed=plan.seed),
        "analytics": draw_pool(lab, ruled=False, target=plan.target - plan.target // 2, seed=plan.seed),
    }
    seen: set[str] = set()
    for analysis, wanted in plan.quotas.items():
        if analysis == "knowledge_retrieval":
            _take(lab, plan, made, fact_tasks(lab.knowledge, plan.seed), wanted)
            continue
        streams = {
            tier: _stream(lab, plan, made, _attempts(lab.knowledge, pool, analysis), seen)
            for tier, pool in pools.items()
        }
        # What one tier cannot give, the other does.
        got = _take(lab, plan, made, streams["rule"], round(wanted * plan.rule_share))
        got += _take(lab, plan, made, streams["analytics"], wanted - got)
        _take(lab, plan, made, streams["rule"], wanted - got)
    return made


def _take(lab: Lab, plan: Plan, made: Made, stream: Iterator[Task], wanted: int) -> int:
    """Add so many tasks that pass the review, where the stream has them; return how many."""
    got = 0
    while got < wanted and (batch := list(islice(stream, wanted - got))):
        passed, rejected = plan.review(lab.knowledge, lab.opened.database.catalog, batch)
        made.tasks += passed
        made.rejections += rejected
        got += len(passed)
    return got


def _attempts(knowledge: Knowledge, pool: Pool, analysis: Analysis) -> Iterator[Attempt]:
    for skeletons, turns, augmented in ((pool.selected, TURNS, False), (pool.unused, SPARE_TURNS, True)):
        fitting = [subgraph for subgraph in skeletons if _suits(knowledge, subgraph, analysis)]
        for turn in range(turns):
            for subgraph in fitting:
                yield Attempt(subgraph, analysis, turn, augmented)


def _suits(knowledge: Knowledge, subgraph: Subgraph, analysis: Analysis) -> bool:
    kinds = [find_dimension(knowledge, name).kind for name in subgraph.dimensions]
    testable = analysis != "significance" or bool(suited_test(find_metric(knowledge, subgraph.metric)))
    return testable and compatible(TYPE[analysis], kinds)


def _stream(
    lab: Lab, plan: Plan, made: Made, attempts: Iterator[Attempt], seen: set[str]
) -> Iterator[Task]:
    """Yield what attempts make; those that make nothing are put on record."""
    for attempt in attempts:
        try:
            yield make_task(lab, attempt, plan.seed, seen)
        except (Unfit, StraddleError, EmptySlice) as error:
            made.rejections.append(_rejection(attempt, error))


def _rejection(attempt: Attempt, error: BuildError) -> Rejection:
    reason = "a rule holds for a part of the days" if isinstance(error, StraddleError) else error.what
    return Rejection(
        stage="computation",
        analysis=attempt.analysis,
        tier="rule" if attempt.subgraph.rules else "analytics",
        skeleton=attempt.subgraph.key,
        reason=reason,
    )
