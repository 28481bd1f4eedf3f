"""The ten twins, in the order of the paper's TABLE II."""

from collections.abc import Mapping

from warebench.tracks.multitable.twins.airline import AIRLINE
from warebench.tracks.multitable.twins.cookbook import COOKBOOK
from warebench.tracks.multitable.twins.food_facility_inspections import FOOD_FACILITY_INSPECTIONS
from warebench.tracks.multitable.twins.food_inspection import FOOD_INSPECTION
from warebench.tracks.multitable.twins.global_biodiversity import GLOBAL_BIODIVERSITY
from warebench.tracks.multitable.twins.movie import MOVIE
from warebench.tracks.multitable.twins.music_tracker import MUSIC_TRACKER
from warebench.tracks.multitable.twins.restaurant import RESTAURANT
from warebench.tracks.multitable.twins.schema import Twin
from warebench.tracks.multitable.twins.university import UNIVERSITY
from warebench.tracks.multitable.twins.water_quality import WATER_QUALITY

TWINS: Mapping[str, Twin] = {
    "airline": AIRLINE,
    "food_inspection": FOOD_INSPECTION,
    "movie": MOVIE,
    "music_tracker": MUSIC_TRACKER,
    "restaurant": RESTAURANT,
    "university": UNIVERSITY,
    "cookbook": COOKBOOK,
    "food_facility_inspections": FOOD_FACILITY_INSPECTIONS,
    "water_quality": WATER_QUALITY,
    "global_biodiversity": GLOBAL_BIODIVERSITY,
}
"""Every twin by the paper's name of the database."""
