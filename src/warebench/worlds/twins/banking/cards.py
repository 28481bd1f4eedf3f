"""Cards: junior ones for the young, gold ones for good earners."""

from dataclasses import dataclass

import numpy as np

from warebench.worlds.synthetic.columns import day, glue, take, text
from warebench.worlds.synthetic.draw import Ints, apportioned, distinct
from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.synthetic.schema import Columns
from warebench.worlds.twins.banking.calendar import month_of, yymmdd
from warebench.worlds.twins.banking.holders import Accounts, Dispositions

TYPES = {"classic": 73.9, "junior": 16.3, "gold": 9.8}
SHARE = 0.198
"""Cards per account."""
LAST_DAY = day("1998-12-29")


@dataclass(frozen=True, kw_only=True, slots=True)
class Cards:
    """Accounts with a card, parallel."""

    account: Ints
    month: Ints
    """Of issue, counted from January 1993."""


def make_cards(plan: Plan, accounts: Accounts, holders: Dispositions) -> tuple[Cards, Columns]:
    """Draw cards of owners, more and more of them towards 1998."""
    rng = plan.generator("card")
    owners = np.flatnonzero(holders.owner)
    size = max(len(TYPES), round(SHARE * len(owners)))
    kind = np.sort(apportioned(rng, size, list(TYPES.values())))
    juniors, golds = int((kind == 1).sum()), int((kind == 2).sum())
    by_age = owners[np.argsort(-holders.birth[owners], kind="stable")]
    young, rest = by_age[: 3 * juniors], by_age[3 * juniors :]
    rich = rest[np.argsort(-accounts.income[holders.account[rest]], kind="stable")]
    classic = rng.permutation(rich[3 * golds :])[: size - juniors - golds]
    chosen = np.r_[classic, rng.permutation(young)[:juniors], rng.permutation(rich[: 3 * golds])[:golds]]
    account = holders.account[chosen]
    first = np.minimum(accounts.opened[account] + 60, LAST_DAY)
    issued = first + ((LAST_DAY - first) * np.sqrt(rng.random(size))).astype(np.int64)
    order = np.argsort(issued, kind="stable")
    number = 1 + distinct(rng, size, round(1.4 * size))
    return Cards(account=account[order], month=month_of(issued[order])), {
        "card_id": number,
        "disp_id": holders.number[chosen[order]],
        "type": take(list(TYPES), kind[order]),
        "issued": glue(text(yymmdd(issued[order]), 6), " 00:00:00"),
    }
