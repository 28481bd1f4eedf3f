"""movie: films, actors and the characters they play; BIRD's names and shape."""

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from warebench.worlds.synthetic.columns import day, glue, take
from warebench.worlds.synthetic.draw import (
    Floats,
    Ints,
    cents,
    correlated,
    distinct_pairs,
    lognormal,
    popularity,
    ranks,
    weighted,
    whole,
    zipf,
)
from warebench.worlds.synthetic.names import (
    INITIALS,
    MEN,
    SURNAMES,
    WOMEN,
    people,
    phrases,
    towns,
    unique,
    unique_parts,
)
from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.synthetic.schema import Columns, Maker


def make_movies(plan: Plan) -> Columns:
    """Draw the films: budget, gross, rating and votes hang together."""
    words = plan.words
    rng, size = plan.generator("movie"), plan.rows["movie"]
    budget = _budget(plan)
    gross = correlated(rng, budget, 0.7)
    runtime = correlated(rng, budget, 0.4)
    liked = 0.45 * gross + 0.4 * runtime + 0.75 * rng.standard_normal(size)
    votes = 0.7 * liked + 0.5 * gross + 0.5 * rng.standard_normal(size)
    return {
        "MovieID": np.arange(1, size + 1),
        "Title": unique(rng, size, words["articles"], words["moods"], words["things"]),
        "MPAA Rating": take(("PG-13", "R", "PG", "G"), zipf(rng, size, 4, 1.5)),
        "Budget": whole(lognormal(budget, 42e6, 0.8, 3e5, 3.2e8) / 1e5) * 100_000,
        "Gross": whole(lognormal(gross, 110e6, 0.9, 4e4, 2.4e9)),
        "Release Date": day("1972-01-05") + rng.integers(16_000, size=size),
        "Genre": take(words["genres"], zipf(rng, size, len(words["genres"]), plan.exponent)),
        "Runtime": np.clip(whole(116 + 17 * runtime), 72, 215),
        "Rating": np.clip(cents(6.6 + 0.85 * liked, 1), 1.4, 9.4),
        "Rating Count": whole(lognormal(votes, 120_000, 0.8, 800, 2.2e6)),
        "Summary": phrases(rng, size, words["heroes"], words["deeds"], words["places"], words["turns"]),
    }


def _budget(plan: Plan) -> Floats:
    return plan.generator("movie", "budget").standard_normal(plan.rows["movie"])


def make_actors(plan: Plan) -> Columns:
    """Draw the actors; the famous ones are rich."""
    words = plan.words
    rng, size = plan.generator("actor"), plan.rows["actor"]
    given, initial, surname = unique_parts(rng, size, MEN + WOMEN, INITIALS, SURNAMES)
    male = pc.is_in(given, pa.array(MEN)).to_numpy(zero_copy_only=False)
    cities = towns(rng, max(40, size // 6))
    schools = (
        "Trained at a drama school",
        "Discovered in a bakery",
        "Began in radio plays",
        "A former gymnast",
    )
    lives = (
        "and lives by the sea.",
        "and has three children.",
        "and still acts on stage.",
        "and directs, too.",
    )
    return {
        "ActorID": np.arange(1, size + 1),
        "Name": glue(given, initial, surname, between=" "),
        "Date of Birth": day("1925-01-01") + rng.integers(27_000, size=size),
        "Birth City": take(cities, zipf(rng, size, len(cities), 0.6)),
        "Birth Country": take(words["countries"], zipf(rng, size, len(words["countries"]), 1.3)),
        "Height (Inches)": whole(np.where(male, 71.0, 65.5) + 2.6 * rng.standard_normal(size)),
        "Biography": phrases(rng, size, schools, lives),
        "Gender": take(("Female", "Male"), male.astype(np.int64)),
        "Ethnicity": take(
            ("White", "African American", "Hispanic", "Asian", "Mixed"), zipf(rng, size, 5, 1.3)
        ),
        "NetWorth": cents(lognormal(correlated(rng, _fame(plan), 0.8), 6e6, 1.0, 4e4, 9e8)),
    }


def _fame(plan: Plan) -> Floats:
    return plan.generator("actor", "fame").standard_normal(plan.rows["actor"])


def make_characters(plan: Plan) -> Columns:
    """Draw who plays whom: the first in the credits are seen longest and paid best."""
    rng, size = plan.generator("characters"), plan.rows["characters"]
    films, actors = plan.rows["movie"], plan.rows["actor"]
    wanted = popularity(rng, actors, plan.exponent)

    def propose(count: int) -> tuple[Ints, Ints]:
        return rng.integers(films, size=count), weighted(rng, count, wanted)

    film, actor = distinct_pairs(rng, size, (films, actors), propose)
    by_film = np.argsort(film, kind="stable")
    film, actor = film[by_film], actor[by_film]
    credit = 1 + ranks(film)
    seen = lognormal(rng.standard_normal(size), 55 / credit**0.7, 0.25, 1, 150)
    wage = 0.5 * _budget(plan)[film] + 0.5 * _fame(plan)[actor] + 0.4 * rng.standard_normal(size)
    return {
        "MovieID": 1 + film,
        "ActorID": 1 + actor,
        "Character Name": people(rng, size),
        "creditOrder": credit,
        "pay": cents(lognormal(wage, 42_000 * seen, 0.9, 2_000, 6e7)),
        "screentime": whole(seen),
    }


MAKERS: Mapping[str, Maker] = {
    "movie": make_movies,
    "actor": make_actors,
    "characters": make_characters,
}
