"""Databases and gold SQL to a question set: each example run, labelled and run again in the pool."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Literal, get_args

import msgspec

from warebench.engine.collection import Collection, Example, SqliteFile
from warebench.engine.database import Database
from warebench.errors import BuildError
from warebench.questions.assemble import assemble
from warebench.questions.model import QuestionSet, Shortfall
from warebench.tracks.budget.ask import Asked, LintMode, ask_all
from warebench.tracks.budget.bundled.pool import make_pool
from warebench.tracks.budget.finish import Made, label_coverage, make_files, mark_siblings, with_paraphrases
from warebench.tracks.budget.jobs import sort_examples
from warebench.tracks.budget.left_out import LeftOut, from_troubles, to_shortfalls
from warebench.tracks.budget.pairs import compose_pool
from warebench.tracks.budget.pool import OpenPool, open_pool
from warebench.tracks.budget.subtypes import Subtype

MOST_SECONDS = 3600
"""That one query may be given."""
NONE_COMPOSED = "no composed question is of this subtype; give --examples of your own for it"


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """How to build a budget set."""

    profile: str = "default"
    size: int = 0
    """Questions of each database, drawn by seed; 0 for all."""
    seed: int = 7
    rows: Literal["all", "asked"] = "all"
    """Databases whose rows the set holds. With those asked about alone, the values that the rich catalog
    shows tell them from the others."""
    lint: LintMode = "keep"
    """`drop`: leave out questions whose gold has a fault."""
    paraphrase: bool = False
    """Ask each question once more in words that are not the schema's."""
    databases: int = 80
    """Of the bundled pool."""
    seconds: float = 30.0
    """That one query may take."""
    workers: int = 2
    """Queries run at a time; the set does not depend on it."""


def build(
    collections: Sequence[Collection], options: Options, progress: Callable[[str], None] = lambda _: None
) -> QuestionSet:
    """Return the question set of a pool of databases.

    Gold is run twice: on its own file, and rewritten into the pooled namespace. What both give is the answer;
    an example for which they differ, or of which there is no answer, is left out with its reason. Where no
    example comes with the databases, pairs of question and SQL are composed along their foreign keys.

    Args:
        collections: One; none for the bundled pool.
        options: Sizes, seed, which rows are kept.
        progress: Called with each database's name once it is done.

    Raises:
        BuildError: An option does not fit, nothing can be asked, or a file changed meanwhile.

    Source: BudgetSchemaBench (arXiv 2610.00092), section 3.
    """
    _check(options)
    collection, shortfalls = _choose_pool(collections, options)
    left_out = from_troubles(collection.troubles, _names(collection))
    jobs, refused = sort_examples(collection)
    left_out += refused
    asked: list[Asked] = []
    with open_pool(collection, options.seconds) as pool:
        for outcome in _run(jobs, pool, options, progress):
            if isinstance(outcome, LeftOut):
                left_out.append(outcome)
            else:
                asked.append(outcome)
    made = list(mark_siblings(asked))
    if options.paraphrase:
        catalogs = {catalog.name: catalog for catalog in collection.catalogs}
        outcomes = list(with_paraphrases(made, catalogs))
        made = [item for item in outcomes if isinstance(item, Made)]
        left_out += [item for item in outcomes if isinstance(item, LeftOut)]
    if not made:
        reasons = (f"{item.where}: {item.reason} {item.detail}".strip() for item in left_out[:3])
        listed = [*reasons, *(item.reason for item in shortfalls[:3])]
        raise BuildError(
            "nothing can be asked",
            where="; ".join(listed),
            fix="Give databases with rows, and examples whose SQL runs on them.",
        )
    if collections and collection is not collections[0]:  # its questions were composed
        shortfalls += _missing(collection, made)
    return _assemble(collection, made, options, left_out, shortfalls)


