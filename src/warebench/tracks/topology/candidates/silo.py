"""Candidates of the five silo subtypes (DW-Bench, Table 2)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from warebench.answers.model import Boolean, NameSet, Number
from warebench.graph.neighbourhood import distance_to_all, neighbour_lists
from warebench.graph.paths import shortest_paths, walkable
from warebench.graph.silos import silos
from warebench.tracks.topology.candidates.model import Candidate, Draw, pair_fact
from warebench.tracks.topology.candidates.turns import alternate, by_turns

Item = TypeVar("Item")

METHOD = "warebench.graph.silos.silos"


@dataclass(frozen=True, slots=True)
class Silos:
    """The silos of a draw, and the silo of each table."""

    groups: tuple[tuple[str, ...], ...]
    of: dict[str, tuple[str, ...]]


def count(draw: Draw) -> Iterator[Candidate]:
    """Yield the number of silos; then variants: `silo_size`, and `silos_at_least` k tables."""
    found = _silos(draw)
    yield Candidate(
        subtype="count",
        subjects=(),
        gold=Number(len(found.groups)),
        method=METHOD,
        fact="silos",
        evidence=None,
    )
    yield from alternate(_silo_size(draw, found), _silos_at_least(draw, found))


def _silo_size(draw: Draw, found: Silos) -> Iterator[Candidate]:
    for table in draw.tables():
        silo = found.of[table]
        if 1 < len(silo) < len(draw.graph.names):
            yield Candidate(
                subtype="count",
                variant="silo_size",
                subjects=(table,),
                gold=Number(len(silo)),
                method=METHOD,
                fact=f"silo:{silo[0]}",
                evidence=silo,
            )


def _silos_at_least(draw: Draw, found: Silos) -> Iterator[Candidate]:
    sizes = sorted({len(group) for group in found.groups})
    for smaller, size in pairwise(sizes):
        least = draw.random.randint(smaller + 1, size)
        number = sum(len(group) >= least for group in found.groups)
        if number < 2:
            return  # one silo of k tables: with a large k the answer could only be 1
        yield Candidate(
            subtype="count",
            variant="silos_at_least",
            subjects=(),
            gold=Number(number),
            method=METHOD,
            fact=f"silos_at_least:{size}",
            values={"k": least},
            evidence=None,
        )


def isolation(draw: Draw) -> Iterator[Candidate]:
    """Yield isolated tables and others by turns."""
    found = _silos(draw)
    order = draw.tables()
    alone = [table for table in order if len(found.of[table]) == 1]
    joined = [table for table in order if len(found.of[table]) > 1]
    for table in by_turns(alone, joined, balanced=draw.balanced):
        yield Candidate(
            subtype="isolation",
            subjects=(table,),
            gold=Boolean(len(found.of[table]) == 1),
            method=METHOD,
            fact=f"isolation:{table}",
            evidence=(table,),
        )


def connected(draw: Draw) -> Iterator[Candidate]:
    """Yield connected and separate pairs by turns."""
    found = _silos(draw)
    walk, near = walkable(draw.graph, "any"), neighbour_lists(draw.graph)
    pairs = by_turns(_same_silo(draw, found), _other_silo(draw, found), balanced=draw.balanced)
    for first, second in pairs:
        same = found.of[first] == found.of[second]
        path = shortest_paths(draw.graph, walk, first, second) if same else None
        yield Candidate(
            subtype="connected",
            subjects=(first, second),
            gold=Boolean(same),
            method=METHOD,
            fact=pair_fact("connected", first, second),
            evidence=path.path if path else _nearer_silo(draw, near, found, first, second),
        )


def _nearer_silo(
    draw: Draw, near: Sequence[Sequence[int]], found: Silos, first: str, second: str
) -> tuple[str, ...]:
    """Return the silo that is seen whole sooner: that suffices to tell the tables apart."""
    index = draw.graph.index
    hops = {
        table: distance_to_all(near, [index[table]], [index[name] for name in found.of[table]])
        for table in (first, second)
    }
    return found.of[min(hops, key=lambda table: hops[table])]


def _same_silo(draw: Draw, found: Silos) -> Iterator[tuple[str, str]]:
    for table in draw.tables():
        silo = found.of[table]
        if len(silo) > 1:
            yield table, _another(draw, silo, silo.index(table))


def _other_silo(draw: Draw, found: Silos) -> Iterator[tuple[str, str]]:
    if len(found.groups) > 1:
        place = {silo[0]: number for number, silo in enumerate(found.groups)}
        for table in draw.tables():
            group = _another(draw, found.groups, place[found.of[table][0]])
            yield table, draw.random.choice(group)


def _another(draw: Draw, items: Sequence[Item], but: int) -> Item:
    """Return a random item other than the one at a position, without making a list of the others."""
    drawn = draw.random.randrange(len(items) - 1)
    return items[drawn + (drawn >= but)]


def membership(draw: Draw) -> Iterator[Candidate]:
    """Yield tables that share their silo with others."""
    return _enumerate(draw, "membership", include=False)


def full_enumeration(draw: Draw) -> Iterator[Candidate]:
    """Yield silos, each named by one of its tables."""
    return _enumerate(draw, "full_enumeration", include=True)


def _enumerate(draw: Draw, subtype: str, *, include: bool) -> Iterator[Candidate]:
    found = _silos(draw)
    for table in draw.tables():
        silo = found.of[table]
        if 1 < len(silo) <= draw.semantics.max_answer:
            names = silo if include else tuple(name for name in silo if name != table)
            yield Candidate(
                subtype=subtype,
                subjects=(table,),
                gold=NameSet(names, optional=() if include else (table,)),
                method=METHOD,
                fact=f"silo:{silo[0]}",
                evidence=silo,
            )


def _silos(draw: Draw) -> Silos:
    groups = silos(draw.graph, draw.semantics.silo_edges)
    return Silos(groups, {table: group for group in groups for table in group})
