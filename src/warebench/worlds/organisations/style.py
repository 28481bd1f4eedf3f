"""How far an organisation departs from the schema of its domain."""

from dataclasses import dataclass

from warebench.worlds.organisations.naming import Convention


@dataclass(frozen=True, kw_only=True, slots=True)
class Style:
    """How far an organisation departs from the canonical schema of its domain."""

    conventions: tuple[Convention, ...]
    renamed: float
    """Share of names that are exchanged for a synonym."""
    tables_dropped: float
    """Share of databases that lack a table."""
    columns_dropped: float
    """Share of columns no question needs that are left out."""
    reshaped: float
    """Share of the tables that can be merged or split that are."""
    shared: bool = False
    """Whether reference data are those of the domain's other sharing databases."""


STYLES: tuple[Style, ...] = (
    Style(
        conventions=("plural",),
        renamed=0.0,
        tables_dropped=0.2,
        columns_dropped=0.0,
        reshaped=0.0,
        shared=True,
    ),
    Style(
        conventions=("plural",),
        renamed=0.1,
        tables_dropped=0.7,
        columns_dropped=0.3,
        reshaped=0.0,
        shared=True,
    ),
    Style(
        conventions=("camel", "camel_singular"),
        renamed=0.5,
        tables_dropped=0.7,
        columns_dropped=0.3,
        reshaped=0.2,
    ),
    Style(conventions=("star", "tbl"), renamed=0.5, tables_dropped=0.7, columns_dropped=0.3, reshaped=0.4),
    Style(
        conventions=("short", "upper", "singular"),
        renamed=0.5,
        tables_dropped=0.7,
        columns_dropped=0.3,
        reshaped=0.4,
    ),
)
"""Databases of a domain take them in turn: the second nearly repeats the first."""
