"""music_tracker: shared releases and their tags; BIRD's names and shape."""

import numpy as np

from warebench.engine.synthetic.columns import take
from warebench.engine.synthetic.draw import (
    Ints,
    correlated,
    distinct,
    distinct_pairs,
    lognormal,
    popularity,
    weighted,
    whole,
    zipf,
)
from warebench.engine.synthetic.names import unique, words
from warebench.engine.synthetic.plan import Plan
from warebench.engine.synthetic.schema import Columns, table
from warebench.tracks.multitable.twins.schema import declare

TORRENTS = table(
    "torrents",
    key="id",
    columns="""
    groupName: VARCHAR name
    totalSnatched: INTEGER? measure
    artist: VARCHAR?
    groupYear: INTEGER?
    releaseType: VARCHAR?
    groupId: INTEGER
    id: INTEGER
    """,
)
TAGS = table(
    "tags",
    key="index",
    columns="""
    index: INTEGER
    id: INTEGER?
    tag: VARCHAR
    """,
)

BEATS = words(
    """
    Analog Bass Binary Broken Carbon Chrome Concrete Cosmic Diesel Digital Dusty Electric Faded Feral
    Fluid Ghost Glass Granite Heavy Hollow Infra Iron Liquid Lunar Magnetic Marble Molten Neon Nocturnal
    Opal Plastic Polar Quantum Radiant Rusty Satin Shadow Smoked Solar Static Strange Tender Thermal
    Tidal Ultra Velour Violet Warm
    """
)
LOOPS = words(
    """
    Alley Antenna Arcade Avenue Block Boulevard Breakdown Cable Cadence Cassette Chorus Circuit Cut
    Dialect Echo Elevator Fabric Fever Filter Frequency Funk Gospel Groove Hustle Jungle Kitchen Ladder
    Loop Mantra Method Motion Needle Orbit Parade Pattern Pressure Pulse Ritual Rooftop Safari Sermon
    Signal Skyline Sleeve Spectrum Subway Swing Tape Temple Theory Traffic Turntable Vapor Verse Vinyl
    """
)
SUFFIXES = words(
    """
    Sessions Anthology Tapes Remixed Live Volume Suite Nights Edits Dubs Chronicles Rework Instrumentals
    Unplugged Archive Bootleg Demos Rarities Forever Express Reprise Outtakes Diaries Blues Rhapsody
    Hours Trilogy Experiment Variations Letters
    """
)
CREWS = words(
    """
    Collective Crew Foundation Orchestra Syndicate Quartet Brothers Sisters Unit Project Posse Trio
    """
)
TYPES = (
    "album",
    "single",
    "ep",
    "mixtape",
    "compilation",
    "anthology",
    "live album",
    "remix",
    "soundtrack",
    "demo",
)
GENRES = words(
    """
    hip.hop house funk soul jazz techno disco reggae ambient dub drum.and.bass electro garage
    rhythm.and.blues breaks downtempo trip.hop gospel latin grime afrobeat bebop boogie dancehall
    experimental footwork fusion industrial minimal new.jack.swing
    """
)
SCENES = words("1970s 1980s 1990s 2000s 2010s underground instrumental east.coast west.coast southern")


def make_torrents(plan: Plan) -> Columns:
    """Draw the releases: old ones have been fetched more often."""
    rng, size = plan.generator("torrents"), plan.rows["torrents"]
    artists = unique(rng, max(20, size // 6), BEATS, LOOPS, CREWS)
    age = np.abs(rng.standard_normal(size))
    kinds = zipf(rng, size, len(TYPES), 1.2)
    worth = correlated(rng, rng.standard_normal(len(TYPES)), 0.3)[kinds]
    fetched = 0.65 * (age - 0.8) + 0.3 * worth + 0.6 * rng.standard_normal(size)
    return {
        "groupName": unique(rng, size, BEATS, LOOPS, SUFFIXES),
        "totalSnatched": whole(lognormal(fetched, 90.0, 0.8, 0, 9_000)),
        "artist": take(artists, zipf(rng, size, len(artists), plan.exponent)),
        "groupYear": np.clip(2017 - whole(14 * age), 1963, 2017),
        "releaseType": take(TYPES, kinds),
        "groupId": 700_000 + distinct(rng, size, 3 * size),
        "id": _ids(plan),
    }


def _ids(plan: Plan) -> Ints:
    return np.arange(plan.rows["torrents"])


def make_tags(plan: Plan) -> Columns:
    """Draw the tags: no release has one twice."""
    rng, size = plan.generator("tags"), plan.rows["tags"]
    words = [*GENRES, *SCENES, *(f"{genre}.{scene}" for genre in GENRES for scene in SCENES)]
    shape = plan.rows["torrents"], len(words)

    known, used = popularity(rng, shape[0], plan.exponent / 3), popularity(rng, shape[1], 1.1)

    def propose(count: int) -> tuple[Ints, Ints]:
        return weighted(rng, count, known), weighted(rng, count, used)

    release, word = distinct_pairs(rng, size, shape, propose)
    return {"index": np.arange(size), "id": _ids(plan)[release], "tag": take(words, word)}


MUSIC_TRACKER = declare(
    "music_tracker",
    "shared music releases and their tags",
    ((TORRENTS, 75_719, make_torrents), (TAGS, 161_283, make_tags)),
    ("tags(id) -> torrents(id)",),
    0.1,
)
