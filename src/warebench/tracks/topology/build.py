"""Catalogs to a question set."""

import random
from collections.abc import Callable, Sequence

import msgspec

from warebench.catalog.model import Catalog
from warebench.errors import BuildError, did_you_mean
from warebench.graph.build import build_graph
from warebench.questions.assemble import assemble, identify
from warebench.questions.model import Question, QuestionSet, Shortfall
from warebench.tracks.topology.candidates.model import Candidate, Draw
from warebench.tracks.topology.certify import Claim, certify
from warebench.tracks.topology.choose import choose
from warebench.tracks.topology.facets import facets, path_difficulty, survey
from warebench.tracks.topology.missing import Missing, find_missing
from warebench.tracks.topology.phrase import phrase
from warebench.tracks.topology.profiles import PAPER_COUNTS, PROFILES, Profile, quotas
from warebench.tracks.topology.semantics import DEFAULT, Semantics, flatten, with_parameters
from warebench.tracks.topology.shortfall import Wanted, shortfall
from warebench.tracks.topology.sql.asked import Asked
from warebench.tracks.topology.subtypes import SUBTYPE

DEFAULT_SIZE = 20
"""Questions per subtype and catalog; DW-Bench asks for n >= 20 per subtype."""


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """How to build a topology set."""

    profile: str = "default"
    size: int | None = None
    """Questions per subtype and catalog, DEFAULT_SIZE when None; profile `paper` has its own counts."""
    seed: int = 7
    subtypes: tuple[str, ...] = ()
    """Subtypes to ask; empty for all 13."""
    parameters: dict[str, str] = {}
    """Fields of Semantics to change, values as text."""

    def __post_init__(self) -> None:
        """Refuse parameters before any source is read.

        Raises:
            BuildError: One is unknown or does not fit.
        """
        with_parameters(DEFAULT, self.parameters)


def build(
    catalogs: Sequence[Catalog], options: Options, progress: Callable[[str], None] = lambda _: None
) -> QuestionSet:
    """Return the question set of some catalogs, every gold found by two methods.

    Args:
        catalogs: Catalogs with distinct names.
        options: Profile, size, seed and semantics.
        progress: Called with each catalog's name once it is done.

    Raises:
        BuildError: An option is unknown, does not fit, or nothing can be asked.
        GoldDisagreement: Two methods disagree on any gold.

    Source: DW-Bench, section 3.3.
    """
    profile = _profile(catalogs, options)
    semantics = with_parameters(profile.semantics, options.parameters)
    questions: list[Question] = []
    shortfalls: list[Shortfall] = []
    withheld: dict[str, int] = {}
    for catalog in catalogs:
        missing = find_missing(catalog, build_graph(catalog), semantics)
        made, lacking = _build_one(catalog, semantics, profile, options, missing)
        questions += made
        shortfalls += lacking
        withheld[catalog.name] = missing.withheld.total()
        progress(catalog.name)
    if not questions:
        raise BuildError("nothing can be asked", fix=" ".join(item.reason for item in shortfalls[:3]))
    return assemble(
        track="topology",
        profile=profile.name,
        seed=options.seed,
        parameters=flatten(semantics),
        catalogs=catalogs,
        questions=questions,
        shortfalls=shortfalls,
        withheld=withheld,
    )


RENAME = (
    "Save one under another name, with `warebench catalog SOURCE --name NAME --format json --out NAME.json`, "
    "and give that file as --source."
)


def _profile(catalogs: Sequence[Catalog], options: Options) -> Profile:
    if options.profile not in PROFILES:
        raise BuildError(f"unknown profile `{options.profile}`", fix=did_you_mean(options.profile, PROFILES))
    for name in options.subtypes:
        if name not in SUBTYPE:
            raise BuildError(f"unknown subtype `{name}`", fix=did_you_mean(name, SUBTYPE))
    if options.size is not None and options.size < 1:
        raise BuildError(f"size must be at least 1, not {options.size}", fix="Give --size 20, say.")
    names = [catalog.name for catalog in catalogs]
    if len(set(names)) < len(names):
        raise BuildError("two catalogs have the same name", fix=RENAME)
    if options.profile == "paper" and options.size is not None:
        raise BuildError(
            f"profile paper asks the paper's own counts, not {options.size} of every subtype",
            fix="Leave out --size, or leave out --profile paper.",
        )
    if options.profile == "paper" and set(names) - PAPER_COUNTS.keys():
        raise BuildError(
            "the paper's counts exist for its own five catalogs only",
            fix="Leave out --source, or leave out --profile paper.",
        )
    return PROFILES[options.profile]


def _build_one(
    catalog: Catalog, semantics: Semantics, profile: Profile, options: Options, missing: Missing
) -> tuple[list[Question], list[Shortfall]]:
    graph = missing.graph
    wanted = quotas(profile.name, catalog.name, options.size or DEFAULT_SIZE, options.subtypes)
    chosen = choose(missing, semantics, wanted, f"{options.seed}:{catalog.name}", siblings=profile.siblings)
    candidates = [candidate for group in chosen.values() for candidate in group]
    texts = [phrase(c.subtype, c.variant, c.subjects, semantics, c.values) for c in candidates]
    claims = [Claim(_asked(candidate), candidate.gold, candidate.method) for candidate in candidates]
    certificates = certify(catalog, semantics, claims)
    known = survey(graph, semantics)
    questions = [
        identify(
            Question(
                id="",
                pair_id="",
                track="topology",
                subtype=candidate.subtype,
                variant=candidate.variant,
                catalog=catalog.name,
                text=text,
                subjects=candidate.subjects,
                gold=candidate.gold,
                certificate=certificate,
                difficulty=SUBTYPE[candidate.subtype].difficulty,
                path_difficulty=path_difficulty(candidate),
                fact=f"{catalog.name}:{candidate.fact}",
                facets=facets(known, candidate),
            )
        )
        for candidate, text, certificate in zip(candidates, texts, certificates, strict=True)
    ]
    # In the order of their hashes: choosing took yes and no by turns, which would be a pattern.
    order = {name: position for position, name in enumerate(wanted)}
    questions.sort(key=lambda question: (order[question.subtype], question.id))
    draw = Draw(
        graph=graph,
        semantics=semantics,
        random=random.Random(0),  # noqa: S311 - any order tells whether more is there
        balanced=not profile.siblings,
    )
    lacking = [
        shortfall(catalog, draw, missing.withheld[name], Wanted(name, wanted[name], len(group)))
        for name, group in chosen.items()
        if len(group) < wanted[name]
    ]
    return questions, lacking


def _asked(candidate: Candidate) -> Asked:
    k = int(candidate.values.get("k", 0))
    return Asked(candidate.subtype, candidate.variant, candidate.subjects, k)
