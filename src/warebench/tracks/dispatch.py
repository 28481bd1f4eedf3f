"""Build, check and obfuscate question sets by the name of their track."""

from collections.abc import Callable, Iterable
from typing import Literal

from warebench.catalog.model import Catalog
from warebench.engine.collection import Collection
from warebench.engine.database import Database
from warebench.errors import BuildError
from warebench.questions import check
from warebench.questions.model import QuestionSet
from warebench.questions.track import Progress, Source
from warebench.tracks import find_track


def build_questions(
    track: str,
    sources: Source | Iterable[Source] = (),
    *,
    progress: Progress = lambda _: None,
    **options: object,
) -> QuestionSet:
    """Return a question set about some sources, every gold found by two methods that share no code.

    Args:
        track: Name of a track, for example "topology".
        sources: One catalog, database or collection, or several with distinct names. Tracks about rows need
            databases, and make their own where none are given.
        progress: Called with each source's name once it is done.
        options: The track's own; for topology the fields of `warebench.tracks.topology.build.Options`:
            `profile`, `size` (questions per subtype and catalog), `seed`, `subtypes`, `parameters`; for
            multitable those of `warebench.tracks.multitable.build.Options`.

    Raises:
        BuildError: No such track or option, an option does not fit, or nothing can be asked.
        GoldDisagreement: Two methods disagree on any gold; the set is refused.

    Example:
        >>> import warebench
        >>> from warebench.catalog.bundled import load_bundled
        >>> made = warebench.build_questions("topology", load_bundled("tpc_di"), size=1)
        >>> len(made.questions)
        13
    """
    chosen = [sources] if isinstance(sources, (Catalog, Database, Collection)) else list(sources)
    return find_track(track).build_with(chosen, options, progress)


def check_questions(question_set: QuestionSet) -> list[check.Finding]:
    """Return what is wrong with a question set, and as warnings what is odd: an empty list when it is clean.

    Every gold is found again by the second method, and every question is looked at for what makes it
    worthless: see `warebench.questions.check.CHECKS`.

    Raises:
        BuildError: The set's track is unknown.
    """
    track = find_track(question_set.manifest.track)
    found = check.check_questions(question_set, track.prove, track.examine)
    return [*found, *remark_questions(question_set)]


def remark_questions(question_set: QuestionSet) -> list[check.Finding]:
    """Return what is odd about what a set was made from, such as a metric that never has a value.

    Raises:
        BuildError: The set's track is unknown.
    """
    track = find_track(question_set.manifest.track)
    return list(track.remark(question_set)) if track.remark else []


def obfuscate_questions(question_set: QuestionSet, level: Literal["tables", "columns"]) -> QuestionSet:
    """Return the twin of a set under names that mean nothing, every gold proved anew.

    Args:
        question_set: A set that is not a twin itself.
        level: Rename tables only, or tables and columns.

    Raises:
        BuildError: The set's track has no twins.
    """
    return find_twin(question_set.manifest.track)(question_set, level)


def find_twin(track: str) -> Callable[[QuestionSet, Literal["tables", "columns"]], QuestionSet]:
    """Return what makes the twins of a track's sets.

    Raises:
        BuildError: There is no such track, or it has no twins.
    """
    twin = find_track(track).twin
    if twin is None:
        raise BuildError(
            f"sets of the {track} track have no obfuscated twin: questions say what columns mean",
            fix="Build with another seed instead: it gives other names and other rows.",
        )
    return twin
