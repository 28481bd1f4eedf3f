"""The tracks: one benchmark each over the same core."""

from typing import Any

from warebench.errors import BuildError, did_you_mean
from warebench.questions.track import Track
from warebench.tracks.budget.track import BUDGET
from warebench.tracks.intelligence.track import INTELLIGENCE
from warebench.tracks.multitable.track import MULTITABLE
from warebench.tracks.topology.track import TOPOLOGY

TRACKS: tuple[Track[Any], ...] = (TOPOLOGY, BUDGET, MULTITABLE, INTELLIGENCE)
"""Every track, in the order the commands list them; each has options of its own."""


def find_track(name: str) -> Track[Any]:
    """Return a track by name.

    Raises:
        BuildError: There is no such track.
    """
    for track in TRACKS:
        if track.name == name:
            return track
    raise BuildError(f"no track `{name}`", fix=did_you_mean(name, [track.name for track in TRACKS]))
