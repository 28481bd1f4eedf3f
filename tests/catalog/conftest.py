from pathlib import Path

import pytest

from warebench.catalog.model import Catalog, Column, ForeignKey, LineageEdge, Table

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"


@pytest.fixture
def shop() -> Catalog:
    """Two databases, a composite and a self-referencing key, odd names, lineage, a table without columns."""
    number = Column(name="id", type="INTEGER", nullable=False)
    return Catalog(
        name="shop",
        tables=(
            Table(name="Sales.Customer", database="crm", columns=(number,), primary_key=("id",)),
            Table(
                name="order details",
                database="crm",
                columns=(
                    number,
                    Column(name="line no", type="DECIMAL(8, 2)", nullable=False),
                    Column(name="customer_id", type="INTEGER"),
                    Column(name="parent"),
                ),
                primary_key=("id", "line no"),
            ),
            Table(name="mart", database="dw"),
        ),
        foreign_keys=(
            ForeignKey(
                child="order details",
                parent="Sales.Customer",
                child_columns=("customer_id",),
                parent_columns=("id",),
                name="fk_customer",
            ),
            ForeignKey(
                child="order details",
                parent="order details",
                child_columns=("id", "parent"),
                parent_columns=("id", "line no"),
            ),
            ForeignKey(child="mart", parent="Sales.Customer", evidence="inferred"),
        ),
        lineage=(LineageEdge(downstream="mart", upstream="order details"),),
        source="by hand",
    )


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data, which is no part of the project."""
    if not DATA.is_dir():
        pytest.skip("the real data at ../shared/data is absent")
    return DATA
