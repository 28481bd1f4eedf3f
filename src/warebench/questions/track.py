"""What a track is: everything the commands need to know about one benchmark."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

import msgspec

from warebench.catalog.model import Catalog
from warebench.errors import BuildError, did_you_mean
from warebench.questions.check import Prove
from warebench.questions.model import QuestionSet

OptionsT = TypeVar("OptionsT", bound=msgspec.Struct)
"""How a track's sets are built: a frozen struct whose fields all have defaults."""

Progress = Callable[[str], None]
"""Called with the name of each catalog that is done."""


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """One subtype of a track, as `warebench list` shows it."""

    name: str
    category: str
    difficulty: str
    asks: str


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
    build: Callable[[Sequence[Catalog], OptionsT, Progress], QuestionSet]
    prove: Prove
    """The second method, for `check_questions`."""
    twin: Callable[[QuestionSet, Literal["tables", "columns"]], QuestionSet]

    def build_with(
        self, catalogs: Sequence[Catalog], options: Mapping[str, object], progress: Progress
    ) -> QuestionSet:
        """Return the set of some catalogs, built with options given by name.

        Raises:
            BuildError: An option is unknown or does not fit, or the set cannot be built.
        """
        return self.build(catalogs, self.read_options(options), progress)

    def read_options(self, options: Mapping[str, object]) -> OptionsT:
        """Return the track's options from values by name.

        Raises:
            BuildError: An option is unknown or does not fit.
        """
        known = [field.name for field in msgspec.structs.fields(self.options)]
        for name in options:
            if name not in known:
                raise BuildError(
                    f"the {self.name} track has no option `{name}`", fix=did_you_mean(name, known)
                )
        try:
            return msgspec.convert(dict(options), self.options)
        except msgspec.ValidationError as error:
            raise BuildError(
                f"an option of the {self.name} track does not fit: {error}",
                fix=f"Known: {', '.join(known)}.",
            ) from error
