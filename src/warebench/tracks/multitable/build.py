"""Databases to a question set: instances in each window, templates, questions with options and gold."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context

import msgspec

from warebench.engine.database import Database
from warebench.errors import BuildError, did_you_mean
from warebench.queries.compose import compose_set
from warebench.queries.template import Template
from warebench.questions.assemble import assemble
from warebench.questions.model import Question, QuestionSet, Shortfall
from warebench.tracks.multitable.ask import Wanted, ask
from warebench.tracks.multitable.handwritten import find_templates
from warebench.tracks.multitable.instances import Instance, draw_instances
from warebench.tracks.multitable.sampling import TOKENIZERS, WINDOWS
from warebench.tracks.multitable.shown import keep_shown
from warebench.worlds import make_world
from warebench.worlds.questions import DATABASES


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """How to build a multitable set."""

    profile: str = "default"
    """`paper`: 10 instances, 10 questions a template, the paper's wrong answers (56,000 questions)."""
    windows: tuple[str, ...] = ("8K", "16K", "32K", "64K")
    instances: int = 5
    """Instances per database and window."""
    size: int = 1
    """Questions per template and instance."""
    seed: int = 7
    databases: tuple[str, ...] = ()
    """Bundled databases to use; empty for all ten."""
    mess: bool = False
    """Make the bundled databases with nulls, repeated names, ties and odd characters."""
    tokenizer: str = "cl100k_base"
    workers: int = 1
    """Processes, one database each; the set does not depend on it."""


PAPER = {"instances": 10, "size": 10}
"""TQA-Bench, Table V."""

MOST = 1_000
"""Instances of a database and window, questions of a template and instance: a slip of the keyboard would else
draw for hours."""


@dataclass(frozen=True, slots=True)
class Job:
    """One database to ask about, or the name of a bundled one."""

    source: Database | str
    options: Options


@dataclass(frozen=True, slots=True)
class Made:
    """What a job made."""

    instances: list[Instance]
    questions: list[Question]
    shortfalls: list[Shortfall]
    handwritten: bool
    """Whether the templates are those written for this database."""


def make(job: Job) -> Made:
    """Return the instances of one database and the questions about them."""
    options, database = job.options, job.source
    if isinstance(database, str):
        database = make_world(database, seed=options.seed, mess=options.mess)
    else:
        database = keep_shown(database)
    templates = find_templates(database)
    handwritten = bool(templates)
    composed = None if handwritten else compose_set(database, seed=options.seed)
    if composed:
        templates = composed.templates
    wanted = Wanted(count=options.size, seed=options.seed, paper=options.profile == "paper", once=handwritten)
    drawn = draw_instances(database, options.windows, options.instances, options.seed, options.tokenizer)
    instances = list(drawn)
    questions = [question for instance in instances for question in ask(instance, templates, wanted)]
    missing = _shortfalls(database, instances, templates, questions, wanted)
    shortfalls = [*(composed.shortfalls if composed else ()), *missing]
    return Made(instances, questions, shortfalls, handwritten)


def build(
    databases: Sequence[Database], options: Options, progress: Callable[[str], None] = lambda _: None
) -> QuestionSet:
    """Return the question set of some databases, every gold found by two methods.

    Args:
        databases: The user's own; empty for the bundled twins that `options` names.
        options: Profile, windows, sizes, seed.
        progress: Called with each database's name once it is done.

    Raises:
        BuildError: An option does not fit, an instance cannot be made, or nothing can be asked.
        GoldDisagreement: Two methods disagree on any gold.

    Source: TQA-Bench, section II.
    """
    options = _complete(options)
    _refuse_unread(databases, options)
    jobs = _jobs(databases, options)
    questions: list[Question] = []
    instances: list[Instance] = []
    shortfalls: list[Shortfall] = []
    handwritten: list[str] = []
    for name, made in zip(jobs, _run(jobs, options, progress), strict=True):
        handwritten += [name] if databases and made.handwritten else []
        questions += made.questions
        instances += made.instances
        shortfalls += made.shortfalls
    if not questions:
        reasons = dict.fromkeys(item.reason for item in shortfalls)
        raise BuildError("nothing can be asked", fix="\n".join(list(reasons)[:3]))
    catalogs = {instance.database.catalog.name: instance.database.catalog for instance in instances}
    return assemble(
        track="multitable",
        profile=options.profile,
        seed=options.seed,
        parameters={
            "windows": ",".join(options.windows),
            "instances": options.instances,
            "size": options.size,
            "tokenizer": options.tokenizer,
            "mess": options.mess,
            **({"handwritten": ",".join(handwritten)} if handwritten else {}),
        },
        catalogs=catalogs.values(),
        questions=questions,
        shortfalls=shortfalls,
        databases={instance.name: instance.database for instance in instances},
    )


