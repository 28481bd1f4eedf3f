"""Build, check and obfuscate question sets by the name of their track."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal, assert_never

from warebench.catalog.bundled import BUNDLED, load_bundled
from warebench.catalog.model import Catalog
from warebench.catalog.read import SQL_SUFFIXES, read_catalog
from warebench.engine.collection import Collection, is_collection, read_collection
from warebench.engine.database import Database
from warebench.engine.load import read_database
from warebench.errors import BuildError
from warebench.questions import check
from warebench.questions.model import QuestionSet
from warebench.questions.track import Progress, Source, Track
from warebench.tracks import find_track


def build_questions(
    track: str,
    sources: Source | str | Path | Iterable[Source | str | Path] = (),
    *,
    progress: Progress = lambda _: None,
    **options: object,
) -> QuestionSet:
    """Return a question set about some sources, every gold found by two methods that share no code.

    Args:
        track: Name of a track, for example "topology".
        sources: One catalog, database or collection, or several with distinct names; or the paths, addresses
            or bundled names to read them from. Tracks about rows need databases, and make their own where
            none are given.
        progress: Called with each source's name once it is done.
        options: The track's own; for topology the fields of `warebench.tracks.topology.build.Options`:
            `profile`, `size` (questions per subtype and catalog), `seed`, `subtypes`, `parameters`; for
            multitable those of `warebench.tracks.multitable.build.Options`.

    Raises:
        BuildError: No such track or option, an option does not fit, or nothing can be asked.
        SourceError: A source cannot be read.
        CatalogError: A source contradicts itself.
        GoldDisagreement: Two methods disagree on any gold; the set is refused.

    Example:
        >>> import warebench
        >>> from warebench.catalog.bundled import load_bundled
        >>> made = warebench.build_questions("topology", load_bundled("tpc_di"), size=1)
        >>> len(made.questions)
        13
    """
    chosen = find_track(track)
    one = isinstance(sources, Catalog | Database | Collection | str | Path)
    given: Any = [sources] if one else sources
    read = [_read(each, chosen) if isinstance(each, str | Path) else each for each in given]
    return chosen.build_with(read, options, progress)


def _read(source: str | Path, track: Track[Any]) -> Source:
    kind = kind_of_source(str(source), track)
    match kind:
        case "collection":
            return read_collection(str(source))
        case "database":
            return read_database(source)
        case "catalog":
            return load_bundled(str(source)) if str(source) in BUNDLED else read_catalog(source)
        case _ as never:
            assert_never(never)


def kind_of_source(place: str, track: Track[Any]) -> Literal["collection", "database", "catalog"]:
    """Return what of a source a track takes.

    Args:
        place: A bundled name, a path or an address.
        track: Whether it asks about catalogs, rows or collections.
    """
    is_schema = not track.rows and (place in BUNDLED or _has_scripts(place))
    if track.collections or (is_collection(place) and not is_schema):
        return "collection"
    return "database" if track.rows else "catalog"


def _has_scripts(folder: str) -> bool:
    return os.path.isdir(folder) and any(name.lower().endswith(SQL_SUFFIXES) for name in os.listdir(folder))


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
