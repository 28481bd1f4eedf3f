"""Days and periods in SQL, for each way of storing a moment."""

from datetime import date, timedelta

from sqlglot import exp

from warebench.tracks.intelligence.compute.tree import number
from warebench.tracks.intelligence.knowledge.model import Calendar
from warebench.tracks.intelligence.slice import Grain

FORMATS: dict[Grain, str] = {"month": "%Y-%m", "year": "%Y"}


def within(time: exp.Expr, calendar: Calendar, first: str, last: str) -> list[exp.Expr]:
    """Return the conditions that a moment is in some days, both included; an empty day is no bound.

    Args:
        time: The column.
        calendar: How it stores moments.
        first: ISO date, or empty.
        last: ISO date, or empty.
    """
    found: list[exp.Expr] = []
    if first:
        found.append(exp.GTE(this=time.copy(), expression=_day(first, calendar)))
    if last and calendar == "timestamp":
        after = (date.fromisoformat(last) + timedelta(days=1)).isoformat()
        found.append(exp.LT(this=time.copy(), expression=_day(after, calendar)))
    elif last:
        found.append(exp.LTE(this=time.copy(), expression=_day(last, calendar)))
    return found


def period(time: exp.Expr, calendar: Calendar, grain: Grain) -> exp.Expr:
    """Return the month, quarter or year of a moment as text: 2017-03, 2017-Q1, 2017."""
    if calendar == "yymmdd":
        return _coded(time, grain)
    if grain == "quarter":
        return _quarter(
            exp.Extract(this=exp.var("YEAR"), expression=time.copy()),
            exp.Extract(this=exp.var("QUARTER"), expression=time.copy()),
        )
    return exp.TimeToStr(this=time.copy(), format=exp.Literal.string(FORMATS[grain]))


def _coded(time: exp.Expr, grain: Grain) -> exp.Expr:
    """Return the period of a number such as 970131."""
    whole = exp.Add(this=time.copy(), expression=number(19000000.0))
    digits = exp.cast(whole, "text")
    year = exp.Substring(this=digits, start=number(1.0), length=number(4.0))
    month = exp.Substring(this=digits.copy(), start=number(5.0), length=number(2.0))
    if grain == "year":
        return year
    if grain == "month":
        return exp.Concat(expressions=[year, exp.Literal.string("-"), month], safe=False, coalesce=False)
    months = exp.Mod(
        this=exp.Paren(this=exp.IntDiv(this=time.copy(), expression=number(100.0))), expression=number(100.0)
    )
    shifted = exp.Paren(this=exp.Add(this=exp.Paren(this=months), expression=number(2.0)))
    return _quarter(year, exp.IntDiv(this=shifted, expression=number(3.0)))


def _quarter(year: exp.Expr, quarter: exp.Expr) -> exp.Expr:
    return exp.Concat(expressions=[year, exp.Literal.string("-Q"), quarter], safe=False, coalesce=False)


def _day(day: str, calendar: Calendar) -> exp.Expr:
    moment = date.fromisoformat(day)
    if calendar == "yymmdd":
        return number(float((moment.year - 1900) * 10000 + moment.month * 100 + moment.day))
    return exp.cast(exp.Literal.string(day), "date")
