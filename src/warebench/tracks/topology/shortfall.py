"""Why a catalog yields fewer questions of a subtype than were asked for."""

from collections.abc import Sequence

from warebench.catalog.model import Catalog
from warebench.questions.model import Shortfall
from warebench.tracks.topology.candidates.model import Candidate
from warebench.tracks.topology.semantics import Semantics
from warebench.tracks.topology.subtypes import SUBTYPE


def shortfall(
    catalog: Catalog, semantics: Semantics, subtype: str, asked: int, made: Sequence[Candidate]
) -> Shortfall:
    """Return the record of what is missing, with the reason."""
    reason = _reason(catalog, semantics, subtype)
    return Shortfall(catalog=catalog.name, subtype=subtype, asked=asked, made=len(made), reason=reason)


def _reason(catalog: Catalog, semantics: Semantics, subtype: str) -> str:
    category = SUBTYPE[subtype].category
    if category == "lineage" and not catalog.lineage:
        return "the catalog has no lineage edges"
    if category == "routing" and not catalog.foreign_keys:
        return "the catalog has no foreign keys"
    size = f" and have at most {semantics.max_answer} names as answer"
    return "the schema graph holds no more distinct questions that share no fact with another" + (
        size if SUBTYPE[subtype].answer == "names" else ""
    )
