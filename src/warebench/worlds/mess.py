"""The mess switch: what real tables hold and generated ones usually lack. Keys are left alone."""

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from warebench.catalog.model import Table
from warebench.worlds.declare import World
from warebench.worlds.synthetic.draw import Ints, distinct
from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.synthetic.schema import Mark

NULLS, REPEATED_NAMES, NOISE, BREAKS = 0.08, 0.06, 0.06, 0.03
"""Share of cells that become null, repeat a name, change case or blanks, hold `|` or a line break."""

EXTREME, EXTREME_FACTOR = 0.004, 50
"""Share of measured cells that are multiplied, and by how much."""

TIES = 4
"""Rows that share the exact maximum of a measure."""


def add_mess(plan: Plan, world: World, spec: Table, rows: pa.Table) -> pa.Table:
    """Return the rows with mess in every column that is not part of a key."""
    keys = [key for key in world.catalog.foreign_keys if spec.name in (key.child, key.parent)]
    fixed = set(spec.primary_key)
    for key in keys:
        fixed |= set(key.child_columns if key.child == spec.name else ())
        fixed |= set(key.parent_columns if key.parent == spec.name else ())
    for position, column in enumerate(spec.columns):
        rng = plan.generator(spec.name, f"mess of {column.name}")
        values = rows.column(position).combine_chunks()
        if column.nullable and column.name not in spec.primary_key:
            values = _blank(rng, values)
        if column.name not in fixed:
            values = _dirty(rng, world.marks[spec.name].get(column.name), values)
        rows = rows.set_column(position, rows.schema.field(position), values)
    return rows


def _dirty(rng: np.random.Generator, mark: Mark | None, values: pa.Array) -> pa.Array:
    if mark == "measure":
        return _tie(rng, _stretch(rng, values))
    if mark == "name":
        values = _repeat(rng, values)
    if mark in {"name", "prose"}:
        values = _edit(rng, values, BREAKS, BREAKERS)
    if values.type == pa.string() and mark != "prose":
        values = _edit(rng, values, NOISE, NOISES)
    return values


def _stretch(rng: np.random.Generator, values: pa.Array) -> pa.Array:
    """Multiply a few cells, as misplaced decimal points do."""
    factor = pa.scalar(EXTREME_FACTOR, values.type)
    chosen = _choose(rng, len(values), EXTREME)
    stretched = pc.multiply(values.take(pa.array(chosen)), factor).cast(values.type)
    return _replace(values, chosen, stretched)


def _tie(rng: np.random.Generator, values: pa.Array) -> pa.Array:
    """Give the exact maximum to some more rows."""
    chosen = distinct(rng, min(TIES, len(values)), len(values))
    top = pc.max(values)
    return _replace(values, chosen, pa.array([top.as_py()] * len(chosen), values.type))


def _repeat(rng: np.random.Generator, values: pa.Array) -> pa.Array:
    """Give the names of some rows to others."""
    chosen = _choose(rng, len(values), REPEATED_NAMES)
    return _replace(values, chosen, values.take(pa.array(rng.integers(len(values), size=len(chosen)))))


def _blank(rng: np.random.Generator, values: pa.Array) -> pa.Array:
    chosen = _choose(rng, len(values), NULLS)
    return _replace(values, chosen, pa.nulls(len(chosen), values.type))


Edit = Callable[[pa.Array], pa.Array]

NOISES: tuple[Edit, ...] = (
    pc.utf8_upper,
    pc.utf8_lower,
    lambda texts: pc.binary_join_element_wise(" ", texts, ""),
    lambda texts: pc.binary_join_element_wise(texts, "  ", ""),
    lambda texts: pc.replace_substring(texts, " ", "  ", max_replacements=1),
)
BREAKERS: tuple[Edit, ...] = (
    lambda texts: pc.replace_substring(texts, " ", " | ", max_replacements=1),
    lambda texts: pc.replace_substring(texts, " ", "\n", max_replacements=1),
    lambda texts: pc.binary_join_element_wise(texts, " |", ""),
)


def _edit(rng: np.random.Generator, values: pa.Array, share: float, edits: tuple[Edit, ...]) -> pa.Array:
    """Apply each edit to its part of the chosen cells."""
    chosen = np.array_split(_choose(rng, len(values), share), len(edits))
    edited = [edit(values.take(pa.array(rows))) for rows, edit in zip(chosen, edits, strict=True)]
    return _replace(values, np.concatenate(chosen), pa.concat_arrays(edited))


def _choose(rng: np.random.Generator, rows: int, share: float) -> Ints:
    """Return a share of the row numbers, one at least."""
    return distinct(rng, min(rows, max(1, round(rows * share))), rows)


def _replace(values: pa.Array, rows: Ints, replacements: pa.Array) -> pa.Array:
    """Return the values with some rows replaced."""
    source = np.arange(len(values))
    source[rows] = len(values) + np.arange(len(replacements))
    joined = pa.concat_arrays([values, replacements])
    return joined.take(pa.array(source))
