"""How organisations spell the names of tables and columns."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from warebench.worlds.organisations.plural import singular

Convention = Literal["plural", "singular", "camel", "camel_singular", "tbl", "star", "short", "upper"]

_SHORT = """
account:acct address:addr amount:amt appointment:appt apartment:apt average:avg balance:bal booking:bkg
branch:br building:bldg category:cat charge:chg city:cty code:cd consumption:cons contract:ctr country:ctry
course:crs customer:cust date:dt delivery:dlv department:dept description:descr discount:disc distance:dist
doctor:dr duration:dur employee:emp equipment:eqp event:evt exhibition:exh flight:flt guest:gst hour:hr
hours:hrs invoice:inv item:itm location:loc manager:mgr maintenance:maint member:mbr meter:mtr minutes:min
month:mth name:nm number:no order:ord passenger:pax patient:pat payment:pmt percent:pct phone:tel player:plr
position:pos price:prc product:prd profile:prof property:prop quantity:qty rating:rtg receipt:rcpt region:reg
reservation:rsv restaurant:rest route:rte salary:sal sale:sls section:sect service:svc shipment:shp
status:stat store:str student:stud subscription:subs supplier:sup team:tm total:tot tracking:trk train:trn
transaction:txn type:typ vehicle:veh visit:vst warehouse:whs weight:wgt
"""
SHORT: Mapping[str, str] = dict(pair.split(":") for pair in _SHORT.split())
"""Abbreviations by word."""


KEPT_PLURAL = frozenset({"order", "show"})
"""Words that SQL keeps for itself, and whose plural it does not."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Speller:
    """One convention: both functions take names in snake case."""

    table: Callable[[str, bool], str]
    """From a plural name, and whether the table references others."""
    column: Callable[[str], str]


def single(name: str) -> str:
    """Return a table's name in singular, unless SQL would not take it."""
    found = singular(name)
    return name if found in KEPT_PLURAL else found


def camel(name: str) -> str:
    """Return a name in camel case; the ending `id` in capitals."""
    return "".join("ID" if word == "id" else word.capitalize() for word in name.split("_"))


@cache
def short(name: str) -> str:
    """Return a name with its longer words abbreviated."""
    return "_".join(SHORT.get(word, word) for word in name.split("_"))


def _star_column(name: str) -> str:
    return f"{name.removesuffix('_id')}_key" if name.endswith("_id") else name


def _plain(name: str) -> str:
    return name


SPELLERS: Mapping[Convention, Speller] = {
    "plural": Speller(table=lambda name, _: name, column=_plain),
    "singular": Speller(table=lambda name, _: single(name), column=_plain),
    "camel": Speller(table=lambda name, _: camel(name), column=camel),
    "camel_singular": Speller(table=lambda name, _: camel(single(name)), column=camel),
    "tbl": Speller(table=lambda name, _: f"tbl_{name}", column=_plain),
    "star": Speller(
        table=lambda name, linked: f"{'fct' if linked else 'dim'}_{single(name)}", column=_star_column
    ),
    "short": Speller(table=lambda name, _: short(single(name)), column=short),
    "upper": Speller(table=lambda name, _: single(name).upper(), column=str.upper),
}
