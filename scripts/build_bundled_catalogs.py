"""Rebuild the four bundled real catalogs from facts; run after the facts change.

Reads lists of tables and edges (`--facts`) and published DDL (`--ddl`), takes names, types and keys from
them and no text, and writes one JSON file per catalog. The files are committed: users never run this.

What each catalog holds is what the DW-Bench paper (arXiv 2604.18964, Table 1) counted:

- adventureworks: one foreign key per constraint; the paper counts 136 key columns.
- tpc_ds: the paper's 70 table pairs. Each gets the columns of one official constraint, the first by
  constraint name; further constraints of a pair (sold date and ship date, say) add no edge and are left out.
- tpc_di: 17 warehouse tables and 18 source files ("SRC."); files get the columns of the files' layout.
- omop_cdm: the paper's 74 pairs with the columns of an official 5.4 constraint, chosen in the same way.
  One pair, note_nlp -> note, has no official constraint: its evidence is "documented".
"""

import argparse
import json
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from warebench.catalog.model import Catalog, Column, ForeignKey, LineageEdge, Table
from warebench.catalog.readers.ddl import read
from warebench.catalog.validate import validate
from warebench.catalog.write import write_catalog

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data"
OUT = ROOT / "src" / "warebench" / "catalog" / "data"

# Layout of the TPC-DI source files, specification section 2.2.2: names and kinds of fields.
# N number, I small integer, T text, D date, S timestamp, B flag, R decimal.
KINDS = {
    "N": "BIGINT",
    "I": "INT",
    "T": "STRING",
    "D": "DATE",
    "S": "TIMESTAMP",
    "B": "BOOLEAN",
    "R": "DOUBLE",
}
SOURCE_FILES = {
    "SRC.CashTransaction": "CT_CA_ID:N CT_DTS:S CT_AMT:R CT_NAME:T",
    "SRC.CustomerMgmt": (
        "ActionType:T ActionTS:S C_ID:N C_TAX_ID:T C_GNDR:T C_TIER:I C_DOB:D C_L_NAME:T C_F_NAME:T "
        "C_M_NAME:T C_ADLINE1:T C_ADLINE2:T C_ZIPCODE:T C_CITY:T C_STATE_PROV:T C_CTRY:T C_PRIM_EMAIL:T "
        "C_ALT_EMAIL:T C_PHONE_1:T C_PHONE_2:T C_PHONE_3:T C_LCL_TX_ID:T C_NAT_TX_ID:T CA_ID:N CA_TAX_ST:I "
        "CA_B_ID:N CA_NAME:T"
    ),
    "SRC.DailyMarket": "DM_DATE:D DM_S_SYMB:T DM_CLOSE:R DM_HIGH:R DM_LOW:R DM_VOL:I",
    "SRC.FINWIRE_CMP": (
        "PTS:S RecType:T CompanyName:T CIK:T Status:T IndustryID:T SPrating:T FoundingDate:D AddrLine1:T "
        "AddrLine2:T PostalCode:T City:T StateProvince:T Country:T CEOname:T Description:T"
    ),
    "SRC.FINWIRE_FIN": (
        "PTS:S RecType:T Year:I Quarter:I QtrStartDate:D PostingDate:D Revenue:R Earnings:R EPS:R "
        "DilutedEPS:R Margin:R Inventory:R Assets:R Liabilities:R ShOut:N DilutedShOut:N CoNameOrCIK:T"
    ),
    "SRC.FINWIRE_SEC": (
        "PTS:S RecType:T Symbol:T IssueType:T Status:T Name:T ExID:T ShOut:N FirstTradeDate:D "
        "FirstTradeExchg:D Dividend:R CoNameOrCIK:T"
    ),
    "SRC.HR": (
        "EmployeeID:N ManagerID:N EmployeeFirstName:T EmployeeLastName:T EmployeeMI:T EmployeeJobCode:I "
        "EmployeeBranch:T EmployeeOffice:T EmployeePhone:T"
    ),
    "SRC.HoldingHistory": "HH_H_T_ID:N HH_T_ID:N HH_BEFORE_QTY:I HH_AFTER_QTY:I",
    "SRC.Prospect": (
        "AgencyID:T LastName:T FirstName:T MiddleInitial:T Gender:T AddressLine1:T AddressLine2:T "
        "PostalCode:T City:T State:T Country:T Phone:T Income:N NumberCars:I NumberChildren:I "
        "MaritalStatus:T Age:I CreditRating:I OwnOrRentFlag:T Employer:T NumberCreditCards:I NetWorth:N"
    ),
    "SRC.Trade": (
        "T_ID:N T_DTS:S T_ST_ID:T T_TT_ID:T T_IS_CASH:B T_S_SYMB:T T_QTY:I T_BID_PRICE:R T_CA_ID:N "
        "T_EXEC_NAME:T T_TRADE_PRICE:R T_CHRG:R T_COMM:R T_TAX:R"
    ),
    "SRC.TradeHistory": "TH_T_ID:N TH_DTS:S TH_ST_ID:T",
    "SRC.WatchHistory": "W_C_ID:N W_S_SYMB:T W_DTS:S W_ACTION:T",
}
# Files loaded unchanged: their layout is the table's.
SAME_AS_TABLE = {
    "SRC.Date": "DimDate",
    "SRC.Industry": "Industry",
    "SRC.StatusType": "StatusType",
    "SRC.TaxRate": "TaxRate",
    "SRC.Time": "DimTime",
    "SRC.TradeType": "TradeType",
}

