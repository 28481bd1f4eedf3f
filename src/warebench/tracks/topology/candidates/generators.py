"""Which generator makes which subtype."""

from collections.abc import Callable, Iterator

from warebench.tracks.topology.candidates import lineage, routing, silo
from warebench.tracks.topology.candidates.model import Candidate, Draw

GENERATORS: dict[str, Callable[[Draw], Iterator[Candidate]]] = {
    "forward": lineage.forward,
    "reverse": lineage.reverse,
    "multi_source": lineage.multi_source,
    "transitive": lineage.transitive,
    "combined_impact": lineage.impact,
    "direct_fk": routing.direct_fk,
    "join_path": routing.join_path,
    "hop_count": routing.hop_count,
    "count": silo.count,
    "isolation": silo.isolation,
    "connected": silo.connected,
    "membership": silo.membership,
    "full_enumeration": silo.full_enumeration,
}
