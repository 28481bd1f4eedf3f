"""How orders are paid: one way mostly, vouchers beside it, or vouchers alone."""

from dataclasses import dataclass

import numpy as np

from warebench.worlds.synthetic.columns import take
from warebench.worlds.synthetic.draw import Floats, Ints, apportioned, correlated, lognormal, ranks, whole
from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.synthetic.schema import Columns
from warebench.worlds.twins.ecommerce.items import Items
from warebench.worlds.twins.ecommerce.orders import Orders

TYPES = {"credit_card": 76.9, "boleto": 19.9, "debit_card": 1.54, "voucher": 1.65}
"""How most of an order is paid (%)."""
CODES = (*TYPES, "not_defined")
UNDEFINED = 3e-5
"""Share of orders, all canceled, of which the way of paying is not defined."""
WITH_VOUCHER = 0.022
"""Share of credit card orders that are paid with vouchers too."""
INSTALLMENTS = {
    1: 33.3, 2: 16.2, 3: 13.6, 4: 9.2, 5: 6.8, 6: 5.1, 7: 2.1, 8: 5.6, 9: 0.84, 10: 6.9, 11: 0.03, 12: 0.17,
    15: 0.1, 18: 0.035, 20: 0.022, 24: 0.023,
}  # fmt: skip
"""Credit card payments by number of monthly parts (%)."""
INTEREST = 0.003
"""Share of orders that cost more than their items, for interest."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Payments:
    """Payments by order, parallel, and how most of each order is paid."""

    order: Ints
    kind: Ints
    """Position in `CODES`."""
    installments: Ints
    cents: Ints
    main: Ints
    """By order, position in `CODES`."""


def make_payments(plan: Plan, orders: Orders, items: Items) -> Payments:
    """Draw the payments; they add up to items and freight, but for interest. One order has none."""
    rng, size = plan.generator("payments"), len(orders.purchase)
    main = apportioned(rng, size, list(TYPES.values()))
    undefined = rng.permutation(np.flatnonzero(orders.are("canceled")))[: max(1, round(UNDEFINED * size))]
    main[undefined] = CODES.index("not_defined")
    count = _counts(rng, main)
    count[rng.integers(size)] = 0
    order = np.repeat(np.arange(size), count)
    total = _totals(rng, orders, items)
    total[undefined] = 0
    kind = np.where(ranks(order) == 0, main[order], CODES.index("voucher"))
    value = _split(rng, order, total)
    return Payments(
        order=order, kind=kind, installments=_installments(rng, kind, value), cents=value, main=main
    )


def _counts(rng: np.random.Generator, main: Ints) -> Ints:
    vouchers = np.minimum(rng.geometric(0.55, size=len(main)), 20)
    beside = (main == CODES.index("credit_card")) & (rng.random(len(main)) < WITH_VOUCHER)
    return np.where(main == CODES.index("voucher"), vouchers, 1 + vouchers * beside)


def _totals(rng: np.random.Generator, orders: Orders, items: Items) -> Ints:
    """Return cents by order; an order whose items were taken off keeps what was paid."""
    size = len(orders.purchase)
    each = whole(100 * items.price) + whole(100 * items.freight)
    due = np.bincount(items.order, each, minlength=size).astype(np.int64)
    lost = whole(100 * lognormal(rng.standard_normal(size), 105.0, 0.9, 15, 4000))
    interest = np.where(rng.random(size) < INTEREST, 1 + 0.08 * rng.random(size), 1.0)
    return np.where(due == 0, lost, np.rint(due * interest).astype(np.int64))


def _split(rng: np.random.Generator, order: Ints, total: Ints) -> Ints:
    """Return the cents of each payment: the parts of an order add up to its total."""
    part = rng.random(len(order)) + 0.05
    part[ranks(order) == 0] += 0.6
    value = np.floor(part / np.bincount(order, part)[order] * total[order]).astype(np.int64)
    first = np.flatnonzero(ranks(order) == 0)
    rest = total - np.bincount(order, value, minlength=len(total)).astype(np.int64)
    value[first] += rest[order[first]]
    return value


def _installments(rng: np.random.Generator, kind: Ints, value: Ints) -> Ints:
    """Return monthly parts: dear orders take more of them. One payment has 0, as in the real data."""
    card = np.flatnonzero(kind == CODES.index("credit_card"))
    scores: Floats = np.log(value[card] + 1.0)
    wish = correlated(rng, (scores - scores.mean()) / scores.std(), 0.5)
    rank = np.argsort(np.argsort(wish, kind="stable"), kind="stable")
    shares = np.cumsum(list(INSTALLMENTS.values()))
    found = np.ones(len(kind), dtype=np.int64)
    position = np.searchsorted(shares, (rank + 0.5) / len(card) * shares[-1])
    found[card] = np.array(list(INSTALLMENTS))[position]
    found[card[rng.integers(len(card))]] = 0
    return found


def payment_columns(orders: Orders, payments: Payments) -> Columns:
    """Return the columns of the payments."""
    return {
        "order_id": take(orders.order_id, payments.order),
        "payment_sequential": ranks(payments.order) + 1,
        "payment_type": take(CODES, payments.kind),
        "payment_installments": payments.installments,
        "payment_value": payments.cents / 100,
    }
