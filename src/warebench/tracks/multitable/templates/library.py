"""The 140 templates by database, in the paper's order."""

from warebench.queries.template import Template
from warebench.tracks.multitable.templates import (
    airline,
    cookbook,
    food_facility_inspections,
    food_inspection,
    global_biodiversity,
    movie,
    music_tracker,
    restaurant,
    university,
    water_quality,
)

LIBRARY: dict[str, tuple[Template, ...]] = {
    "airline": airline.TEMPLATES,
    "food_inspection": food_inspection.TEMPLATES,
    "movie": movie.TEMPLATES,
    "music_tracker": music_tracker.TEMPLATES,
    "restaurant": restaurant.TEMPLATES,
    "university": university.TEMPLATES,
    "cookbook": cookbook.TEMPLATES,
    "food_facility_inspections": food_facility_inspections.TEMPLATES,
    "water_quality": water_quality.TEMPLATES,
    "global_biodiversity": global_biodiversity.TEMPLATES,
}
