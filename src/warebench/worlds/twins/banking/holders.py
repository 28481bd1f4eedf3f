"""Accounts and the people who may use them."""

from dataclasses import dataclass

import numpy as np

from warebench.worlds.synthetic.columns import day, take
from warebench.worlds.synthetic.draw import Floats, Ints, apportioned, distinct, lognormal, weighted, whole
from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.synthetic.schema import Columns
from warebench.worlds.twins.banking.calendar import month_of, yymmdd
from warebench.worlds.twins.banking.districts import DISTRICTS, account_weights

FREQUENCIES = {"POPLATEK MESICNE": 92.6, "POPLATEK TYDNE": 5.3, "POPLATEK PO OBRATU": 2.1}
"""How often statements are issued (%)."""
OPENED = np.array([25.3, 9.8, 14.6, 30.3, 20.0])
"""Accounts opened in 1993 to 1997 (%)."""
DISPONENTS = 0.193
"""Share of accounts that a second person may use."""
ELSEWHERE = 0.1
"""Share of clients who live in another district than their account."""
YOUNGEST, OLDEST = 15, 78
"""Years when the account is opened."""
GAPS = 2.53
"""Largest number of an account or client, per account or client."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Accounts:
    """Accounts, parallel."""

    number: Ints
    district: Ints
    """A1 of the district."""
    frequency: Ints
    """Position in `FREQUENCIES`."""
    opened: Ints
    """Days since 1970."""
    month: Ints
    """Of opening, counted from January 1993."""
    income: Floats
    """CZK a month, usually."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Dispositions:
    """Who may use which account, parallel."""

    number: Ints
    client: Ints
    account: Ints
    """Position of the account."""
    owner: np.ndarray
    birth: Ints
    """Days since 1970, of the client."""


def make_accounts(plan: Plan) -> tuple[Accounts, Columns]:
    """Draw the accounts."""
    rng, size = plan.generator("account"), plan.rows["account"]
    first = np.array([day(f"{year}-01-01") for year in range(1993, 1998)])
    opened = first[weighted(rng, size, OPENED)] + rng.integers(363, size=size)
    found = Accounts(
        number=1 + np.sort(distinct(rng, size, round(GAPS * size))),
        district=1 + weighted(rng, size, account_weights(plan)),
        frequency=apportioned(rng, size, list(FREQUENCIES.values())),
        opened=opened,
        month=month_of(opened),
        income=lognormal(rng.standard_normal(size), 11_500.0, 0.55, 3_000, 48_000),
    )
    return found, {
        "account_id": found.number,
        "district_id": found.district,
        "frequency": take(list(FREQUENCIES), found.frequency),
        "date": yymmdd(opened),
    }


def make_clients(plan: Plan, accounts: Accounts) -> tuple[Dispositions, Columns, Columns]:
    """Draw one owner of each account and some second users; each client has one disposition."""
    rng, size = plan.generator("client"), len(accounts.number)
    account = np.sort(np.r_[np.arange(size), distinct(rng, max(1, round(DISPONENTS * size)), size)])
    owner = np.r_[True, account[1:] != account[:-1]]
    number = 1 + np.sort(distinct(rng, len(account), round(GAPS * len(account))))
    age = YOUNGEST + (OLDEST - YOUNGEST) * rng.random(len(account)) ** 1.2
    birth = accounts.opened[account] - whole(365.25 * age)
    woman = apportioned(rng, len(account), [50.7, 49.3])
    away = rng.random(len(account)) < ELSEWHERE
    found = Dispositions(number=number, client=number, account=account, owner=owner, birth=birth)
    clients = {
        "client_id": number,
        "birth_number": yymmdd(birth) + 5_000 * woman,
        "district_id": np.where(
            away, 1 + rng.integers(DISTRICTS, size=len(account)), accounts.district[account]
        ),
    }
    return (
        found,
        clients,
        {
            "disp_id": number,
            "client_id": number,
            "account_id": accounts.number[account],
            "type": take(["DISPONENT", "OWNER"], owner.astype(np.int64)),
        },
    )
