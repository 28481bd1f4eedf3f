"""Taking from several sources by turns."""

from collections.abc import Iterable, Iterator
from itertools import chain, zip_longest
from typing import TypeVar

Item = TypeVar("Item")


def alternate(*sources: Iterable[Item]) -> Iterator[Item]:
    """Yield from the sources by turns until all are spent.

    Example:
        >>> list(alternate("ab", "1234"))
        ['a', '1', 'b', '2', '3', '4']
    """
    nothing = object()
    for item in chain.from_iterable(zip_longest(*sources, fillvalue=nothing)):
        if item is not nothing:
            yield item  # type: ignore[misc]