Facts = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Layout:
    """What a DDL file says of one table."""

    name: str
    columns: tuple[Column, ...] = ()
    primary_key: tuple[str, ...] = ()
    references: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """(parent, child columns) of each foreign key declared in the table, lower case."""


def read_layouts(*paths: Path, parts: int = 1) -> dict[str, Layout]:
    """Return the layout of every table that scripts create, by its last `parts` name parts in lower case."""
    with TemporaryDirectory() as folder:
        for path in paths:
            shutil.copy(path, folder)
        catalog = read(Path(folder))
    layouts: dict[str, Layout] = {}
    for table in catalog.tables:
        keys = [key for key in catalog.foreign_keys if key.child == table.name]
        layout = Layout(
            name=_last(table.name, parts),
            columns=tuple(
                Column(name=c.name, type=re.sub(r"\s*([(,])\s*", r"\1", c.type), nullable=c.nullable)
                for c in table.columns
            ),
            primary_key=table.primary_key,
            references=tuple(
                (_last(key.parent, 1).lower(), tuple(name.lower() for name in key.child_columns))
                for key in keys
            ),
        )
        layouts.setdefault(layout.name.lower(), layout)
    return layouts


def _last(name: str, parts: int) -> str:
    return ".".join(name.split(".")[-parts:])


def _tables(names: Sequence[str], layouts: Mapping[str, Layout], database: str = "") -> tuple[Table, ...]:
    return tuple(
        Table(name=name, database=database, columns=layout.columns, primary_key=layout.primary_key)
        for name in names
        for layout in (layouts[name.lower()],)
    )


def _lineage(facts: Facts) -> tuple[LineageEdge, ...]:
    return tuple(LineageEdge(downstream=e["downstream"], upstream=e["upstream"]) for e in facts["lineage"])


def build_adventureworks(facts: Facts, ddl: Path) -> Catalog:
    layouts: dict[str, Layout] = {}
    # The reader leaves out a schema that all tables share, as dbo in DW.
    for prefix, file, parts in (("OLTP", "instawdb.sql", 2), ("DW.dbo", "instawdbdw.sql", 1)):
        for name, layout in read_layouts(ddl / file, parts=parts).items():
            layouts[f"{prefix}.{name}".lower()] = layout
    tables = tuple(
        msgspec.structs.replace(table, database=table.name.partition(".")[0])
        for table in _tables(facts["tables"], layouts)
    )
    keys = tuple(
        ForeignKey(
            child=key["child"],
            parent=key["parent"],
            child_columns=tuple(key["child_columns"]),
            parent_columns=tuple(key["parent_columns"]),
            name=key["constraint"],
        )
        for key in facts["fk"]
    )
    return Catalog(
        name="adventureworks",
        tables=tables,
        foreign_keys=keys,
        lineage=_lineage(facts),
        source="AdventureWorks OLTP and DW install scripts; lineage as listed by DW-Bench",
    )


def _paired_keys(facts: Facts, official: Facts) -> tuple[ForeignKey, ...]:
    """Give each listed pair the columns of its official constraint that comes first by name."""
    by_pair: dict[tuple[str, str], Facts] = {}
    for key in sorted(official["fk"], key=lambda key: str(key["constraint"])):
        by_pair.setdefault((key["child"], key["parent"]), key)
    keys: list[ForeignKey] = []
    for pair in ((edge["child"], edge["parent"]) for edge in facts["fk"]):
        if pair == ("note_nlp", "note"):
            column = ("note_id",)
            keys.append(
                ForeignKey(
                    child=pair[0],
                    parent=pair[1],
                    child_columns=column,
                    parent_columns=column,
                    evidence="documented",
                )
            )
            continue
        found = by_pair[pair]
        keys.append(
            ForeignKey(
                child=pair[0],
                parent=pair[1],
                child_columns=tuple(found["child_columns"]),
                parent_columns=tuple(found["parent_columns"]),
                name=found["constraint"],
            )
        )
    return tuple(keys)


