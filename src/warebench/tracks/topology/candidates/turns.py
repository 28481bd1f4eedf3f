"""Taking from several sources by turns."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice, zip_longest
from typing import TypeVar

Item = TypeVar("Item")


def by_turns(yes: Iterable[Item], no: Iterable[Item], *, balanced: bool) -> Iterator[Item]:
    """Yield from two sources by turns.

    Args:
        yes: The one source.
        no: The other.
        balanced: End with the shorter source, so that always answering the same is no better than
            chance; where one source is empty, yield one item of the other.

    Example:
        >>> list(by_turns("ab", "1234", balanced=True)), list(by_turns("", "12", balanced=True))
        (['a', '1', 'b', '2'], ['1'])
    """
    if not balanced:
        yield from alternate(yes, no)
        return
    none = True
    left, right = iter(yes), iter(no)
    while True:
        pair = [*islice(left, 1), *islice(right, 1)]
        if len(pair) < 2:
            yield from pair if none else []
            return
        none = False
        yield from pair


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
