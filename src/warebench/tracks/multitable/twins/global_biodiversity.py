"""global_biodiversity: species, where they occur and how threatened they are; WorldBank's domain."""

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from warebench.engine.synthetic.columns import day, glue, take
from warebench.engine.synthetic.draw import (
    Floats,
    Ints,
    cents,
    correlated,
    distinct,
    lognormal,
    whole,
    zipf,
)
from warebench.engine.synthetic.names import compounds, unique, words
from warebench.engine.synthetic.plan import Plan
from warebench.engine.synthetic.schema import Columns, table
from warebench.tracks.multitable.twins.schema import declare

OCCURRENCE = table(
    "occ_endemism",
    key="species",
    columns="""
    species: VARCHAR
    kingdom: VARCHAR
    phylum: VARCHAR
    class: VARCHAR
    order: VARCHAR
    family: VARCHAR?
    genus: VARCHAR
    occurrences: INTEGER? measure
    grid_cells: INTEGER? measure
    countries: INTEGER? measure
    endemic: BOOLEAN
    endemism_pct: DECIMAL(5,2)?
    first_seen: DATE?
    last_seen: DATE?
    min_latitude: DOUBLE?
    max_latitude: DOUBLE?
    """,
)
RISKS = table(
    "extinction_risks",
    key="species",
    columns="""
    species: VARCHAR
    lcat: VARCHAR?
    popden: DOUBLE? measure
    parkpct: DOUBLE? measure
    pthreat: DOUBLE? measure
    roadden: DOUBLE? measure
    elevation_m: INTEGER?
    range_km2: INTEGER? measure
    forest_pct: DOUBLE? measure
    crop_pct: DOUBLE? measure
    urban_pct: DOUBLE? measure
    rain_mm: INTEGER? measure
    temperature_c: DOUBLE?
    assessed_on: DATE?
    data_points: INTEGER? measure
    """,
)

TAXA = tuple(
    line.split()
    for line in """
    Animalia Chordata Aves Passeriformes Piciformes Columbiformes Psittaciformes Anseriformes
    Animalia Chordata Mammalia Rodentia Chiroptera Carnivora Primates Artiodactyla
    Animalia Chordata Amphibia Anura Caudata Gymnophiona
    Animalia Chordata Squamata Serpentes Lacertilia Amphisbaenia
    Animalia Chordata Actinopterygii Perciformes Cypriniformes Siluriformes Characiformes
    Animalia Arthropoda Insecta Coleoptera Lepidoptera Hymenoptera Diptera Hemiptera Odonata
    Animalia Arthropoda Arachnida Araneae Opiliones Scorpiones Ixodida
    Animalia Arthropoda Malacostraca Decapoda Isopoda Amphipoda
    Animalia Mollusca Gastropoda Stylommatophora Neogastropoda Littorinimorpha
    Animalia Mollusca Bivalvia Venerida Unionida Mytilida
    Animalia Annelida Polychaeta Phyllodocida Sabellida Terebellida
    Animalia Cnidaria Anthozoa Scleractinia Actiniaria Alcyonacea
    Plantae Tracheophyta Magnoliopsida Asterales Fabales Lamiales Rosales Gentianales Caryophyllales
    Plantae Tracheophyta Liliopsida Poales Asparagales Liliales Arecales Zingiberales
    Plantae Tracheophyta Polypodiopsida Polypodiales Cyatheales Hymenophyllales
    Plantae Bryophyta Bryopsida Hypnales Dicranales Pottiales
    Plantae Marchantiophyta Jungermanniopsida Jungermanniales Porellales Metzgeriales
    Fungi Ascomycota Lecanoromycetes Lecanorales Peltigerales Caliciales
    Fungi Ascomycota Sordariomycetes Hypocreales Xylariales Sordariales
    Fungi Basidiomycota Agaricomycetes Agaricales Polyporales Russulales Boletales
    Chromista Ochrophyta Phaeophyceae Fucales Laminariales Dictyotales
    """.strip().splitlines()
)
"""Kingdom, phylum, class and the orders of that class."""

# Onsets and middles have three letters each, so that two genera never read the same.
ONSETS = words(
    """
    Aca Bel Bro Cal Cer Dip Dro Ela Eup Fal Gly Hem Hyp Ino Jun Kal Lep Lio Mic Myr Nan Oxy Pan Pol Rha Rho
    Sty Tha Tri Uro Vel Xan Yam Zyg
    """
)
MIDDLES = words("bra cer dro fil gon hyl lan mor nep pha pte rho sca tor uri vex")
CODAS = words("alia anthe aris ella ensia eris idium iola opsis ornis otis ura ula yx")
EPITHETS = compounds(
    """
    alb ampl angust argent aur barb brev caud clar coron crass dens eleg fasc flav fulv glabr grac hirt
    lact lat longi lute macul mont nigr nobil obscur pallid palud parv pict pulch quadr rar rub rug sax
    silv spin stell sulc tenu tomen umbr varieg vest vir vulg
    """,
    """
    ata ella ensis eola escens iana icola ifera ifolia iformis ina ipes issima itarsis ides olus onica
    orum osa ula ulenta ura utica yana
    """,
)
LEVELS = ("LC", "NT", "VU", "EN", "CR")
"""From least concern to critically endangered."""
THRESHOLDS = (0.35, 0.5, 0.65, 0.8)
"""Probability of being threatened from which a species is in the next level."""


class Species(NamedTuple):
    """Names and ancestry, one entry a species."""

    name: pa.Array
    genus: pa.Array
    family: pa.Array
    order: Ints
    """Position in the list of all orders."""


def _orders() -> list[tuple[str, str, str, str]]:
    """Return kingdom, phylum, class and order, one row an order."""
    return [(kingdom, phylum, class_, order) for kingdom, phylum, class_, *orders in TAXA for order in orders]


def _species(plan: Plan) -> Species:
    """Return the species: a genus belongs to one family, a family to one order."""
    rng, size = plan.generator("occ_endemism", "species"), plan.rows["occ_endemism"]
    genera = max(30, size // 12)
    families = max(12, genera // 25)
    family = zipf(rng, genera, families, plan.exponent)
    order = zipf(rng, families, len(_orders()), plan.exponent)
    names, clans = _genera(rng, genera), unique(rng, families, ONSETS, MIDDLES, MIDDLES, between="")
    suffix = np.array([kingdom != "Animalia" for kingdom, *_ in _orders()], dtype=np.int64)
    clans = glue(clans, take(("idae", "aceae"), suffix[order]))
    genus, epithet = np.divmod(distinct(rng, size, genera * len(EPITHETS)), len(EPITHETS))
    return Species(
        name=glue(take(names, genus), take(EPITHETS, epithet), between=" "),
        genus=take(names, genus),
        family=take(clans, family[genus]),
        order=order[family[genus]],
    )


def _genera(rng: np.random.Generator, size: int) -> pa.Array:
    """Return different names of genera."""
    return unique(rng, size, ONSETS, MIDDLES, MIDDLES, CODAS, between="")


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
    ancestry = list(zip(*_orders(), strict=True))
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
        "lcat": take(LEVELS, np.searchsorted(THRESHOLDS, threat, side="right")),
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


GLOBAL_BIODIVERSITY = declare(
    "global_biodiversity",
    "species occurrence and extinction risk",
    ((OCCURRENCE, 597_000, make_occurrence), (RISKS, 597_000, make_risks)),
    ("extinction_risks(species) -> occ_endemism(species)",),
    0.02,
)
