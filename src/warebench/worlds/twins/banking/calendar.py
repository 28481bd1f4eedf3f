"""Dates as the bank writes them: whole numbers such as 970131."""

import numpy as np

from warebench.worlds.synthetic.draw import Ints

FIRST_MONTH, MONTHS = (1993 - 1970) * 12, 72
"""January 1993 in months since 1970, and how many months the ledger covers."""


def month_starts(month: Ints) -> Ints:
    """Return the first day of months (counted from January 1993) in days since 1970."""
    return (FIRST_MONTH + month).astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)


def month_of(date: Ints) -> Ints:
    """Return the month, counted from January 1993, of days since 1970."""
    return date.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64) - FIRST_MONTH


def yymmdd(date: Ints) -> Ints:
    """Return days since 1970 as yymmdd."""
    month = date.astype("datetime64[D]").astype("datetime64[M]")
    months = month.astype(np.int64)
    day = date - month.astype("datetime64[D]").astype(np.int64) + 1
    return (70 + months // 12) * 10_000 + (months % 12 + 1) * 100 + day
