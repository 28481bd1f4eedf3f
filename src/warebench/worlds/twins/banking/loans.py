"""Loans: finished or running, paid or not; who does not pay has an account that runs dry."""

from dataclasses import dataclass

import numpy as np

from warebench.worlds.synthetic.columns import take
from warebench.worlds.synthetic.draw import Ints, apportioned, distinct, whole
from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.synthetic.schema import Columns
from warebench.worlds.twins.banking.calendar import MONTHS, month_starts, yymmdd
from warebench.worlds.twins.banking.holders import Accounts

STATUSES = {"A": 29.8, "B": 4.5, "C": 59.1, "D": 6.6}
"""Finished and paid, finished and not paid, running and paid, running in debt (%)."""
SHARE = 0.1516
"""Loans per account; an account has one at most."""
WAIT = 4
"""Months an account is watched before it gets a loan."""
LONGEST = 60
"""Months."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Loans:
    """Loans, parallel."""

    account: Ints
    """Position of the account."""
    month: Ints
    """Counted from January 1993."""
    duration: Ints
    """Months."""
    payment: Ints
    """CZK a month."""
    bad: np.ndarray
    """Not paid, or in debt."""


def make_loans(plan: Plan, accounts: Accounts) -> tuple[Loans, Columns]:
    """Draw the loans: their dates fit their status, the first payments are due a month later."""
    rng = plan.generator("loan")
    size = max(len(STATUSES), round(SHARE * len(accounts.number)))
    status = np.sort(apportioned(rng, size, list(STATUSES.values())))
    finished = int((status <= 1).sum())
    early = rng.permutation(np.flatnonzero(accounts.month + WAIT + 12 <= MONTHS - 1))
    others = rng.permutation(_free(early[:finished], accounts))[: size - finished]
    account = np.r_[early[:finished], others]
    month, duration = _terms(rng, accounts.month[account] + WAIT, status <= 1)
    order = np.argsort(month, kind="stable")
    account, month, duration, status = (part[order] for part in (account, month, duration, status))
    share = 0.1 + 0.25 * rng.random(size) + 0.12 * (status % 2)
    payment = whole(np.clip(accounts.income[account] * share, 350, 9_900))
    loans = Loans(account=account, month=month, duration=duration, payment=payment, bad=status % 2 == 1)
    return loans, {
        "loan_id": 4_959 + np.sort(distinct(rng, size, 4 * size)),
        "account_id": accounts.number[account],
        "date": yymmdd(month_starts(month) + rng.integers(28, size=size)),
        "amount": payment * duration,
        "duration": duration,
        "payments": payment.astype(np.float64),
        "status": take(list(STATUSES), status),
    }


def _free(taken: Ints, accounts: Accounts) -> Ints:
    """Return accounts that can have a running loan and have none yet."""
    free = accounts.month + WAIT <= MONTHS - 2
    free[taken] = False
    return np.flatnonzero(free)


def _terms(rng: np.random.Generator, first: Ints, finished: np.ndarray) -> tuple[Ints, Ints]:
    """Return month and duration: a finished loan ends before the ledger does, a running one after."""
    room = MONTHS - 1 - first
    longest = np.where(finished, np.minimum(room // 12, LONGEST // 12), LONGEST // 12)
    shortest = np.where(finished, 1, 1 + (rng.random(len(first)) < 0.9))
    # Of two draws the smaller for finished loans, the larger for running ones.
    draws = shortest + (rng.random((2, len(first))) * (longest - shortest + 1)).astype(np.int64)
    duration = 12 * np.where(finished, draws.min(axis=0), draws.max(axis=0))
    low = np.where(finished, first, np.maximum(first, MONTHS - duration))
    high = np.where(finished, MONTHS - 1 - duration, MONTHS - 2)
    return low + (rng.random(len(first)) * (high - low + 1)).astype(np.int64), duration
