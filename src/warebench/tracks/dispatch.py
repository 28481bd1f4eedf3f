"""Build, check and obfuscate question sets by the name of their track."""

from collections.abc import Iterable
from typing import Literal

from warebench.catalog.model import Catalog
from warebench.questions import check
from warebench.questions.model import QuestionSet
from warebench.questions.track import Progress
from warebench.tracks import find_track


def build_questions(
    track: str,
    catalogs: Catalog | Iterable[Catalog],
    *,
    progress: Progress = lambda _: None,
    **options: object,
) -> QuestionSet:
    """Return a question set about some catalogs, every gold found by two methods that share no code.

    Args:
        track: Name of a track, for example "topology".
        catalogs: One catalog, or several with distinct names.
        progress: Called with each catalog's name once it is done.
        options: The track's own; for topology the fields of `warebench.tracks.topology.build.Options`:
            `profile`, `size` (questions per subtype and catalog), `seed`, `subtypes`, `parameters`.

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
    chosen = [catalogs] if isinstance(catalogs, Catalog) else list(catalogs)
    return find_track(track).build_with(chosen, options, progress)


def check_questions(question_set: QuestionSet) -> list[check.Finding]:
    """Return what is wrong with a question set: an empty list when it is clean.

    Every gold is found again by the second method, and every question is looked at for what makes it
    worthless: see `warebench.questions.check.CHECKS`.

    Raises:
        BuildError: The set's track is unknown.
    """
    return check.check_questions(question_set, find_track(question_set.manifest.track).prove)


def obfuscate_questions(question_set: QuestionSet, level: Literal["tables", "columns"]) -> QuestionSet:
    """Return the twin of a set under names that mean nothing, every gold proved anew.

    Args:
        question_set: A set that is not a twin itself.
        level: Rename tables only, or tables and columns.
    """
    return find_track(question_set.manifest.track).twin(question_set, level)
