"""Invented names that read like real ones, unique where a question would name the entity."""

from collections.abc import Sequence
from itertools import product
from math import prod

import numpy as np
import pyarrow as pa

from warebench.worlds.synthetic.columns import glue, take, text
from warebench.worlds.synthetic.draw import Ints, distinct


def words(listed: str) -> tuple[str, ...]:
    """Return the words of a text; a word list is easier to read without quotes."""
    return tuple(listed.split())


def compounds(starts: str, ends: str) -> tuple[str, ...]:
    """Return every start with every end, each once."""
    return tuple(dict.fromkeys(start + end for start, end in product(words(starts), words(ends))))


TOWNS = compounds(
    """Al Ash Bar Bel Bex Birch Bram Brook Cal Carl Ches Clar Cold Corn Dal Dun East El Ever Fair Fern Glen
    Gran Hart Hazel Hol Ken Kirk Lang Lin Mar Mel Mill Nor Oak Ort Pem Quin Rad Rock Sal Sel Stan Thorn
    Tre Ul Wal Wex Wil Wyn Yar""",
    """bourne bridge brook burg bury by combe cott croft dale den field ford gate ham haven hurst kirk ley
    low mere mont mouth ness pool port ridge stead stoke ton vale ville wick wood worth""",
)
SURNAMES = compounds(
    """Ab Ack Ald Bal Ber Bran Cas Chal Cor Dar Dren Ed Fal Fen Gal Gar Had Hem Is Jar Kel Lam Lor Mad Mor
    Nash Ol Par Pel Ral Ren Sand Sher Tal Tor Ul Van Ver War Wes Yel Zan""",
    "aldo andez bridge by dine ell enko eri etti ford gren holm iak idge ing inski kamp land low man more "
    "nell ock oran ova quist rick ross sen shaw son stone ton uru vik ward well wick wood",
)
WOMEN = words(
    """
    Abena Ada Agnes Aiko Alma Anouk Beatriz Bianca Carmen Clara Daria Delia Dina Edith Elif Esther
    Farah Fiona Freya Gita Greta Hana Helga Ida Imani Ines Jana Josefa Karin Lara Leila Lena Lucia
    Mara Mina Nadia Nina Noor Odile Olga Paola Petra Priya Rana Rosa Sana Sefa Selma Sofia Stella
    Tamar Tessa Ursula Vera Wanda Xenia Yara Zelda
    """
)
MEN = words(
    """
    Adil Amir Anton Arlo Benno Bruno Callum Cedric Chidi Cosmo Dario Desmond Edgar Emil Enzo Felix
    Floris Gustav Hector Hugo Ivo Jonas Jun Kamal Kenji Leo Lionel Luka Magnus Malik Mateo Mirko
    Nestor Nils Omar Oscar Pavel Quentin Rafael Ruben Silas Sven Tariq Theo Victor Yusuf Zoran
    """
)
INITIALS = words("A. B. C. D. E. F. G. H. J. K. L. M. N. O. P. R. S. T. V. W.")
STREETS = words(
    """
    Acorn Alder Amber Anchor Arbor Aspen Bay Beacon Birch Bishop Canal Cedar Chapel Cherry Church Cliff
    Colony Copper Crescent Depot Elm Ferry Forge Garden Grove Harbor Hawthorn Hill Iron Juniper Lake
    Larch Laurel Lincoln Linden Locust Maple Market Meadow Mill Mulberry Myrtle Orchard Palm Park Pearl
    Pine Poplar Prospect Quarry River School Spring Spruce Station Summit Sycamore Tanner Temple Union
    Valley Vine Walnut Willow
    """
)
ROADS = ("St", "Ave", "Rd", "Blvd", "Ln", "Way", "Dr", "Pl")
STATES = words(
    """
    AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC
    ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY
    """
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
    chosen: list[pa.Array] = []
    for part in reversed(parts):
        rest, position = np.divmod(rest, len(part))
        chosen.insert(0, take(part, position))
    if series > 1:
        numerals = ["", *(f" {count}" for count in range(2, series + 1))]
        chosen[-1] = glue(chosen[-1], take(numerals, number))
    return chosen


def people(rng: np.random.Generator, size: int) -> pa.Array:
    """Return different full names."""
    return unique(rng, size, WOMEN + MEN, INITIALS, SURNAMES)


def phrases(rng: np.random.Generator, size: int, *parts: Sequence[str], between: str = " ") -> pa.Array:
    """Return texts of one random word of each part; they may repeat."""
    return glue(*(take(part, rng.integers(len(part), size=size)) for part in parts), between=between)


def addresses(rng: np.random.Generator, size: int) -> pa.Array:
    """Return house number and street."""
    return glue(text(rng.integers(1, 4000, size=size)), phrases(rng, size, STREETS, ROADS), between=" ")


def towns(rng: np.random.Generator, size: int) -> pa.Array:
    """Return different names of towns."""
    return unique(rng, size, TOWNS)
