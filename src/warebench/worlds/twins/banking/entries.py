"""What is booked on the accounts, before balances: entries of each kind."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from warebench.worlds.synthetic.draw import Ints

KINDS = (
    ("PRIJEM", "VKLAD", ""),
    ("PRIJEM", "PREVOD Z UCTU", ""),
    ("PRIJEM", "PREVOD Z UCTU", "DUCHOD"),
    ("VYDAJ", "PREVOD NA UCET", "SIPO"),
    ("VYDAJ", "PREVOD NA UCET", "POJISTNE"),
    ("VYDAJ", "PREVOD NA UCET", ""),
    ("VYDAJ", "PREVOD NA UCET", "UVER"),
    ("VYDAJ", "VYBER", ""),
    ("VYBER", "VYBER", ""),
    ("VYDAJ", "VYBER KARTOU", ""),
    ("PRIJEM", "", "UROK"),
    ("VYDAJ", "VYBER", "SLUZBY"),
    ("VYDAJ", "VYBER", "SANKC. UROK"),
)
"""Type, operation and k_symbol of entries, in the order in which those of one day are booked."""

DEPOSIT, SALARY, PENSION, BILL, INSURANCE, OTHER, LOAN = range(7)
CASH, CASH_TOO, CARD, INTEREST, FEE, SANCTION = range(7, 13)


@dataclass(frozen=True, kw_only=True, slots=True)
class Entries:
    """Entries, parallel."""

    account: Ints
    """Position of the account."""
    date: Ints
    """Days since 1970."""
    cents: Ints
    """What comes in is positive, what goes out negative."""
    kind: Ints
    """Position in `KINDS`."""
    bank: Ints
    """Of the partner; -1 when there is none."""
    partner: Ints


def enter(
    kind: int | Ints, account: Ints, date: Ints, cents: Ints, bank: Ints | int = -1, partner: Ints | int = -1
) -> Entries:
    """Return entries, of one kind or each of its own."""
    size = len(account)
    kinds, banks, partners = (np.broadcast_to(part, size) for part in (kind, bank, partner))
    return Entries(account=account, date=date, cents=cents, kind=kinds, bank=banks, partner=partners)


def join(parts: Sequence[Entries]) -> Entries:
    """Return all entries, by account, date and order of booking."""
    account, date, cents, kind, bank, partner = (
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("account", "date", "cents", "kind", "bank", "partner")
    )
    order = np.argsort((account << 24) + (date << 4) + kind, kind="stable")
    return Entries(
        account=account[order],
        date=date[order],
        cents=cents[order],
        kind=kind[order],
        bank=bank[order],
        partner=partner[order],
    )
