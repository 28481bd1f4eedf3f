"""Algorithm 2 of TQA-Bench, row by row: draw a root row, take along every row it needs, stop in time."""

import random
from collections.abc import Collection, Container, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from warebench.tracks.multitable.sampling.keys import Ints
from warebench.tracks.multitable.sampling.source import Source
from warebench.tracks.multitable.sampling.windows import Window, WindowError

FIRST_TRY = 32
"""Root rows looked at before their average length is known."""

PATIENCE = 500
"""Rows too long for the window that are passed over before giving up."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Drawn:
    """Rows that make a sample."""

    rows: tuple[int, ...]
    """By their number in the source, in the order they were drawn."""
    tokens: int
    passed_over: int
    """Root rows drawn that would have led from below the window to above it."""


@dataclass(kw_only=True, slots=True)
class _Draft:
    """A sample that is being drawn."""

    empty: int
    """Tokens of the sample without any row."""
    tokens: int
    rows: list[int] = field(default_factory=list)
    kept: set[int] = field(default_factory=set)
    drawn: int = 0
    """Root rows added."""
    passed: list[int] = field(default_factory=list)
    """What each root row passed over would have added, in tokens."""
    stops: list[tuple[int, int]] = field(default_factory=list)
    """Tokens and number of rows wherever the sample was within the window."""

    def add(self, rows: Collection[int], tokens: int, window: Window) -> None:
        """Keep a root row and the rows it needs."""
        self.rows += rows
        self.kept.update(rows)
        self.drawn += 1
        self.tokens += tokens
        if self.tokens >= window.minimum:
            self.stops.append((self.tokens, len(self.rows)))

    def rows_ahead(self, aim: int) -> int:
        """Return about how many root rows the rest of the way takes."""
        if not self.drawn:
            return FIRST_TRY
        return 8 + int(1.1 * (aim - self.tokens) * self.drawn / (self.tokens - self.empty))

    def finish(self) -> Drawn:
        """Return the sample as it was at the last stop."""
        tokens, rows = self.stops[-1]
        return Drawn(rows=tuple(self.rows[:rows]), tokens=tokens, passed_over=len(self.passed))


def draw(source: Source, window: Window, rng: random.Random) -> Drawn:
    """Return rows whose Markdown has a length within the window.

    The length to aim at is drawn from the window first. Root tables then take turns: each gives a random row
    not given before, and with it come the rows it refers to, those they refer to, and so on. The sample ends
    next to the length aimed at, on the nearer side. A row that would lead from below the window to above it
    is passed over. When the rows run out within the window, where to end is drawn again.

    Raises:
        WindowError: No sample of such a length was found.

    Reference: TQA-Bench, Algorithm 2. The paper looks for a number of root rows by bisection and draws the
    sample anew for each number; here the numbers nest, so one draw serves all of them.
    """
    if source.empty_tokens >= window.maximum:
        raise WindowError(f"the headings of its tables alone are {source.empty_tokens:,} tokens")
    aim = rng.randint(window.minimum, window.maximum)
    draft = _Draft(empty=source.empty_tokens, tokens=source.empty_tokens)
    turns = take_turns(source, rng)
    while batch := list(islice(turns, draft.rows_ahead(aim))):
        _count_ahead(source, draft, batch, window.maximum)
        for row in batch:
            if _step(source, draft, row, window, aim):
                return draft.finish()
        if len(draft.passed) > PATIENCE and not draft.stops:
            break
    if not draft.stops:
        raise WindowError(_shortfall(source, draft))
    draft.stops = draft.stops[: rng.randrange(len(draft.stops)) + 1]
    return draft.finish()


def take_turns(source: Source, rng: random.Random) -> Iterator[int]:
    """Yield the rows of all root tables, each table's in random order, one of each table in turn."""
    lines = [shuffle(rows, rng) for rows in source.roots.values()]
    while lines:
        for line in tuple(lines):
            row = next(line, None)
            if row is None:
                lines.remove(line)
            else:
                yield row


def shuffle(rows: Ints, rng: random.Random) -> Iterator[int]:
    """Yield rows in random order, in time and memory that depend on how many are taken only.

    This is the Fisher-Yates shuffle that remembers the moved entries instead of moving them.
    """
    moved: dict[int, int] = {}
    for position in range(len(rows)):
        other = rng.randrange(position, len(rows))
        yield int(rows[moved.get(other, other)])
        moved[other] = moved.pop(position, position)


def reach(source: Source, row: int, kept: Container[int], limit: int) -> list[int] | None:
    """Return a row and all rows it needs that are not kept yet, or nothing where they exceed the limit."""
    found, seen = [row], {row}
    for each in found:
        fresh = [parent for parent in source.parents(each) if parent not in kept and parent not in seen]
        found += dict.fromkeys(fresh)
        seen.update(fresh)
        if len(found) > limit:
            return None
    return found


def _count_ahead(source: Source, draft: _Draft, batch: Iterable[int], limit: int) -> None:
    """Count all rows that a batch of root rows may bring, in one go."""
    seen = set(draft.kept)
    for row in batch:
        seen.update(reach(source, row, seen, limit) or ())
    source.count_rows(seen - draft.kept)


def _step(source: Source, draft: _Draft, row: int, window: Window, aim: int) -> bool:
    """Add a root row with all it needs, or pass it over; return whether the sample is complete."""
    if row in draft.kept:
        return False
    rows = reach(source, row, draft.kept, window.maximum)
    tokens = source.tokens(rows) if rows else window.maximum
    total = draft.tokens + tokens
    if total > window.maximum:
        if not draft.stops:
            draft.passed.append(tokens)
        return bool(draft.stops)
    if draft.stops and total - aim > aim - draft.tokens:
        return True
    draft.add(rows or (), tokens, window)
    return total >= aim


def _shortfall(source: Source, draft: _Draft) -> str:
    """Return in words why the rows did not reach the window."""
    parts = [f"all rows that can be drawn make {draft.tokens:,} tokens"]
    if draft.passed:
        parts = [f"its rows lead to {draft.tokens:,} tokens and from there beyond the window"]
        parts.append(
            f"of {len(draft.passed):,} rows tried there, the shortest adds {min(draft.passed):,} tokens"
        )
    if source.dangling:
        parts.append(f"never drawn are {', '.join(map(str, source.dangling))}, and the rows that need them")
    return "; ".join(parts)