def build_tpc_ds(facts: Facts, official: Facts, ddl: Path) -> Catalog:
    return Catalog(
        name="tpc_ds",
        tables=_tables(facts["tables"], read_layouts(ddl / "tpcds.sql")),
        foreign_keys=_paired_keys(facts, official),
        lineage=_lineage(facts),
        source=(
            "table pairs as listed by DW-Bench, names and types of TPC-DS; one official constraint per pair, "
            "further role-playing constraints of a pair are left out because they add no edge"
        ),
    )


def build_omop_cdm(facts: Facts, official: Facts, ddl: Path) -> Catalog:
    files = ("OMOPCDM_postgresql_5.4_ddl.sql", "OMOPCDM_postgresql_5.4_primary_keys.sql")
    return Catalog(
        name="omop_cdm",
        tables=_tables(facts["tables"], read_layouts(*(ddl / file for file in files))),
        foreign_keys=_paired_keys(facts, official),
        lineage=_lineage(facts),
        source="table pairs and lineage as listed by DW-Bench, columns and keys of the OMOP CDM 5.4 DDL",
    )


def _file_layouts(layouts: Mapping[str, Layout]) -> dict[str, Layout]:
    files = {
        name.lower(): Layout(
            name=name,
            columns=tuple(
                Column(name=field, type=KINDS[kind])
                for field, _, kind in (word.partition(":") for word in fields.split())
            ),
        )
        for name, fields in SOURCE_FILES.items()
    }
    for name, table in SAME_AS_TABLE.items():
        # A file enforces nothing: same columns, but no key and no NOT NULL.
        loose = tuple(Column(name=c.name, type=c.type) for c in layouts[table.lower()].columns)
        files[name.lower()] = Layout(name=name, columns=loose)
    return files


def build_tpc_di(facts: Facts, ddl: Path) -> Catalog:
    layouts = read_layouts(ddl / "tpcdi_dw_init.sql")
    keys: list[ForeignKey] = []
    for key in facts["fk"]:
        child = tuple(column.lower() for column in key["child_columns"])
        declared = (key["parent"].lower(), child) in layouts[key["child"].lower()].references
        keys.append(
            ForeignKey(
                child=key["child"],
                parent=key["parent"],
                child_columns=child,
                parent_columns=tuple(column.lower() for column in key["parent_columns"]),
                name=key["constraint"],
                evidence="declared" if declared else "documented",
            )
        )
    return Catalog(
        name="tpc_di",
        tables=_tables(facts["tables"], {**layouts, **_file_layouts(layouts)}),
        foreign_keys=tuple(keys),
        lineage=_lineage(facts),
        source="tables, keys and lineage as listed by DW-Bench; columns of a public port and of the files",
    )


def build_catalogs(facts: Path, ddl: Path) -> dict[str, Catalog]:
    """Return the four catalogs by name, in the paper's order."""

    def read(name: str) -> Facts:
        return dict(json.loads((facts / f"{name}.json").read_text(encoding="utf-8")))

    catalogs = (
        build_adventureworks(read("adventureworks"), ddl),
        build_tpc_ds(read("tpc_ds"), read("tpcds_official_ri"), ddl),
        build_tpc_di(read("tpc_di"), ddl),
        build_omop_cdm(read("omop_cdm"), read("omop_official_5.4"), ddl),
    )
    return {catalog.name: validate(catalog) for catalog in catalogs}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--facts", type=Path, default=SHARED / "dwbench_facts", metavar="DIR")
    parser.add_argument("--ddl", type=Path, default=SHARED / "ddl", metavar="DIR")
    parser.add_argument("--out", type=Path, default=OUT, metavar="DIR")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file would change")
    options = parser.parse_args()
    stale = 0
    for name, catalog in build_catalogs(options.facts, options.ddl).items():
        path = options.out / f"{name}.json"
        before = path.read_bytes() if path.exists() else b""
        with TemporaryDirectory() as folder:
            written = write_catalog(catalog, Path(folder) / path.name).read_bytes()
        changed = written != before
        stale += changed
        if changed and not options.check:
            write_catalog(catalog, path)
        print(f"{path.name}: {'changed' if changed else 'unchanged'}")
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
