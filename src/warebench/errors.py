"""Every exception warebench raises, in one tree.

::

    WarebenchError
    ├── UserError            the user can act: printed without traceback, exit code 2
    │   ├── SourceError      a catalog source cannot be read at all
    │   ├── CatalogError     a catalog contradicts itself (names file, table, column)
    │   ├── KnowledgeError   a knowledge base contradicts itself, its database or its documents
    │   ├── BuildError       a question set cannot be built as asked
    │   │   ├── StraddleError    a rule holds for a part of what is asked, and cannot be applied to a part
    │   │   └── EmptySlice       no row of the data is in what is asked
    │   ├── SetError         a question set on disk is torn, edited or of another version
    │   ├── RunError         an evaluation cannot start (sandbox, model, logs)
    │   └── MissingExtra     an optional dependency is not installed
    └── InternalError        our bug
        └── GoldDisagreement two methods found different gold: the set is refused
"""

from collections.abc import Iterable
from difflib import get_close_matches

from warebench.secrets import mask


class WarebenchError(Exception):
    """Base of everything warebench raises on purpose."""


class UserError(WarebenchError):
    """Something the user can put right.

    Args:
        what: What happened, one sentence without a final full stop.
        where: File, table and column it happened in, most general first.
        fix: What to do about it, an imperative sentence.
    """

    def __init__(self, what: str, *, where: str = "", fix: str = "") -> None:
        # what a server or a driver says may repeat the key that it was given
        self.what, self.where, self.fix = mask(what), mask(where), mask(fix)
        super().__init__("\n".join(self._lines()))

    def _lines(self) -> Iterable[str]:
        yield self.what
        if self.where:
            yield f"  where: {self.where}"
        if self.fix:
            yield f"  fix: {self.fix}"


class SourceError(UserError):
    """A catalog source cannot be read at all."""


class CatalogError(UserError):
    """A catalog contradicts itself."""


class BuildError(UserError):
    """A question set cannot be built as asked."""


class KnowledgeError(UserError):
    """A knowledge base contradicts itself, its database or its documents."""


class StraddleError(BuildError):
    """A rule holds for a part of a slice, and cannot be applied to a part."""


class EmptySlice(BuildError):
    """No row of the data is in a slice."""


class SetError(UserError):
    """A question set on disk is torn, edited or of another version."""


class RunError(UserError):
    """An evaluation cannot start or its logs cannot be read."""


class MissingExtra(UserError):
    """An optional dependency is not installed.

    Args:
        package: The import that failed.
        extra: The extra of warebench that brings it.
    """

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(
            f"`{package}` is not installed",
            fix=f"pip install 'warebench[{extra}]', or in a clone: pip install -e '.[{extra}]'",
        )


class InternalError(WarebenchError):
    """A bug of warebench: please report it."""


class GoldDisagreement(InternalError):
    """Two methods that share no code found different gold."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a sentence naming the closest known words, or all of them when few.

    Example:
        >>> did_you_mean("topolgy", ["topology", "budget"])
        'Did you mean `topology`?'
    """
    words = sorted(known)
    close = get_close_matches(name, words, n=3, cutoff=0.6)
    if close:
        return f"Did you mean {' or '.join(f'`{word}`' for word in close)}?"
    if words and len(words) <= 20:
        return f"Known: {', '.join(words)}."
    return ""
