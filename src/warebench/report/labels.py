"""Room for direct labels, so that a figure needs no legend."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

LOWEST: Final = -1.0
HIGHEST: Final = 101.0
"""Labels stay within these positions, in percent."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Block:
    """Neighbours that stand shoulder to shoulder around the mean of their wanted positions."""

    members: tuple[int, ...]
    total: float
    gap: float

    @property
    def reach(self) -> float:
        return self.gap * (len(self.members) - 1) / 2

    @property
    def middle(self) -> float:
        wanted = self.total / len(self.members)
        return max(LOWEST + self.reach, min(HIGHEST - self.reach, wanted))


def apart(values: Sequence[float], gap: float) -> list[float]:
    """Return the values moved as little as needed to stand at least `gap` apart, order kept.

    Args:
        values: Wanted positions in percent, in any order.
        gap: Least distance of two neighbours.

    Example:
        >>> apart([50.0, 50.0, 90.0], 4.0)
        [48.0, 52.0, 90.0]
    """
    blocks: list[_Block] = []
    for index in sorted(range(len(values)), key=lambda index: (values[index], index)):
        blocks.append(_Block(members=(index,), total=values[index], gap=gap))
        while len(blocks) > 1 and _touch(blocks[-2], blocks[-1]):
            last, before = blocks.pop(), blocks.pop()
            blocks.append(
                _Block(members=before.members + last.members, total=before.total + last.total, gap=gap)
            )
    moved = [0.0] * len(values)
    for block in blocks:
        for place, index in enumerate(block.members):
            moved[index] = block.middle - block.reach + gap * place
    return moved


def _touch(below: _Block, above: _Block) -> bool:
    return above.middle - above.reach - (below.middle + below.reach) < below.gap - 1e-9
