"""global_biodiversity: species, where they occur and how threatened they are; WorldBank's domain."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from warebench.worlds.synthetic.columns import day, glue, take
from warebench.worlds.synthetic.draw import (
    Floats,
    Ints,
    cents,
    correlated,
    distinct,
    lognormal,
    whole,
    zipf,
)
from warebench.worlds.synthetic.names import unique
from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.synthetic.schema import Columns, Maker

# Onsets and middles have three letters each, so that two genera never read the same.
THRESHOLDS = (0.35, 0.5, 0.65, 0.8)
"""Probability of being threatened from which a species is in the next level."""


class Species(NamedTuple):
    """Names and ancestry, one entry a species."""

    name: pa.Array
    genus: pa.Array
    family: pa.Array
    order: Ints
    """Position in the list of all orders."""


def _orders(plan: Plan) -> list[tuple[str, str, str, str]]:
    """Return kingdom, phylum, class and order, one row an order."""
    return [
        (kingdom, phylum, class_, order)
        for kingdom, phylum, class_, *orders in plan.lists["taxa"]
        for order in orders
    ]


def _species(plan: Plan) -> Species:
    """Return the species: a genus belongs to one family, a family to one order."""
    words = plan.words
    rng, size = plan.generator("occ_endemism", "species"), plan.rows["occ_endemism"]
    genera = max(30, size // 12)
    families = max(12, genera // 25)
    family = zipf(rng, genera, families, plan.exponent)
    order = zipf(rng, families, len(_orders(plan)), plan.exponent)
    names, clans = (
        _genera(plan, rng, genera),
        unique(rng, families, words["onsets"], words["middles"], words["middles"], between=""),
    )
    suffix = np.array([kingdom != "Animalia" for kingdom, *_ in _orders(plan)], dtype=np.int64)
    clans = glue(clans, take(("idae", "aceae"), suffix[order]))
    genus, epithet = np.divmod(distinct(rng, size, genera * len(words["epithets"])), len(words["epithets"]))
    return Species(
        name=glue(take(names, genus), take(words["epithets"], epithet), between=" "),
        genus=take(names, genus),
        family=take(clans, family[genus]),
        order=order[family[genus]],
    )


def _genera(plan: Plan, rng: np.random.Generator, size: int) -> pa.Array:
    """Return different names of genera."""
    words = plan.words
    return unique(
        rng,
        size,
        words["onsets"],
        words["middles"],
        words["middles"],
        words["codas"],
        between="",
    )


def _rarity(plan: Plan) -> Floats:
    """Return how rare each species is, in standard deviations."""
    return plan.generator("occ_endemism", "rarity").standard_normal(plan.rows["occ_endemism"])


def make_occurrence(plan: Plan) -> Columns:
    """Draw where each species has been seen: rare ones seldom, in few cells and countries."""
    rng, species = plan.generator("occ_endemism"), _species(plan)
    common = -_rarity(plan)
    size = len(common)
    seen = correlated(rng, common, 0.85)
    cells = whole(lognormal(correlated(rng, seen, 0.85), 25.0, 1.0, 1, 9_000))
    countries = np.clip(whole(1 + 1.5 * np.exp(0.7 * correlated(rng, common, 0.7)) - 1), 1, 90)
    first = rng.integers(day("1820-01-01"), day("1990-01-01"), size=size)
    south = np.clip(-8 + 26 * rng.standard_normal(size), -78, 70)
    ancestry = list(zip(*_orders(plan), strict=True))
    ranks = zip(("kingdom", "phylum", "class", "order"), ancestry, strict=True)
    return {
        "species": species.name,
        **{rank: take(names, species.order) for rank, names in ranks},
        "family": species.family,
        "genus": species.genus,
        "occurrences": np.maximum(cells, whole(lognormal(seen, 60.0, 1.2, 1, 200_000))),
        "grid_cells": cells,
        "countries": countries,
        "endemic": countries == 1,
        "endemism_pct": cents(100 / countries),
        "first_seen": first,
        "last_seen": rng.integers(day("1995-01-01"), day("2023-01-01"), size=size),
        "min_latitude": cents(south),
        "max_latitude": cents(np.minimum(south + np.abs(6 * rng.standard_normal(size)) + cells / 800, 83.0)),
    }


def make_risks(plan: Plan) -> Columns:
    """Draw the threats: people and roads raise them, parks lower them."""
    rng, size = plan.generator("extinction_risks"), plan.rows["extinction_risks"]
    people = rng.standard_normal(size)
    parks = correlated(rng, people, -0.45)
    danger = 0.5 * people - 0.35 * parks + 0.5 * _rarity(plan) + 0.4 * rng.standard_normal(size)
    threat = cents(1 / (1 + np.exp(1.1 - 1.3 * danger)), 3)
    warm = rng.standard_normal(size)
    return {
        "species": _species(plan).name,
        "lcat": take(plan.words["levels"], np.searchsorted(THRESHOLDS, threat, side="right")),
        "popden": cents(lognormal(people, 48.0, 0.9, 0.01, 9_000)),
        "parkpct": cents(np.clip(17 + 9 * parks, 0, 100)),
        "pthreat": threat,
        "roadden": cents(lognormal(correlated(rng, people, 0.6), 0.4, 0.7, 0, 12)),
        "elevation_m": np.clip(whole(700 - 420 * correlated(rng, warm, 0.6)), -30, 5_600),
        "range_km2": whole(lognormal(-_rarity(plan), 21_000.0, 1.3, 4, 9e6)),
        "forest_pct": cents(np.clip(38 + 20 * correlated(rng, people, -0.5), 0, 100)),
        "crop_pct": cents(np.clip(18 + 11 * correlated(rng, people, 0.5), 0, 100)),
        "urban_pct": cents(lognormal(correlated(rng, people, 0.7), 2.2, 0.9, 0, 95)),
        "rain_mm": np.clip(whole(1_350 + 520 * correlated(rng, warm, 0.4)), 5, 6_000),
        "temperature_c": cents(19 + 5.5 * warm, 1),
        "assessed_on": rng.integers(day("2004-01-01"), day("2024-01-01"), size=size),
        "data_points": whole(lognormal(correlated(rng, -_rarity(plan), 0.7), 40.0, 1.0, 1, 90_000)),
    }


MAKERS: Mapping[str, Maker] = {
    "occ_endemism": make_occurrence,
    "extinction_risks": make_risks,
}
