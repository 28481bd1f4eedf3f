"""Sampled databases: one, or many that share what was counted."""

import hashlib
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from warebench.catalog.tokens import DEFAULT_TOKENIZER
from warebench.engine.database import Database
from warebench.tracks.multitable.sampling.draw import draw
from warebench.tracks.multitable.sampling.references import Dangling
from warebench.tracks.multitable.sampling.source import Source, prepare, take_rows
from warebench.tracks.multitable.sampling.windows import Window, WindowError

FIX = "ask for another window, or give the database rows that fit"


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """A small database drawn from a large one."""

    database: Database
    """Its rows in the order of the source; every foreign key that is not null leads to a row."""
    window: Window
    instance: int
    seed: int
    tokenizer: str
    tokens: int
    """Exact length of its Markdown."""
    passed_over: int
    """Rows drawn and left out because they led from below the window to above it."""
    dangling: tuple[Dangling, ...]
    """Foreign keys that the source does not keep; such rows are never drawn, nor rows that need them."""


def sample(
    database: Database, window: Window, *, seed: int, instance: int, tokenizer: str = DEFAULT_TOKENIZER
) -> Sample:
    """Return one sample; the same as `sample_many` gives for its window and instance.

    Args:
        database: The source.
        window: How long the sample's Markdown may be.
        seed: Of all random choices, together with the names of database and window and the instance.
        instance: Number of the sample, from 0.
        tokenizer: A key of `TOKENIZERS`.

    Raises:
        WindowError: No sample of this length can be made; the error says why.
        BuildError: The tokenizer is unknown, a foreign key names no columns, or a table has none.

    Reference: TQA-Bench, section II-B, Algorithms 1 and 2, TABLE III.
    """
    source = prepare(database, tokenizer)
    try:
        return _make(source, window, seed=seed, instance=instance, tokenizer=tokenizer)
    except WindowError as error:
        where = f"database {database.catalog.name}, {_in_words(window)}, instance {instance}"
        raise WindowError(f"no sample can be made: {error.what}", where=where, fix=FIX) from error


def sample_many(
    database: Database,
    windows: Sequence[Window],
    instances: int,
    *,
    seed: int,
    tokenizer: str = DEFAULT_TOKENIZER,
) -> tuple[Sample, ...]:
    """Return the samples of all windows, instances 0, 1, ... of the first window first.

    References are resolved and rows counted once for all samples. Arguments are those of `sample`.

    Raises:
        WindowError: Some samples cannot be made; the error names each of them and says why.
        BuildError: The tokenizer is unknown, a foreign key names no columns, or a table has none.
    """
    source = prepare(database, tokenizer)
    made: list[Sample] = []
    missing: dict[tuple[str, str], list[int]] = defaultdict(list)
    for window in windows:
        for instance in range(instances):
            try:
                made.append(_make(source, window, seed=seed, instance=instance, tokenizer=tokenizer))
            except WindowError as error:
                missing[_in_words(window), error.what].append(instance)
    if missing:
        raise _missing(missing, database, asked=len(windows) * instances)
    return tuple(made)


def _make(source: Source, window: Window, *, seed: int, instance: int, tokenizer: str) -> Sample:
    rng = _random(seed, source.database.catalog.name, window.name, instance)
    drawn = draw(source, window, rng)
    return Sample(  # inspect-evals-lint: ignore[sample_ids] -- a sampled database, not a sample of Inspect
        database=_take(source, drawn.rows),
        window=window,
        instance=instance,
        seed=seed,
        tokenizer=tokenizer,
        tokens=drawn.tokens,
        passed_over=drawn.passed_over,
        dangling=source.dangling,
    )


def _random(seed: int, database: str, window: str, instance: int) -> random.Random:
    path = "\x1f".join((str(seed), database, window, str(instance)))
    digest = hashlib.sha256(path.encode()).digest()
    return random.Random(int.from_bytes(digest))  # noqa: S311  repeatable choices, not secret ones


def _take(source: Source, rows: Sequence[int]) -> Database:
    catalog, tables = source.database.catalog, source.database.tables
    positions = zip(catalog.table_names, source.split(rows), strict=True)
    return Database(catalog=catalog, tables={name: take_rows(tables[name], kept) for name, kept in positions})


def _missing(
    missing: Mapping[tuple[str, str], Sequence[int]], database: Database, *, asked: int
) -> WindowError:
    reasons = [
        f"{window}, instance{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}: {reason}"
        for (window, reason), numbers in missing.items()
    ]
    count = sum(map(len, missing.values()))
    return WindowError(
        f"{count} of {asked} samples cannot be made: " + "; ".join(reasons),
        where=f"database {database.catalog.name}",
        fix=FIX,
    )


def _in_words(window: Window) -> str:
    return f"window {window.name} ({window.minimum:,} to {window.maximum:,} tokens)"
