"""Every month of every account: what comes in, what goes out by itself, and where the balance should end."""

from dataclasses import dataclass

import numpy as np

from warebench.worlds.synthetic.draw import Floats, Ints, lognormal, whole
from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.twins.banking.calendar import MONTHS, month_starts
from warebench.worlds.twins.banking.holders import Accounts
from warebench.worlds.twins.banking.loans import Loans

DRY = 0.01
"""Share of accounts without a bad loan that run dry too."""
RATE, SANCTION_RATE = 0.004, 0.006
"""Interest a month on what is there and on what is missing."""
LEAST_INTEREST = 10
"""Cents."""
OVERDRAWN = -10_000
"""Cents below which sanction interest is charged."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Months:
    """Months of accounts, parallel: by account, then by month from the one it was opened in."""

    account: Ints
    month: Ints
    """Counted from January 1993."""
    first: np.ndarray
    """Whether the account was opened in it."""
    offset: Ints
    """By account: where its months begin."""
    start: Ints
    """First day on which something can be booked, in days since 1970."""
    end: Ints
    """Last day of the month."""
    target: Ints
    """Cents the account should hold at the end."""
    before: Ints
    """The same a month earlier; 0 when there was none."""

    def find(self, accounts: Accounts, account: Ints, month: Ints) -> Ints:
        """Return the positions of months of accounts."""
        return self.offset[account] + month - accounts.month[account]

    def interest(self) -> Ints:
        """Return cents of interest on the mean of both ends."""
        held: Floats = (np.maximum(self.target, 0) + np.maximum(self.before, 0)).astype(np.float64)
        return np.maximum(whole(held * (RATE / 2)), LEAST_INTEREST)

    def sanction(self) -> Ints:
        """Return cents of sanction interest, 0 where the account is not overdrawn."""
        due = np.maximum(whole(-SANCTION_RATE * self.target.astype(np.float64)), LEAST_INTEREST)
        return np.where(self.target < OVERDRAWN, due, 0)


def make_months(plan: Plan, accounts: Accounts, loans: Loans) -> Months:
    """Draw where balances should end: near a level of the account, below zero for those that run dry."""
    rng = plan.generator("months")
    counts = MONTHS - accounts.month
    account = np.repeat(np.arange(len(counts)), counts)
    offset = np.cumsum(counts) - counts
    age = np.arange(len(account)) - offset[account]
    month = accounts.month[account] + age
    target = _targets(rng, accounts, loans, account, age)
    starts = month_starts(month)
    return Months(
        account=account,
        month=month,
        first=age == 0,
        offset=offset,
        start=np.where(age == 0, accounts.opened[account], starts),
        end=month_starts(month + 1) - 1,
        target=target,
        before=np.where(age == 0, 0, np.roll(target, 1)),
    )


def _targets(rng: np.random.Generator, accounts: Accounts, loans: Loans, account: Ints, age: Ints) -> Ints:
    size = len(accounts.number)
    dry = rng.random(size) < DRY
    dry[loans.account[loans.bad]] = True
    dry[loans.account[~loans.bad]] = False
    level: Floats = lognormal(rng.standard_normal(size), 2.6 * accounts.income, 0.3, 9_000, 90_000)
    swing = np.exp(0.22 * rng.standard_normal(len(account))) * np.minimum(0.7 + 0.02 * age, 1.1)
    usual = level[account] * swing
    short = 2_500 + 4_500 * rng.standard_normal(len(account))
    return whole(100 * np.where(dry[account], short, usual))
