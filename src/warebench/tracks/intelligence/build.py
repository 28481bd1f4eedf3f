"""Knowledge bases and their databases to a question set: skeletons, tasks, gold by two methods, review."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

import msgspec

from warebench.engine.database import Database
from warebench.errors import BuildError
from warebench.questions.assemble import assemble
from warebench.questions.model import FileContent, Question, QuestionSet, Shortfall
from warebench.tracks.intelligence.analyses.lab import Lab
from warebench.tracks.intelligence.analyses.model import Analysis
from warebench.tracks.intelligence.compute.run import open_database
from warebench.tracks.intelligence.emptiness import refuse_empty
from warebench.tracks.intelligence.generate.questions import to_questions
from warebench.tracks.intelligence.generate.tasks import Made, Plan, make_tasks
from warebench.tracks.intelligence.knowledge.check import check_knowledge
from warebench.tracks.intelligence.knowledge.check_data import check_data
from warebench.tracks.intelligence.knowledge.model import Knowledge
from warebench.tracks.intelligence.profiles import SHARES, quotas
from warebench.tracks.intelligence.sources import Source, find_sources
from warebench.tracks.intelligence.stored import knowledge_files, with_pages
from warebench.tracks.intelligence.validate.model import Rejection, Review
from warebench.tracks.intelligence.validate.programmatic import review
from warebench.worlds.synthetic.plan import check_scale

MOST = 10_000
"""Of questions of one type, skeletons and processes: far more than any knowledge base gives."""


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """How to build an intelligence set."""

    profile: str = "default"
    """`paper`: exactly its 731 questions, 175 of them under rules."""
    size: int | None = None
    """Questions of each analysis type and knowledge base; the paper's counts, or 20, when None."""
    seed: int = 42
    domains: tuple[str, ...] = ()
    """Bundled domains to ask about; empty for both."""
    knowledge: str = ""
    """For a database of your own: the folder of its knowledge base, or the name of a bundled one."""
    scale: float = 1.0
    """Size of the bundled twins, relative to the real data."""
    target: int = 100
    """Skeletons to select for each knowledge base."""
    minimum: int = 10
    """Fewest questions of each analysis type."""
    workers: int = 2
    """Processes, one knowledge base each; the set does not depend on it."""
    phrase: str = ""
    """Model (`provider/model`, as for Inspect) that words the questions; ours when empty."""
    judge: str = ""
    """Model that scores every question in eight dimensions and rewrites faulty wording; none when empty."""


@dataclass(frozen=True, slots=True)
class Built:
    """What one knowledge base gave."""

    database: Database
    files: dict[str, FileContent]
    questions: list[Question]
    shortfalls: list[Shortfall]
    rejected: dict[str, int]
    """Stage of validation to the number of candidates that it rejected."""


def build(
    databases: Sequence[Database], options: Options, progress: Callable[[str], None] = lambda _: None
) -> QuestionSet:
    """Return the set of the bundled domains, or of a user's database, every gold found by two methods.

    Args:
        databases: The user's own, one; empty for the bundled twins that `options` names.
        options: Profile, sizes, seed, knowledge base.
        progress: Called with the name of each source once it is done.

    Raises:
        BuildError: An option does not fit, or nothing can be asked.
        KnowledgeError: A knowledge base contradicts itself, its database or its documents.
        GoldDisagreement: Two methods disagree on any gold.

    Source: DI-Bench, section 3.
    """
    sources = find_sources(databases, options.knowledge, options.domains)
    _check(options)
    made = list(_run(sources, options, progress))
    questions = [question for built in made for question in built.questions]
    if not questions:
        raise BuildError(
            "nothing can be asked",
            fix=". ".join(dict.fromkeys(s.reason for built in made for s in built.shortfalls)),
        )
    return assemble(
        track="intelligence",
        profile=options.profile,
        seed=options.seed,
        parameters={
            "scale": options.scale,
            "target": options.target,
            "minimum": options.minimum,
            "size": options.size or 0,
            **{
                name: model for name, model in (("phrase", options.phrase), ("judge", options.judge)) if model
            },
            **{f"rejected.{stage}": count for stage, count in _summed(made).items()},
        },
        catalogs=[built.database.catalog for built in made],
        questions=questions,
        shortfalls=[item for built in made for item in built.shortfalls],
        databases={built.database.catalog.name: built.database for built in made},
        files={path: content for built in made for path, content in built.files.items()},
    )


