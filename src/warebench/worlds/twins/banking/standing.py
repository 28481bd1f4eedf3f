"""Standing orders: household bills, loans, insurance, leasing and others, the same every month."""

from dataclasses import dataclass

import numpy as np

from warebench.worlds.synthetic.columns import take, text
from warebench.worlds.synthetic.draw import Floats, Ints, cents, distinct, lognormal, whole
from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.synthetic.schema import Columns
from warebench.worlds.twins.banking.calendar import MONTHS
from warebench.worlds.twins.banking.holders import Accounts
from warebench.worlds.twins.banking.loans import Loans

BANKS = ("AB", "CD", "EF", "GH", "IJ", "KL", "MN", "OP", "QR", "ST", "UV", "WX", "YZ")
SYMBOLS = ("SIPO", "POJISTNE", "LEASING", "", "UVER")
"""Household bills, insurance, leasing, others (null in the table), loan payments."""
LOAN = SYMBOLS.index("UVER")

SHARES = (0.778, 0.118, 0.076, 0.306)
"""Orders per account, of all symbols but the last."""
MEDIANS = (0.28, 0.055, 0.14, 0.115)
"""Part of the income."""
SIGMAS = (0.45, 1.0, 0.5, 0.9)
DEAREST = (14_882.0, 12_504.0, 4_975.0, 12_925.0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Orders:
    """Standing orders, parallel, by account."""

    account: Ints
    """Position of the account."""
    symbol: Ints
    """Position in `SYMBOLS`."""
    cents: Ints
    first: Ints
    last: Ints
    """First and last month, counted from January 1993."""
    bank: Ints
    partner: Ints
    bad: np.ndarray
    """Of a loan that is not paid as it should be."""


def make_orders(plan: Plan, accounts: Accounts, loans: Loans) -> tuple[Orders, Columns]:
    """Draw the orders; every loan has one of its payment, paid until the loan ends."""
    rng, size = plan.generator("order"), len(accounts.number)
    chosen = [distinct(rng, max(1, round(share * size)), size) for share in SHARES]
    account = np.concatenate([*chosen, loans.account])
    symbol = np.repeat(np.arange(len(SYMBOLS)), [*map(len, chosen), len(loans.account)])
    amounts = [_amounts(rng, accounts.income[part], number) for number, part in enumerate(chosen)]
    first = np.minimum(accounts.month[account] + 1 + rng.integers(11, size=len(account)), MONTHS - 1)
    first[symbol == LOAN] = loans.month + 1
    last = np.full(len(account), MONTHS - 1)
    last[symbol == LOAN] = np.minimum(loans.month + loans.duration, MONTHS - 1)
    bad = np.zeros(len(account), dtype=bool)
    bad[symbol == LOAN] = loans.bad
    order = np.argsort(account, kind="stable")
    found = Orders(
        account=account[order],
        symbol=symbol[order],
        cents=np.concatenate([*amounts, 100 * loans.payment])[order],
        first=first[order],
        last=last[order],
        bank=rng.integers(len(BANKS), size=len(order)),
        partner=partners(rng, len(order)),
        bad=bad[order],
    )
    return found, _columns(rng, accounts, found)


def partners(rng: np.random.Generator, size: int) -> Ints:
    """Return account numbers at other banks."""
    return rng.integers(1_000_000, 99_999_999, size=size)


def _amounts(rng: np.random.Generator, income: Floats, number: int) -> Ints:
    """Return cents, to the tenth of a crown."""
    z = rng.standard_normal(len(income))
    crowns = lognormal(z, income * MEDIANS[number], SIGMAS[number], 1.0, DEAREST[number])
    return whole(100 * cents(crowns, 1))


def _columns(rng: np.random.Generator, accounts: Accounts, orders: Orders) -> Columns:
    size = len(orders.account)
    unnamed = orders.symbol == SYMBOLS.index("")
    return {
        "order_id": 29_401 + np.sort(distinct(rng, size, 3 * size)),
        "account_id": accounts.number[orders.account],
        "bank_to": take(BANKS, orders.bank),
        "account_to": text(orders.partner),
        "amount": orders.cents / 100,
        "k_symbol": take(SYMBOLS, np.ma.MaskedArray(orders.symbol, unnamed)),
    }
