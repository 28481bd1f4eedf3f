"""The transactions: income, standing orders, fees, interest and cash, with balances that add up."""

import numpy as np
import pyarrow as pa

from warebench.worlds.synthetic.columns import take, text
from warebench.worlds.synthetic.draw import Floats, Ints, distinct, lognormal, ranks, whole
from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.synthetic.schema import Columns
from warebench.worlds.twins.banking.calendar import MONTHS, month_starts, yymmdd
from warebench.worlds.twins.banking.cards import Cards
from warebench.worlds.twins.banking.entries import (
    BILL,
    CARD,
    CASH,
    CASH_TOO,
    DEPOSIT,
    FEE,
    INSURANCE,
    INTEREST,
    KINDS,
    LOAN,
    OTHER,
    PENSION,
    SALARY,
    SANCTION,
    Entries,
    enter,
    join,
)
from warebench.worlds.twins.banking.holders import Accounts
from warebench.worlds.twins.banking.months import Months
from warebench.worlds.twins.banking.standing import BANKS, Orders, partners

FEES = np.array([[1_240, 2_500, 8_000], [1_460, 3_000, 10_000]])
"""Cents a month by frequency of statements, before 1996 and from then on."""
DEARER = 36
"""Month of the change, counted from January 1993."""
FEE_SHARE = 0.85
"""Share of months with a fee."""
PENSIONERS, EMPLOYED = 0.17, 0.37
"""Accounts up to the first share receive a pension, up to the second a salary; the rest pay cash in."""
RAISE = 1.006
"""Of salaries and pensions, a month."""
MISSED = 0.15
"""Share of payments that bad loans miss."""
DEAREST = 75_000.0
"""Crowns paid in at once, at most."""
NOTE = 10_000
"""Cents: cash comes in hundreds of crowns."""
ODDLY_CODED = 0.06
"""Share of cash withdrawals whose type is VYBER instead of VYDAJ."""
ORDER_KINDS = np.array([BILL, INSURANCE, OTHER, OTHER, LOAN])
"""By position in `standing.SYMBOLS`: leasing is not told apart in the ledger."""


def make_transactions(
    plan: Plan, accounts: Accounts, months: Months, orders: Orders, cards: Cards
) -> Columns:
    """Draw the ledger: what is known first, then cash so that each month ends near its target."""
    known = [
        _opening(plan, accounts),
        _income(plan, accounts, months),
        _standing(plan, orders),
        _fees(plan, accounts, months),
        *_interest(months),
        _card_cash(plan, accounts, months, cards),
    ]
    moved = np.zeros(len(months.account), dtype=np.int64)
    for entries in known:
        cell = months.find(accounts, entries.account, _month(entries))
        moved += np.bincount(cell, entries.cents, minlength=len(moved)).astype(np.int64)
    entries = join([*known, *_cash(plan, months, moved - (months.target - months.before))])
    return _columns(plan, accounts, entries)


def _month(entries: Entries) -> Ints:
    """Return the month of each entry, counted from January 1993."""
    starts = month_starts(np.arange(MONTHS))
    return np.searchsorted(starts, entries.date, side="right") - 1


def _opening(plan: Plan, accounts: Accounts) -> Entries:
    """Return the first deposits, which open the accounts."""
    rng, size = plan.generator("trans", "opening"), len(accounts.number)
    return enter(DEPOSIT, np.arange(size), accounts.opened, NOTE * rng.integers(2, 12, size=size))


def _income(plan: Plan, accounts: Accounts, months: Months) -> Entries:
    """Return pensions, salaries and cash paid in, from the second month on."""
    rng, size = plan.generator("trans", "income"), len(accounts.number)
    source = rng.random(size)
    kind = np.where(source < PENSIONERS, PENSION, np.where(source < EMPLOYED, SALARY, DEPOSIT))
    day, bank, partner = (
        rng.integers(4, 15, size=size),
        rng.integers(len(BANKS), size=size),
        partners(rng, size),
    )
    cash = kind == DEPOSIT
    bank[cash], partner[cash] = -1, -1
    cell = np.flatnonzero(~months.first & (rng.random(len(months.account)) < 0.97))
    account = months.account[cell]
    raised = accounts.income[account] * RAISE ** months.month[cell]
    pension = np.clip(2_600 + 0.2 * raised, 3_900, 7_000)
    paid_in = np.minimum(raised * np.exp(0.35 * rng.standard_normal(len(cell))), DEAREST)
    amounts = np.select([kind[account] == PENSION, kind[account] == SALARY], [pension, raised], paid_in)
    in_notes = NOTE * np.maximum(whole(paid_in / 100), 1)
    cents = np.where(cash[account], in_notes, 100 * whole(amounts))
    return enter(
        kind[account], account, months.start[cell] + day[account], cents, bank[account], partner[account]
    )


def _standing(plan: Plan, orders: Orders) -> Entries:
    """Return what the standing orders pay, each on its day of the month."""
    rng, size = plan.generator("trans", "standing"), len(orders.account)
    counts = np.maximum(orders.last - orders.first + 1, 0)
    order = np.repeat(np.arange(size), counts)
    month = orders.first[order] + ranks(order)
    paid = ~(orders.bad[order] & (rng.random(len(order)) < MISSED))
    order, start = order[paid], month_starts(month[paid])
    day = rng.integers(4, 14, size=size)
    account = orders.account[order]
    kind = ORDER_KINDS[orders.symbol[order]]
    return enter(
        kind, account, start + day[order], -orders.cents[order], orders.bank[order], orders.partner[order]
    )


