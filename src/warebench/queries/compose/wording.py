"""Questions in plain English from which the query can be had back, word by word."""

from typing import assert_never

from warebench.queries.compose.naming import words
from warebench.queries.model import (
    Aggregate,
    Correlation,
    Count,
    Filter,
    Mean,
    Query,
    Top,
    Total,
    Value,
    Want,
)

UNITS = {
    "cm": "centimetres",
    "mm": "millimetres",
    "km": "kilometres",
    "kg": "kilograms",
    "kwh": "kilowatt hours",
    **{
        word: word
        for word in ("seconds", "minutes", "hours", "days", "weeks", "months", "milliseconds", "bytes")
    },
}
"""Units that the end of a column's name gives."""

LEFT_OUT = "Rows without a value in a column named here do not count."


def tick(name: str) -> str:
    """Return a name in backticks, more of them where it holds some (as in Markdown), for `str.format`."""
    fence = "`"
    while fence in name:
        fence += "`"
    space = " " if len(fence) > 1 else ""
    return (fence + space + name + space + fence).replace("{", "{{").replace("}", "}}")


def tick_column(column: str) -> str:
    """Return `alias.column` with both names in backticks."""
    alias, _, rest = column.partition(".")
    return f"{tick(alias)}.{tick(rest)}"


def word(query: Query, *, contrast: str, moments: frozenset[str], lacking: bool) -> str:
    """Return the question of a query.

    Args:
        query: The query; its parameters become placeholders.
        contrast: Parameter for which two values, `{a}` and `{b}`, are compared; empty for none.
        moments: Columns that are dates or times.
        lacking: Some column used lacks values, and the text has to say what that means.
    """
    tests = [_test(item, item.column in moments) for item in query.filters if item.parameter != contrast]
    kept = f"Keep the rows where {' and '.join(tests)}." if tests else ""
    contrasted = next((item.column for item in query.filters if item.parameter == contrast), "")
    asked = _compared(query.want, contrasted) if contrast else _asked(query.want)
    return " ".join(filter(None, [_joined(query), kept, LEFT_OUT if lacking else "", asked]))


def unit_of(want: Want) -> str:
    """Return what the answer counts or measures; empty for names and correlations."""
    match want:
        case Count(""):
            return "rows"
        case Count():
            return "different values"
        case Total(measure) | Mean(measure):
            last = words(measure.column.partition(".")[2])[-1:]
            return UNITS.get(last[0], "") if last else ""
        case Value() | Top() | Correlation():
            return ""
        case _:
            assert_never(want)


def _joined(query: Query) -> str:
    parts = []
    for position, join in enumerate(query.joins):
        left = join.on[0][0].partition(".")[0]
        pairs = (f"{tick_column(one)} = {tick(join.alias)}.{tick(other)}" for one, other in join.on)
        keys = " and ".join(pairs)
        verb = "Join each row of" if not position else "and each row of"
        name = _called(query.table, query.alias) if not position else tick(left)
        parts.append(f"{verb} {name} with its row of {_called(join.table, join.alias)} ({keys})")
    return f"{', '.join(parts)}; rows without a match are left out."


def _called(table: str, alias: str) -> str:
    return tick(table) if table == alias else f"{tick(table)} (called {tick(alias)} here)"


def _test(item: Filter, is_moment: bool) -> str:
    value = f"{{{item.parameter}}}"
    ends = {
        "=": f"is {value}",
        "<>": f"is anything but {value}",
        ">=": f"is {value} or later" if is_moment else f"is at least {value}",
        "<=": f"is {value} or earlier" if is_moment else f"is at most {value}",
        ">": f"is later than {value}" if is_moment else f"is more than {value}",
        "<": f"is earlier than {value}" if is_moment else f"is less than {value}",
    }
    return f"{tick_column(item.column)} {ends[item.op]}"


def _asked(want: Want) -> str:
    match want:
        case Value(column):
            return f"What is the value of {tick_column(column)}?"
        case Count(""):
            return "How many such rows are there?"
        case Count(distinct):
            return f"How many different values of {tick_column(distinct)} do these rows have?"
        case Total() | Mean():
            return f"What is {_aggregate(want)} over these rows?"
        case Correlation(x, y):
            columns = f"{tick_column(x.column)} and {tick_column(y.column)}"
            return (
                f"What is the Pearson correlation between {columns} over these rows, one pair from each row?"
            )
        case Top(group, by, highest):
            extreme = "largest" if highest else "smallest"
            column, score = tick_column(group), _aggregate(by)
            return f"Group these rows by {column}. For which value of {column} is {score} the {extreme}?"
        case _:
            assert_never(want)


def _aggregate(want: Aggregate) -> str:
    match want:
        case Count(""):
            return "the number of rows"
        case Count(distinct):
            return f"the number of different values of {tick_column(distinct)}"
        case Total(measure):
            return f"the sum of {tick_column(measure.column)}"
        case Mean(measure):
            return f"the average of {tick_column(measure.column)}"
        case _:
            assert_never(want)


def _compared(want: Want, column: str) -> str:
    if not isinstance(want, Count | Total | Mean):
        raise TypeError(f"no difference of {type(want).__name__}")
    first, second = (f"{tick_column(column)} is {{{side}}}" for side in "ab")
    taken = _aggregate(want)
    over = " where" if isinstance(want, Count) else " over the rows where"
    return (
        f"Take {taken}{over} {first}, and subtract {taken}{over} {second}. "
        "What is the difference (negative if the first is smaller)?"
    )
