"""Random schema graphs for property tests."""

from hypothesis import strategies as st

from warebench.catalog.model import Catalog, ForeignKey, LineageEdge, Table


@st.composite
def catalogs(draw: st.DrawFn, *, acyclic: bool = False) -> Catalog:
    """A catalog of 1 to 9 tables with any foreign keys and lineage, cycles and self references included."""
    size = draw(st.integers(1, 9))
    names = [f"t{number}" for number in range(size)]
    pairs = st.tuples(st.sampled_from(names), st.sampled_from(names))
    keys = draw(st.lists(pairs, max_size=14))
    edges = draw(st.lists(pairs.filter(lambda pair: pair[0] != pair[1]), max_size=14, unique=True))
    if acyclic:
        edges = [(max(pair), min(pair)) for pair in edges]
    return Catalog(
        name="random",
        tables=tuple(Table(name=name) for name in names),
        foreign_keys=tuple(ForeignKey(child=child, parent=parent) for child, parent in keys),
        lineage=tuple(LineageEdge(downstream=down, upstream=up) for down, up in dict.fromkeys(edges)),
    )