def _missing(collection: Collection, made: Sequence[Made]) -> tuple[Shortfall, ...]:
    """Return a shortfall for each subtype that no composed question has."""
    found = {item.question.subtype for item in made}
    return tuple(
        Shortfall(catalog=collection.name, subtype=name, asked=1, made=0, reason=NONE_COMPOSED)
        for name in get_args(Subtype)
        if name not in found
    )


def _check(options: Options) -> None:
    if options.profile != "default":
        raise BuildError(
            f"the budget track has no profile `{options.profile}`",
            fix="The paper's questions are those of --source bird:FOLDER.",
        )
    if options.size < 0 or options.workers < 1 or options.databases < 1:
        raise BuildError(
            "size is at least 0, workers and databases at least 1",
            fix="Leave them out for the defaults.",
        )
    if not 0 < options.seconds <= MOST_SECONDS:  # so is what is no number
        raise BuildError(
            f"a query may take more than 0 and at most {MOST_SECONDS} seconds, not {options.seconds}",
            fix="Leave seconds out for the default.",
        )


def _choose_pool(
    collections: Sequence[Collection], options: Options
) -> tuple[Collection, tuple[Shortfall, ...]]:
    """Return the pool with its examples, and which kinds of composed examples are missing."""
    if not collections:
        return make_pool(options.seed, databases=options.databases), ()
    collection = collections[0]
    unread = any(item.example for item in from_troubles(collection.troubles, _names(collection)))
    # Examples that could all not be read are a fault to report, not a reason to ask something else.
    if collection.examples or unread or not collection.databases:
        return collection, ()
    return compose_pool(collection, options.seed)


def _names(collection: Collection) -> list[str]:
    return [catalog.name for catalog in collection.catalogs]


def _run(
    jobs: Mapping[str, Sequence[Example]], pool: OpenPool, options: Options, progress: Callable[[str], None]
) -> Iterator[Asked | LeftOut]:
    def run(name: str) -> list[Asked | LeftOut]:
        return _ask(name, jobs[name], pool, options)

    # Queries run in processes of their own, so threads suffice.
    with ThreadPoolExecutor(options.workers) as threads:
        for name, outcomes in zip(jobs, threads.map(run, jobs), strict=True):
            yield from outcomes
            progress(name)


def _ask(name: str, examples: Sequence[Example], pool: OpenPool, options: Options) -> list[Asked | LeftOut]:
    """Return the outcomes of one database, in the order of its examples; with a size, until it is reached."""
    if not options.size:
        return list(ask_all(examples, pool, options.lint))
    rng = random.Random(f"{options.seed}:{name}")  # noqa: S311 - repeatable
    waiting = rng.sample(examples, len(examples))
    found: dict[str, Asked | LeftOut] = {}
    missing = options.size
    while waiting and missing:
        batch, waiting = waiting[:missing], waiting[missing:]
        found.update(zip((item.id for item in batch), ask_all(batch, pool, options.lint), strict=True))
        missing = options.size - sum(isinstance(outcome, Asked) for outcome in found.values())
    return [found[example.id] for example in examples if example.id in found]


def _assemble(
    collection: Collection,
    made: Sequence[Made],
    options: Options,
    left_out: Sequence[LeftOut],
    shortfalls: Sequence[Shortfall],
) -> QuestionSet:
    questions = [item.question for item in made]
    kept = {question.context for question in questions}
    rows = [item for item in collection.databases if options.rows == "all" or item.catalog.name in kept]
    return assemble(
        track="budget",
        profile=options.profile,
        seed=options.seed,
        parameters={
            "dialect": collection.dialect,
            "source": collection.name,
            "size": options.size,
            "rows": options.rows,
            "lint": options.lint,
            "paraphrase": options.paraphrase,
            "seconds": options.seconds,
            "label_coverage": label_coverage(made, left_out),
        },
        catalogs=collection.catalogs,
        questions=questions,
        shortfalls=[*to_shortfalls(left_out), *shortfalls],
        databases={item.catalog.name: item for item in rows if isinstance(item, Database)},
        files=make_files(made, left_out, [item for item in rows if isinstance(item, SqliteFile)]),
        stated=False,
    )
