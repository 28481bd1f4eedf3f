"""What a track is: everything the commands need to know about one benchmark."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar, get_origin

import msgspec

from warebench.catalog.model import Catalog
from warebench.engine.collection import Collection, SqliteFile, collect, merge
from warebench.engine.database import Database
from warebench.errors import BuildError, did_you_mean
from warebench.questions.check import Examine, Prove
from warebench.questions.model import QuestionSet
from warebench.questions.values import in_words

OptionsT = TypeVar("OptionsT", bound=msgspec.Struct)
"""How a track's sets are built: a frozen struct whose fields all have defaults."""

Progress = Callable[[str], None]
"""Called with the name of each source that is done."""

Source = Catalog | Database | Collection
"""What sets are built from: a schema, one with the rows of its tables, or many of them with examples."""


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """One subtype of a track, as `warebench list` shows it."""

    name: str
    category: str
    difficulty: str
    asks: str


class Experiment(msgspec.Struct, frozen=True, kw_only=True):
    """A named run configuration: one comparison that `warebench run TRACK --experiment NAME` carries out."""

    name: str
    asks: str
    """What the comparison is to find out, one sentence with its source."""
    runs: tuple[dict[str, str | int | float | bool], ...]
    """Arguments of the track's Inspect task, one entry for each run."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Track(Generic[OptionsT]):
    """One benchmark: how its sets are built, proved and obfuscated, and what can run on them."""

    name: str
    title: str
    subtypes: tuple[Kind, ...]
    methods: Mapping[str, str]
    """Ways to put a question to a model, and what each does; solvers need Inspect and live elsewhere."""
    task: str
    """Its Inspect task, `module:function`; loaded when it is run, as Inspect takes seconds to import."""
    options: type[OptionsT]
    build: Callable[[Sequence[Any], OptionsT, Progress], QuestionSet]
    """From databases where `rows` is true, from one collection where `collections` is, else from catalogs."""
    prove: Prove
    """The second method, for `check_questions`."""
    examine: Examine | None = None
    """The track's own look at its questions, in place of WB008; None where models state the gold itself."""
    remark: Examine | None = None
    """What is odd about what a set was made from: told when it is built, and again when it is checked."""
    experiments: tuple[Experiment, ...] = ()
    rows: bool = False
    """Whether questions are about rows; none given, such a track asks about databases it makes itself."""
    collections: bool = False
    """Whether questions are about all sources together, as one collection; none given, as with `rows`."""
    twin: Callable[[QuestionSet, Literal["tables", "columns"]], QuestionSet] | None = None
    """Makes the obfuscated twin; None where questions lose their meaning with the names."""
    policies: Mapping[str, str] = field(default_factory=dict)
    """Programs to run as `policy/NAME`, and what each does; they need Inspect and live elsewhere."""
    queries: Mapping[str, str] = field(default_factory=dict)
    """Methods whose answer is a query, and the policy that writes the gold's; `oracle` says values."""

    def build_with(
        self, sources: Sequence[Source], options: Mapping[str, object], progress: Progress
    ) -> QuestionSet:
        """Return the set of some sources, built with options given by name.

        Raises:
            BuildError: An option is unknown or does not fit, a source has no rows where the track needs them,
                or the set cannot be built.
        """
        read = self.read_options(options)
        if self.collections:
            return self.build(self.gather(sources), read, progress)
        fitting = [part for source in sources for part in self._fitting(source)]
        if sources and not fitting:
            raise BuildError(
                f"the {self.name} track asks about rows, and no database with rows was given",
                fix="Give the folder with the database files, not only with their schemas.",
            )
        return self.build(fitting, read, progress)

    def gather(self, sources: Sequence[Source]) -> list[Collection]:
        """Return one collection of all sources; none of none.

        Raises:
            BuildError: A source has no rows.
        """
        found = []
        for source in sources:
            if isinstance(source, Catalog):
                raise self._without_rows(source)
            if isinstance(source, Database):
                found.append(collect(source.catalog.name, [source]))
            else:
                found.append(source)
        return found if len(found) < 2 else [merge("pool", found)]

    def _fitting(self, source: Source) -> Iterator[Catalog | Database]:
        """Yield what a source holds, in the form the track needs."""
        match source:
            case Collection() if self.rows:
                yield from (
                    item.read() if isinstance(item, SqliteFile) else item for item in source.databases
                )
            case Collection():
                yield from source.catalogs
            case Database():
                yield source if self.rows else source.catalog
            case Catalog() if self.rows:
                raise self._without_rows(source)
            case Catalog():
                yield source

    def _without_rows(self, catalog: Catalog) -> BuildError:
        return BuildError(
            f"the {self.name} track asks about rows, and a catalog has none",
            where=f"catalog {catalog.name}",
            fix="Read the source with `warebench.engine.load.read_database`.",
        )

    def read_words(self, words: Mapping[str, str]) -> dict[str, object]:
        """Return options from text, as a command line has it; commas separate the values of a list.

        Raises:
            BuildError: An option is unknown or its text does not fit.
        """
        kinds = {each.name: each.type for each in msgspec.structs.fields(self.options)}
        read: dict[str, object] = {}
        for name, text in words.items():
            if name not in kinds:
                raise self._unknown(name)
            is_list = get_origin(kinds[name]) is tuple
            value: object = [part.strip() for part in text.split(",") if part.strip()] if is_list else text
            try:
                read[name] = msgspec.convert(value, kinds[name], strict=False)
            except msgspec.ValidationError as error:
                raise BuildError(
                    f"`{name}={text}` does not fit the {self.name} track",
                    fix=f"Give {in_words(kinds[name])} for {name}.",
                ) from error
        return read

    def read_options(self, options: Mapping[str, object]) -> OptionsT:
        """Return the track's options from values by name.

        Raises:
            BuildError: An option is unknown or does not fit.
        """
        known = [each.name for each in msgspec.structs.fields(self.options)]
        for name in options:
            if name not in known:
                raise self._unknown(name)
        try:
            return msgspec.convert(dict(options), self.options)
        except msgspec.ValidationError as error:
            raise BuildError(
                f"an option of the {self.name} track does not fit: {error}",
                fix=f"Known: {', '.join(known)}.",
            ) from error

    def _unknown(self, name: str) -> BuildError:
        known = [each.name for each in msgspec.structs.fields(self.options)]
        return BuildError(f"the {self.name} track has no option `{name}`", fix=did_you_mean(name, known))
