"""Invented names that read like real ones, unique where a question would name the entity."""

from collections.abc import Sequence
from itertools import product
from math import prod

import numpy as np
import pyarrow as pa

from warebench.tracks.multitable.twins.columns import glue, take, text
from warebench.tracks.multitable.twins.draw import Ints, distinct


def _invent(starts: str, ends: str) -> tuple[str, ...]:
    """Return every start with every end, each once."""
    return tuple(dict.fromkeys(start + end for start, end in product(starts.split(), ends.split())))


TOWNS = _invent(
    """Al Ash Bar Bel Bex Birch Bram Brook Cal Carl Ches Clar Cold Corn Dal Dun East El Ever Fair Fern Glen Gran
    Hart Hazel Hol Ken Kirk Lang Lin Mar Mel Mill Nor Oak Ort Pem Quin Rad Rock Sal Sel Stan Thorn Tre Ul Wal
    Wex Wil Wyn Yar""",
    """bourne bridge brook burg bury by combe cott croft dale den field ford gate ham haven hurst kirk ley
    low mere mont mouth ness pool port ridge stead stoke ton vale ville wick wood worth""",
)
SURNAMES = _invent(
    """Ab Ack Ald Bal Ber Bran Cas Chal Cor Dar Dren Ed Fal Fen Gal Gar Had Hem Is Jar Kel Lam Lor Mad Mor Nash
    Ol Par Pel Ral Ren Sand Sher Tal Tor Ul Van Ver War Wes Yel Zan""",
    "aldo andez bridge by dine ell enko eri etti ford gren holm iak idge ing inski kamp land low man more "
    "nell ock oran ova quist rick ross sen shaw son stone ton uru vik ward well wick wood",
)
GIVEN = tuple(
    """Abena Ada Adil Agnes Aiko Alma Amir Anouk Anton Arlo Beatriz Benno Bianca Bruno Callum Carmen Cedric Chidi
    Clara Cosmo Daria Dario Delia Desmond Dina Edgar Edith Elif Emil Enzo Esther Farah Felix Fiona Floris Freya
    Gita Greta Gustav Hana Hector Helga Hugo Ida Imani Ines Ivo Jana Jonas Josefa Jun Kamal Karin Kenji Lara
    Leila Lena Leo Lionel Lucia Luka Magnus Malik Mara Mateo Mina Mirko Nadia Nestor Nils Nina Noor Odile Olga
    Omar Oscar Paola Pavel Petra Priya Quentin Rafael Rana Rosa Ruben Sana Sefa Selma Silas Sofia Stella Sven
    Tamar Tariq Tessa Theo Ursula Vera Victor Wanda Xenia Yara Yusuf Zelda Zoran""".split()
)
STREETS = tuple(
    """Acorn Alder Amber Anchor Arbor Aspen Bay Beacon Birch Bishop Canal Cedar Chapel Cherry Church Cliff Colony
    Copper Crescent Depot Elm Ferry Forge Garden Grove Harbor Hawthorn Hill Iron Juniper Lake Larch Laurel
    Lincoln Linden Locust Maple Market Meadow Mill Mulberry Myrtle Orchard Palm Park Pearl Pine Poplar Prospect
    Quarry River School Spring Spruce Station Summit Sycamore Tanner Temple Union Valley Vine Walnut Willow""".split()
)
ROADS = ("St", "Ave", "Rd", "Blvd", "Ln", "Way", "Dr", "Pl")
STATES = tuple(
    """AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK
    OR PA RI SC SD TN TX UT VT VA WA WV WI WY""".split()
)


def unique(rng: np.random.Generator, size: int, *parts: Sequence[str], between: str = " ") -> pa.Array:
    """Return `size` different names, one word of each part.

    They differ because no combination comes twice: parts must not be cuttable in two ways (single words,
    or words of equal length where nothing stands between). When the combinations run out, a number follows.
    """
    return glue(*unique_parts(rng, size, *parts), between=between)


def unique_parts(rng: np.random.Generator, size: int, *parts: Sequence[str]) -> list[pa.Array]:
    """Return the words of `unique` part by part, to be joined otherwise."""
    available = prod(len(part) for part in parts)
    series = -(-size // available)
    rest: Ints = distinct(rng, size, available * series)
    number, rest = np.divmod(rest, available)
    chosen = []
    for part in reversed(parts):
        rest, position = np.divmod(rest, len(part))
        chosen.insert(0, take(part, position))
    if series > 1:
        chosen[-1] = glue(chosen[-1], text(number + 1), between=" ")
    return chosen


def people(rng: np.random.Generator, size: int) -> pa.Array:
    """Return different full names."""
    initials = [f"{letter}." for letter in "ABCDEFGHJKLMNOPRSTVW"]
    return unique(rng, size, GIVEN, initials, SURNAMES)


def phrases(rng: np.random.Generator, size: int, *parts: Sequence[str], between: str = " ") -> pa.Array:
    """Return texts of one random word of each part; they may repeat."""
    return glue(*(take(part, rng.integers(len(part), size=size)) for part in parts), between=between)


def addresses(rng: np.random.Generator, size: int) -> pa.Array:
    """Return house number and street."""
    return glue(text(rng.integers(1, 4000, size=size)), phrases(rng, size, STREETS, ROADS), between=" ")


def towns(rng: np.random.Generator, size: int) -> pa.Array:
    """Return different names of towns."""
    return unique(rng, size, TOWNS)