def _fees(plan: Plan, accounts: Accounts, months: Months) -> Entries:
    rng = plan.generator("trans", "fees")
    cell = np.flatnonzero(~months.first & (rng.random(len(months.account)) < FEE_SHARE))
    account = months.account[cell]
    fee = FEES[(months.month[cell] >= DEARER).astype(np.int64), accounts.frequency[account]]
    return enter(FEE, account, months.end[cell], -fee)


def _interest(months: Months) -> tuple[Entries, Entries]:
    """Return interest of every month, and sanction interest of those that end overdrawn."""
    due = np.flatnonzero(months.sanction())
    earned = enter(INTEREST, months.account, months.end, months.interest())
    return earned, enter(SANCTION, months.account[due], months.end[due], -months.sanction()[due])


def _card_cash(plan: Plan, accounts: Accounts, months: Months, cards: Cards) -> Entries:
    """Return cash drawn with cards, from the month after their issue."""
    rng = plan.generator("trans", "cards")
    since = np.full(len(accounts.number), MONTHS)
    since[cards.account] = cards.month
    cell = np.flatnonzero((months.month > since[months.account]) & (rng.random(len(months.account)) < 0.5))
    cell = np.repeat(cell, rng.integers(1, 4, size=len(cell)))
    crowns: Floats = lognormal(rng.standard_normal(len(cell)), 1_800.0, 0.6, 100, 6_000)
    date = months.start[cell] + rng.integers(15, 28, size=len(cell))
    return enter(CARD, months.account[cell], date, -NOTE * np.maximum(whole(crowns / 100), 1))


def _cash(plan: Plan, months: Months, excess: Ints) -> tuple[Entries, Entries]:
    """Return withdrawals and deposits in whole notes that take away what is above the targets.

    Rounding is carried over to the next month, so that it never adds up.
    """
    rng = plan.generator("trans", "cash")
    total = np.cumsum(excess)
    since = total - (total - excess)[months.offset][months.account]
    notes = np.rint(since / NOTE).astype(np.int64)
    notes -= np.where(months.first, 0, np.roll(notes, 1))
    room = months.end - np.maximum(months.start, months.end - 14)
    paid_in = np.flatnonzero(notes < 0)
    late = months.end - (rng.random(len(notes)) * (room + 1)).astype(np.int64)
    deposits = enter(DEPOSIT, months.account[paid_in], late[paid_in], -NOTE * notes[paid_in])
    cell, part = _split(rng, notes)
    date = months.end[cell] - (rng.random(len(cell)) * (room[cell] + 1)).astype(np.int64)
    kind = np.where(rng.random(len(cell)) < ODDLY_CODED, CASH_TOO, CASH)
    return deposits, enter(kind, months.account[cell], date, -NOTE * part)


def _split(rng: np.random.Generator, notes: Ints) -> tuple[Ints, Ints]:
    """Return month and notes of each withdrawal: one to three a month."""
    drawn = np.flatnonzero(notes > 0)
    cell = np.repeat(drawn, 1 + rng.binomial(2, 0.45, size=len(drawn)))
    weight = rng.random(len(cell)) + 0.1
    part = np.floor(notes[cell] * weight / np.bincount(cell, weight)[cell]).astype(np.int64)
    first = np.flatnonzero(ranks(cell) == 0)
    part[first] += notes[drawn] - np.bincount(cell, part, minlength=len(notes))[drawn].astype(np.int64)
    kept = part > 0
    return cell[kept], part[kept]


def _columns(plan: Plan, accounts: Accounts, entries: Entries) -> Columns:
    """Return the table by date; numbers rise with the order of booking on each account."""
    size = len(entries.account)
    total = np.cumsum(entries.cents)
    first = np.r_[True, entries.account[1:] != entries.account[:-1]]
    begun = np.maximum.accumulate(np.where(first, np.arange(size), 0))
    balance = total - (total - entries.cents)[begun]
    number = 1 + np.sort(distinct(plan.generator("trans", "ids"), size, round(3.48 * size)))
    order = np.argsort(entries.date, kind="stable")
    kind, bank = entries.kind[order], entries.bank[order]
    return {
        "trans_id": number[order],
        "account_id": accounts.number[entries.account[order]],
        "date": yymmdd(entries.date[order]),
        "type": _spell(kind, 0),
        "operation": _spell(kind, 1),
        "amount": np.abs(entries.cents[order]) / 100,
        "balance": balance[order] / 100,
        "k_symbol": _spell(kind, 2),
        "bank": take(BANKS, np.ma.MaskedArray(bank, bank < 0)),
        "account": _partner(entries.partner[order]),
    }


def _spell(kind: Ints, part: int) -> pa.Array:
    words = pa.array([codes[part] or None for codes in KINDS], pa.string())
    return take(words, kind)


def _partner(number: Ints) -> pa.Array:
    spelled = text(number)
    return take(spelled, np.ma.MaskedArray(np.arange(len(number)), number < 0))
