"""Why a catalog yields fewer questions of a subtype than were asked for."""

from itertools import islice
from typing import NamedTuple

from warebench.catalog.model import Catalog
from warebench.questions.model import Shortfall
from warebench.tracks.topology.candidates.generators import GENERATORS
from warebench.tracks.topology.candidates.model import Draw
from warebench.tracks.topology.subtypes import SUBTYPE


class Wanted(NamedTuple):
    """How many questions of a subtype were wanted, and how many there are."""

    subtype: str
    asked: int
    made: int


def shortfall(catalog: Catalog, draw: Draw, withheld: int, wanted: Wanted) -> Shortfall:
    """Return the record of what is missing, with the reason.

    Args:
        catalog: The catalog asked about.
        draw: What the candidates were drawn from.
        withheld: Questions that what is left out of the source could change.
        wanted: The subtype, a name in SUBTYPE, with its numbers.
    """
    reason = _lacking(catalog, wanted.subtype) or _spent(draw, wanted.subtype)
    if withheld:
        reason = f"{withheld} are not asked, as parts left out of the source could change their answers"
    return Shortfall(
        catalog=catalog.name, subtype=wanted.subtype, asked=wanted.asked, made=wanted.made, reason=reason
    )


def _lacking(catalog: Catalog, subtype: str) -> str:
    category = SUBTYPE[subtype].category
    if category == "lineage" and not catalog.lineage:
        return "the catalog has no lineage edges"
    if category == "routing" and not catalog.foreign_keys:
        return "the catalog has no foreign keys"
    return ""


def _spent(draw: Draw, subtype: str) -> str:
    """Return the reason where there was something to ask about, and no more of it."""
    answer = SUBTYPE[subtype].answer
    if answer == "boolean" and draw.balanced:
        if len(list(islice(GENERATORS[subtype](draw), 2))) < 2:
            return "only one of yes and no occurs, so it is asked once"
        return "the schema graph holds no more yes/no pairs that share no fact with another question"
    # Unbalanced sets are those whose questions may share facts.
    apart = " that share no fact with another" if draw.balanced else ""
    size = f", with at most {draw.semantics.max_answer} names as answer" if answer == "names" else ""
    return f"the schema graph holds no more distinct questions{apart}{size}"
