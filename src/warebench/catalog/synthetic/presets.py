"""The three named synthetic catalogs of the topology track."""

from warebench.catalog.synthetic.spec import SyntheticSpec

PRESETS: dict[str, SyntheticSpec] = {
    # Every subtype of the paper has at least 20 distinct questions, whichever way foreign keys are read,
    # and three disjoint sets of 20 silos exist for membership, enumeration and size.
    "default": SyntheticSpec(tables=350, silos=72, small_silos=54, isolated=12),
    # What DW-Bench's released script makes, and its 372 questions need.
    "released": SyntheticSpec(pattern="circulant", tables=64, silos=5, largest=20),
    # What DW-Bench's Table 1 and Appendix D state; carries far fewer questions than the paper counts.
    "table1": SyntheticSpec(
        pattern="chains", tables=64, silos=5, lineage_depth=4, chains=3, foreign_keys=96, lineage=35
    ),
}
"""Named specs; `default` first."""
