"""A small warehouse that has every subtype, drawn by hand.

Foreign keys (child > parent):  order > customer > region, order > product, ticket > customer
Lineage (upstream > downstream): raw_a, raw_b, raw_c > stage > mart > board;  raw_a > audit
Silos: the shop (5 tables), the pipeline (7 tables), and `lonely`.
"""

from warebench.catalog.model import Catalog, Column, ForeignKey, LineageEdge, Table

SHOP = ("region", "customer", "product", "order", "ticket")
PIPELINE = ("raw_a", "raw_b", "raw_c", "stage", "mart", "board", "audit")
KEYS = (("order", "customer"), ("customer", "region"), ("order", "product"), ("ticket", "customer"))
LINEAGE = (
    ("raw_a", "stage"),
    ("raw_b", "stage"),
    ("raw_c", "stage"),
    ("stage", "mart"),
    ("mart", "board"),
    ("raw_a", "audit"),
)

CATALOG = Catalog(
    name="sample",
    tables=tuple(
        Table(name=name, columns=(Column(name="id", type="INTEGER", nullable=False),), primary_key=("id",))
        for name in (*SHOP, *PIPELINE, "lonely")
    ),
    foreign_keys=tuple(
        ForeignKey(child=child, parent=parent, child_columns=("id",), parent_columns=("id",))
        for child, parent in KEYS
    ),
    lineage=tuple(LineageEdge(downstream=down, upstream=up) for up, down in LINEAGE),
)
