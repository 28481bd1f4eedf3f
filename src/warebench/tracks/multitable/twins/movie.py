"""movie: films, actors and the characters they play; BIRD's names and shape."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from warebench.engine.synthetic.columns import day, glue, take
from warebench.engine.synthetic.draw import (
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
from warebench.engine.synthetic.names import (
    INITIALS,
    MEN,
    SURNAMES,
    WOMEN,
    people,
    phrases,
    towns,
    unique,
    unique_parts,
    words,
)
from warebench.engine.synthetic.plan import Plan
from warebench.engine.synthetic.schema import Columns, table
from warebench.tracks.multitable.twins.schema import declare

MOVIES = table(
    "movie",
    key="MovieID",
    columns="""
    MovieID: INTEGER
    Title: VARCHAR name
    MPAA Rating: VARCHAR?
    Budget: BIGINT? measure
    Gross: BIGINT? measure
    Release Date: DATE?
    Genre: VARCHAR?
    Runtime: INTEGER? measure
    Rating: DOUBLE? measure
    Rating Count: INTEGER? measure
    Summary: VARCHAR? prose
    """,
)
ACTORS = table(
    "actor",
    key="ActorID",
    columns="""
    ActorID: INTEGER
    Name: VARCHAR name
    Date of Birth: DATE?
    Birth City: VARCHAR?
    Birth Country: VARCHAR?
    Height (Inches): INTEGER? measure
    Biography: VARCHAR? prose
    Gender: VARCHAR?
    Ethnicity: VARCHAR?
    NetWorth: DECIMAL(14,2)? measure
    """,
)
CHARACTERS = table(
    "characters",
    key="MovieID, ActorID",
    columns="""
    MovieID: INTEGER
    ActorID: INTEGER
    Character Name: VARCHAR name
    creditOrder: INTEGER
    pay: DECIMAL(14,2)? measure
    screentime: INTEGER? measure
    """,
)

MOODS = words(
    """
    Amber Bitter Borrowed Broken Burning Crooked Distant Drowned Electric Empty Endless Fading Final
    Forgotten Frozen Gilded Hidden Hollow Honest Hungry Last Lonely Lost Midnight Nameless Paper Patient
    Perfect Quiet Restless Scarlet Second Secret Silent Sleeping Stolen Sudden Velvet Wandering Winter
    """
)
THINGS = words(
    """
    Alibi Anthem Archive Autumn Bargain Beacon Bridge Carnival Cathedral Circus Compass Confession
    Corridor Country Crossing Daughter Detour Empire Engine Farewell Garden Harbor Heist Horizon
    Inheritance Island Journey Kingdom Lantern Letter Lighthouse Machine Mirror Mountain Orchard
    Orchestra Paradox Passenger Promise Republic River Shadow Station Stranger Summer Symphony Tunnel
    Verdict Voyage Witness
    """
)
ARTICLES = ("The", "Every", "One", "My", "Her", "No")
GENRES = words(
    """
    Drama Comedy Action Thriller Adventure Crime Horror Romance Animation Fantasy Mystery Western
    """
)
COUNTRIES = words("USA UK Canada France Germany Italy Spain Ireland Australia India Japan Brazil Mexico")
HEROES = (
    "A retired pilot",
    "A shy archivist",
    "Two rival chefs",
    "A village doctor",
    "An ageing boxer",
    "Twin sisters",
)
DEEDS = (
    "must return to",
    "tries to save",
    "is hired to burgle",
    "inherits",
    "falls in love in",
    "disappears from",
)
PLACES = (
    "a flooded mining town",
    "the last night train",
    "a bankrupt opera house",
    "an island prison",
    "a space port",
)
TURNS = ("before winter ends.", "while the town looks away.", "and nobody believes it.", "on one long night.")


def make_movies(plan: Plan) -> Columns:
    """Draw the films: budget, gross, rating and votes hang together."""
    rng, size = plan.generator("movie"), plan.rows["movie"]
    budget = _budget(plan)
    gross = correlated(rng, budget, 0.7)
    runtime = correlated(rng, budget, 0.4)
    liked = 0.45 * gross + 0.4 * runtime + 0.75 * rng.standard_normal(size)
    votes = 0.7 * liked + 0.5 * gross + 0.5 * rng.standard_normal(size)
    return {
        "MovieID": np.arange(1, size + 1),
        "Title": unique(rng, size, ARTICLES, MOODS, THINGS),
        "MPAA Rating": take(("PG-13", "R", "PG", "G"), zipf(rng, size, 4, 1.5)),
        "Budget": whole(lognormal(budget, 42e6, 0.8, 3e5, 3.2e8) / 1e5) * 100_000,
        "Gross": whole(lognormal(gross, 110e6, 0.9, 4e4, 2.4e9)),
        "Release Date": day("1972-01-05") + rng.integers(16_000, size=size),
        "Genre": take(GENRES, zipf(rng, size, len(GENRES), plan.exponent)),
        "Runtime": np.clip(whole(116 + 17 * runtime), 72, 215),
        "Rating": np.clip(cents(6.6 + 0.85 * liked, 1), 1.4, 9.4),
        "Rating Count": whole(lognormal(votes, 120_000, 0.8, 800, 2.2e6)),
        "Summary": phrases(rng, size, HEROES, DEEDS, PLACES, TURNS),
    }


def _budget(plan: Plan) -> Floats:
    return plan.generator("movie", "budget").standard_normal(plan.rows["movie"])


def make_actors(plan: Plan) -> Columns:
    """Draw the actors; the famous ones are rich."""
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
        "Birth Country": take(COUNTRIES, zipf(rng, size, len(COUNTRIES), 1.3)),
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


MOVIE = declare(
    "movie",
    "films, actors and their roles",
    (
        (MOVIES, 634, make_movies),
        (ACTORS, 2_713, make_actors),
        (CHARACTERS, 4_312, make_characters),
    ),
    (
        "characters(MovieID) -> movie(MovieID)",
        "characters(ActorID) -> actor(ActorID)",
    ),
    1.0,
)
