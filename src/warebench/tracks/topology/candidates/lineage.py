"""Candidates of the five lineage subtypes (DW-Bench, Table 2)."""

from collections.abc import Iterator

from warebench.answers.model import NameSet
from warebench.graph.impact import combined_impact
from warebench.graph.lineage import closure_layers, direct
from warebench.tracks.topology.candidates.model import Candidate, Draw


def forward(draw: Draw) -> Iterator[Candidate]:
    """Yield one candidate for each table that something derives from directly."""
    for table in draw.tables():
        names = direct(draw.graph, table, "downstream")
        if 0 < len(names) <= draw.semantics.max_answer:
            yield _direct(table, names, "forward", "", f"lineage_out:{table}")


def reverse(draw: Draw) -> Iterator[Candidate]:
    """Yield one candidate for each derived table; those that multi_source cannot ask about come first."""
    found = [(table, direct(draw.graph, table, "upstream")) for table in draw.tables()]
    found.sort(key=lambda item: len(item[1]) >= draw.semantics.multi_source_minimum)
    for table, names in found:
        if 0 < len(names) <= draw.semantics.max_answer:
            yield _direct(table, names, "reverse", "", f"lineage_in:{table}")


def multi_source(draw: Draw) -> Iterator[Candidate]:
    """Yield tables with enough sources; where none has, the variant `two_sources`."""
    found = [(table, direct(draw.graph, table, "upstream")) for table in draw.tables()]
    enough = [item for item in found if len(item[1]) >= draw.semantics.multi_source_minimum]
    variant = "" if enough else "two_sources"
    for table, names in enough or [item for item in found if len(item[1]) >= 2]:
        if len(names) <= draw.semantics.max_answer:
            yield _direct(table, names, "multi_source", variant, f"lineage_in:{table}")


def transitive(draw: Draw) -> Iterator[Candidate]:
    """Yield tables whose downstream closure exceeds their direct targets."""
    limit = draw.semantics.max_answer
    for table in draw.tables():
        layers = closure_layers(draw.graph, table, "downstream", limit)
        names = tuple(sorted(name for layer in layers for name in layer))
        if len(layers) > 1 and len(names) <= limit:
            yield Candidate(
                subtype="transitive",
                subjects=(table,),
                gold=NameSet(names),
                method="warebench.graph.lineage.closure_layers",
                fact=f"lineage_closure:{table}",
                path_length=len(layers),
                evidence=names,
            )


def impact(draw: Draw) -> Iterator[Candidate]:
    """Yield combined_impact of lineage sources; first where foreign keys add tables to the closure."""
    later = []
    for table in draw.tables():
        layers = closure_layers(draw.graph, table, "downstream", draw.semantics.max_answer)
        size = sum(len(layer) for layer in layers)
        if not 0 < size <= draw.semantics.max_answer:
            continue
        candidate = _impact(draw, table, layers)
        if len(candidate.evidence or ()) > draw.semantics.max_answer:
            continue
        if candidate.fact.startswith("impact:"):
            yield candidate
        else:
            later.append(candidate)
    yield from later


def _impact(draw: Draw, table: str, layers: tuple[tuple[str, ...], ...]) -> Candidate:
    rules = draw.semantics
    names = combined_impact(
        draw.graph,
        table,
        direction=rules.impact_fk_direction,
        depth=rules.impact_fk_depth,
        from_table=rules.impact_fk_from_table,
    )
    closure_fact = f"lineage_closure:{table}" if len(layers) > 1 else f"lineage_out:{table}"
    adds = len(names) > sum(len(layer) for layer in layers)
    return Candidate(
        subtype="combined_impact",
        subjects=(table,),
        gold=NameSet(names, optional=(table,)),
        method="warebench.graph.impact.combined_impact",
        fact=f"impact:{table}" if adds else closure_fact,
        path_length=len(layers),
        evidence=names,
    )


def _direct(table: str, names: tuple[str, ...], subtype: str, variant: str, fact: str) -> Candidate:
    return Candidate(
        subtype=subtype,
        variant=variant,
        subjects=(table,),
        gold=NameSet(names),
        method="warebench.graph.lineage.direct",
        fact=fact,
        path_length=1,
        evidence=names,
    )
