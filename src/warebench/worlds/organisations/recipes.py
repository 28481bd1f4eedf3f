"""How the values of a column are made: recipes such as `money 2 20 900` or `pick adult:5|junior:2`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from warebench.worlds.synthetic import names
from warebench.worlds.synthetic.columns import day, glue, take, text
from warebench.worlds.synthetic.draw import cents, distinct, lognormal, popularity, weighted, whole, zipf

CHILDLESS = 0.06
"""Share of the rows of a parent that no child references."""

EXPONENT = 0.7
"""Of the Zipf law by which children choose parents."""

SPREAD = 0.6
"""Of the logarithm of amounts."""

PARTS: Mapping[str, Sequence[str]] = {
    "FIRST": names.WOMEN + names.MEN,
    "SURNAME": names.SURNAMES,
    "STREET": names.STREETS,
    "TOWN": names.TOWNS,
}
"""Long lists of words that a recipe names in capitals."""

Words = tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Setting:
    """Where a column is made."""

    rng: np.random.Generator
    rows: int
    made: Mapping[str, Any]
    """Earlier columns of the table."""
    parents: int = 0
    """Rows of the referenced table."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Recipe:
    """A way to make values."""

    type: str
    """In SQL."""
    make: Callable[[Setting, Words], Any]


def _key(at: Setting, _: Words) -> Any:
    return np.arange(1, at.rows + 1)


def _reference(at: Setting, _: Words) -> Any:
    kept = max(1, round(at.parents * (1 - CHILDLESS)))
    return distinct(at.rng, kept, at.parents)[zipf(at.rng, at.rows, kept, EXPONENT)] + 1


def _code(at: Setting, words: Words) -> Any:
    width = int(words[1])
    return glue(words[0], text(distinct(at.rng, at.rows, 10**width), width))


def _people(at: Setting, _: Words) -> Any:
    return names.people(at.rng, at.rows)


def _named(at: Setting, words: Words) -> Any:
    parts = [PARTS[word] if word in PARTS else [_spoken(w) for w in word.split("|")] for word in words]
    return names.unique(at.rng, at.rows, *parts)


def _pick(at: Setting, words: Words) -> Any:
    choices = [choice.partition(":") for choice in " ".join(words).split("|")]
    weights = np.array([float(weight or 1) for _, _, weight in choices])
    return take([_spoken(choice) for choice, _, _ in choices], weighted(at.rng, at.rows, weights))


def _towns(at: Setting, words: Words) -> Any:
    size = int(words[0])
    pool = names.towns(at.rng, size)
    return take(pool, weighted(at.rng, at.rows, popularity(at.rng, size, 0.9)))


def _address(at: Setting, _: Words) -> Any:
    return names.addresses(at.rng, at.rows)


def _phone(at: Setting, _: Words) -> Any:
    return glue(
        "0", text(at.rng.integers(100, 1000, at.rows)), " ", text(at.rng.integers(10**5, 10**6, at.rows))
    )


def _int(at: Setting, words: Words) -> Any:
    return at.rng.integers(int(words[0]), int(words[1]) + 1, at.rows)


def _count(at: Setting, words: Words) -> Any:
    return whole(_skewed(at, words))


def _money(at: Setting, words: Words) -> Any:
    return cents(_skewed(at, words))


def _measure(at: Setting, words: Words) -> Any:
    return cents(_skewed(at, words), 1)


def _skewed(at: Setting, words: Words) -> Any:
    low, median, high = map(float, words[:3])
    return lognormal(at.rng.standard_normal(at.rows), median, SPREAD, low, high)


def _rating(at: Setting, words: Words) -> Any:
    low, high = map(int, words[:2])
    # Most are good, as ratings are.
    return low + whole((high - low) * np.sqrt(at.rng.random(at.rows)))


def _date(at: Setting, words: Words) -> Any:
    first, last = day(words[0]), day(words[1])
    # More of them are late: organisations grow.
    return first + whole((last - first) * np.sqrt(at.rng.random(at.rows)))


def _after(at: Setting, words: Words) -> Any:
    return np.ma.getdata(at.made[words[0]]) + _int(at, words[1:])


def _flag(at: Setting, words: Words) -> Any:
    return at.rng.random(at.rows) < float(words[0])


RECIPES: Mapping[str, Recipe] = {
    "key": Recipe(type="INTEGER", make=_key),
    "ref": Recipe(type="INTEGER", make=_reference),
    "code": Recipe(type="VARCHAR", make=_code),
    "people": Recipe(type="VARCHAR", make=_people),
    "named": Recipe(type="VARCHAR", make=_named),
    "pick": Recipe(type="VARCHAR", make=_pick),
    "towns": Recipe(type="VARCHAR", make=_towns),
    "address": Recipe(type="VARCHAR", make=_address),
    "phone": Recipe(type="VARCHAR", make=_phone),
    "int": Recipe(type="INTEGER", make=_int),
    "count": Recipe(type="INTEGER", make=_count),
    "rating": Recipe(type="INTEGER", make=_rating),
    "measure": Recipe(type="DOUBLE", make=_measure),
    "money": Recipe(type="DECIMAL(10,2)", make=_money),
    "date": Recipe(type="DATE", make=_date),
    "after": Recipe(type="DATE", make=_after),
    "flag": Recipe(type="BOOLEAN", make=_flag),
}
"""By first word: `code PREFIX digits`, `named words words` (`a|b`, `_` for a blank), `pick word:weight|word`,
`towns number`, `int low high`, `count|measure|money low median high`, `rating low high`, `date first last`,
`after column days days`, `flag share`."""


def make(recipe: Words, missing: float, at: Setting) -> pa.Array | Any:
    """Return the values of a column: an Arrow array, or a NumPy array as `to_table` takes it.

    Args:
        recipe: Its words.
        missing: Share of rows without a value.
        at: Table, rows and chance.
    """
    values = RECIPES[recipe[0]].make(at, recipe[1:])
    if not missing:
        return values
    gone = at.rng.random(at.rows) < missing
    if isinstance(values, pa.Array):
        return take(values, np.ma.masked_array(np.arange(at.rows), gone))
    return np.ma.masked_array(values, gone)


def _spoken(word: str) -> str:
    return word.replace("_", " ")
