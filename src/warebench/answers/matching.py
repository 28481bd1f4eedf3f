"""A largest one-to-one matching of things with things that fit them."""

from collections import deque
from collections.abc import Sequence


def most_pairs(fitting: Sequence[Sequence[int]]) -> int:
    """Return how many things can have a partner of their own at once.

    Args:
        fitting: For each thing the partners that fit it, as numbers.

    Complexity:
        O(n * e) for n things and e fitting pairs; O(e) where the first free partner serves.

    Reference:
        Augmenting paths: Kuhn, Naval Research Logistics Quarterly 2 (1955) 83-97.
    """
    partner: dict[int, int] = {}
    return sum(_augment(start, fitting, partner) for start in range(len(fitting)))


def _augment(start: int, fitting: Sequence[Sequence[int]], partner: dict[int, int]) -> bool:
    """Find a partner for one more thing, moving others to their alternatives; `partner` changes."""
    came_from: dict[int, int] = {}
    queue = deque([start])
    while queue:
        thing = queue.popleft()
        for other in fitting[thing]:
            if other in came_from:
                continue
            came_from[other] = thing
            if other not in partner:
                _flip(other, came_from, partner, start)
                return True
            queue.append(partner[other])
    return False


def _flip(other: int, came_from: dict[int, int], partner: dict[int, int], start: int) -> None:
    """Give the things of an alternating path their new partners, from its end to its start."""
    held = {thing: old for old, thing in partner.items()} if came_from[other] != start else {}
    while (thing := came_from[other]) != start:
        partner[other] = thing
        other = held[thing]
    partner[other] = start