def _complete(options: Options) -> Options:
    """Return the options with the profile's numbers filled in, all checked."""
    if options.profile not in ("default", "paper"):
        raise BuildError(
            f"unknown profile `{options.profile}`", fix=did_you_mean(options.profile, ["default", "paper"])
        )
    for given, known, what in (
        (options.windows, WINDOWS, "window"),
        (options.databases, DATABASES, "database"),
        ((options.tokenizer,), TOKENIZERS, "tokenizer"),
    ):
        for name in given:
            if name not in known:
                raise BuildError(f"unknown {what} `{name}`", fix=did_you_mean(name, known))
    if not options.windows:
        raise BuildError("no window is asked for", fix=f"Name some of {', '.join(WINDOWS)}.")
    if min(options.instances, options.size, options.workers) < 1:
        raise BuildError("instances, size and workers are at least 1", fix="Leave them out for the defaults.")
    if max(options.instances, options.size) > MOST:
        raise BuildError(f"instances and size are at most {MOST:,}", fix="Build several sets by --seed.")
    # a window named twice would give the same instances twice
    options = msgspec.structs.replace(options, windows=tuple(dict.fromkeys(options.windows)))
    return msgspec.structs.replace(options, **PAPER) if options.profile == "paper" else options


def _refuse_unread(databases: Sequence[Database], options: Options) -> None:
    """Refuse options that only the bundled databases read, and sources that cannot be told apart."""
    for name, given in (("databases", options.databases), ("mess", options.mess)):
        if databases and given:
            raise BuildError(
                f"`{name}` is about the bundled databases, and sources were given",
                fix=f"Leave out `{name}` or the sources.",
            )
    counts = Counter(database.catalog.name for database in databases)
    for name in (name for name, count in counts.items() if count > 1):
        raise BuildError(
            f"{counts[name]} sources are named `{name}`",
            fix="Rename a file, or name each source once: instances are named after their database.",
        )


def _jobs(databases: Sequence[Database], options: Options) -> dict[str, Job]:
    if databases:
        return {database.catalog.name: Job(database, options) for database in databases}
    return {name: Job(name, options) for name in options.databases or DATABASES}


def _run(jobs: Mapping[str, Job], options: Options, progress: Callable[[str], None]) -> Iterator[Made]:
    """Yield what each job made, in the order of the jobs."""
    if options.workers == 1:
        for name, job in jobs.items():
            yield make(job)
            progress(name)
        return
    with ProcessPoolExecutor(options.workers, mp_context=get_context("spawn")) as pool:
        futures = {pool.submit(make, job): name for name, job in jobs.items()}
        done = {}
        for future in as_completed(futures):
            done[futures[future]] = future.result()
            progress(futures[future])
    yield from (done[name] for name in jobs)


def _shortfalls(
    database: Database,
    instances: Sequence[Instance],
    templates: Sequence[Template],
    questions: Sequence[Question],
    wanted: Wanted,
) -> Iterator[Shortfall]:
    made = Counter((question.facets["window"], question.facets["template"]) for question in questions)
    per_window = Counter(instance.window.name for instance in instances)
    for window, count in per_window.items():
        for template in templates:
            asked, got = count * wanted.count, made[window, template.name]
            if got < asked:
                reason = (
                    f"template {template.name}, window {window}: the rows give no more distinct questions"
                )
                name = database.catalog.name
                yield Shortfall(
                    catalog=name, subtype=template.subcategory, asked=asked, made=got, reason=reason
                )
