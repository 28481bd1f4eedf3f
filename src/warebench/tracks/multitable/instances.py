"""Database instances: samples of each database in each window, by name."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from warebench.engine.database import Database
from warebench.tracks.multitable.sampling import WINDOWS, sample_many
from warebench.tracks.multitable.sampling.windows import Window


@dataclass(frozen=True, kw_only=True, slots=True)
class Instance:
    """A sampled database that questions are asked about."""

    name: str
    database: Database
    window: Window
    number: int
    tokens: int


def draw_instances(
    database: Database, windows: Sequence[str], count: int, seed: int, tokenizer: str
) -> Iterator[Instance]:
    """Yield `count` instances of a database in each window.

    Args:
        database: The source.
        windows: Names in WINDOWS.
        count: Instances per window.
        seed: Of the draw.
        tokenizer: Which counts the tokens.

    Raises:
        WindowError: Some instance cannot be made; says which and why.
    """
    wanted = [WINDOWS[name] for name in windows]
    for made in sample_many(database, wanted, count, seed=seed, tokenizer=tokenizer):
        yield Instance(
            name=f"{database.catalog.name}-{made.window.name.lower()}-{made.instance}",
            database=made.database,
            window=made.window,
            number=made.instance,
            tokens=made.tokens,
        )