def _check(options: Options) -> None:
    check_scale(options.scale)
    for name, least in (("size", 1), ("target", 1), ("minimum", 0), ("workers", 1)):
        value = getattr(options, name)
        if value is not None and not least <= value <= MOST:
            raise BuildError(
                f"{name} is {value}, and may be {least} to {MOST:,}",
                fix=f"Leave out {'--size' if name == 'size' else f'--param {name}'} for the default.",
            )
    quotas(options.profile, "ecommerce", None, options.minimum)


def _summed(made: Sequence[Built]) -> Counter[str]:
    total: Counter[str] = Counter()
    for built in made:
        total.update(built.rejected)
    return total


def _run(sources: Sequence[Source], options: Options, progress: Callable[[str], None]) -> Iterator[Built]:
    """Yield what each source gives, in their order."""
    if options.workers == 1 or len(sources) == 1:
        for source in sources:
            yield build_one(source, options)
            progress(source.name)
        return
    with ProcessPoolExecutor(min(options.workers, len(sources)), mp_context=get_context("spawn")) as pool:
        futures = [pool.submit(build_one, source, options) for source in sources]
        for source, future in zip(sources, futures, strict=True):
            yield future.result()
            progress(source.name)


def _reviewer(options: Options) -> Review:
    """Return the validation that the options ask for; models need Inspect, which takes seconds to import."""
    if not (options.phrase or options.judge):
        return review
    from warebench.tracks.intelligence.judge.review import model_review  # noqa: PLC0415

    return model_review(phrase=options.phrase, judge=options.judge)


def build_one(source: Source, options: Options) -> Built:
    """Return what one knowledge base gives.

    Args:
        source: The knowledge base and its database.
        options: How to build.
    """
    bare, database = source.read(options.seed, options.scale)
    check_knowledge(bare, database.catalog)
    check_data(bare, database)
    knowledge = with_pages(bare, database.catalog)
    wanted = quotas(options.profile, knowledge.name, options.size, options.minimum)
    plan = Plan(
        quotas=wanted,
        rule_share=SHARES[options.profile],
        target=options.target,
        seed=options.seed,
        review=_reviewer(options),
    )
    with open_database(database) as opened:
        made = make_tasks(Lab(knowledge, opened), plan)
        if not any(task.skeleton for task in made.tasks):
            refuse_empty(knowledge, opened.store)
    files = knowledge_files(knowledge, database.catalog)
    return Built(
        database=database,
        files={**files, f"rejections/{knowledge.name}.json": _rejections(made.rejections)},
        questions=list(to_questions(knowledge, database.catalog.name, made.tasks)),
        shortfalls=list(_shortfalls(knowledge, database.catalog.name, made, wanted)),
        rejected=dict(Counter(item.stage for item in made.rejections)),
    )


def _rejections(rejections: Sequence[Rejection]) -> bytes:
    """Return every rejection with its reason, and how often each reason occurs."""
    counts = Counter((item.stage, item.analysis, item.tier, item.reason) for item in rejections)
    table = [
        {"stage": key[0], "analysis": key[1], "tier": key[2], "reason": key[3], "count": count}
        for key, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    ]
    return msgspec.json.format(
        msgspec.json.encode({"counts": table, "rejections": list(rejections)}), indent=1
    )


def _shortfalls(
    knowledge: Knowledge, catalog: str, made: Made, wanted: Mapping[Analysis, int]
) -> Iterator[Shortfall]:
    got = Counter(task.analysis for task in made.tasks)
    for analysis, number in wanted.items():
        if got[analysis] < number:
            rejected = [item for item in made.rejections if item.analysis == analysis]
            # Who came as far as the judge is told of first: all before are drawn in numbers.
            judged = [item for item in rejected if item.stage == "judge"]
            reasons = Counter(item.reason for item in judged or rejected)
            common = ", ".join(reason for reason, _ in reasons.most_common(2))
            yield Shortfall(
                catalog=catalog,
                subtype=analysis,
                asked=number,
                made=got[analysis],
                reason=f"{knowledge.name} gives no more"
                + (f"; most candidates failed because: {common}" if common else ""),
            )
