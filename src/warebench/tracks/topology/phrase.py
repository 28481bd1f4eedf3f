"""The text of a question: it states its semantics, so that nobody has to guess them."""

from collections.abc import Callable

from warebench.questions.model import Value
from warebench.tracks.topology.semantics import FK_STEPS, SILO_WORDS, Semantics, impact_words


def quote(name: str) -> str:
    """Return a table name as it stands in a question: in backticks, inner ones doubled."""
    return f"`{name.replace('`', '``')}`"


def phrase(
    subtype: str, variant: str, subjects: tuple[str, ...], semantics: Semantics, values: dict[str, Value]
) -> str:
    """Return the text of a question.

    Args:
        subtype: One of SUBTYPES.
        variant: The subtype's named variant, or empty.
        subjects: The tables asked about, in the order of the text.
        semantics: What the words mean in this set.
        values: Further parameters of the variant, such as `k`.
    """
    template = TEMPLATES[f"{subtype}.{variant}" if variant else subtype]
    return template(semantics, values, *[quote(name) for name in subjects])


Template = Callable[..., str]


def _forward(_: Semantics, __: dict[str, Value], table: str) -> str:
    return (
        f"Which tables derive directly from {table}? "
        "Only direct derivations (one lineage edge) count; foreign keys do not."
    )


def _reverse(_: Semantics, __: dict[str, Value], table: str) -> str:
    return (
        f"Which tables does {table} derive from directly? "
        "Only direct derivations (one lineage edge) count; foreign keys do not."
    )


def _multi_source(_: Semantics, __: dict[str, Value], table: str) -> str:
    return (
        f"{table} combines several sources: list all tables it derives from directly. "
        "Only direct derivations (one lineage edge) count; foreign keys do not."
    )


def _transitive(_: Semantics, __: dict[str, Value], table: str) -> str:
    return (
        f"Which tables derive from {table} over one or more lineage edges? "
        f"Foreign keys do not count; leave out {table} itself."
    )


def _combined_impact(semantics: Semantics, _: dict[str, Value], table: str) -> str:
    return (
        f"Which tables are affected when {table} is modified? Count {impact_words(semantics)}. "
        f"Keys may be followed through {table}, but leave it out of the answer."
    )


def _direct_fk(_: Semantics, __: dict[str, Value], parent: str, child: str) -> str:
    return (
        f"Is {parent} referenced directly by {child}, that is, does {child} hold a foreign key that "
        f"references {parent}? Only this direction counts."
    )


def _join_path(semantics: Semantics, _: dict[str, Value], start: str, end: str) -> str:
    return (
        f"What is a shortest foreign-key path from {start} to {end}? In the path "
        f"{FK_STEPS[semantics.fk_direction]}; lineage does not count. "
        "List the tables in order, both ends included; if several paths are shortest, any of them is right."
    )


def _hop_count(semantics: Semantics, _: dict[str, Value], start: str, end: str) -> str:
    return (
        f"How many foreign keys long is the shortest foreign-key path from {start} to {end}? In the path "
        f"{FK_STEPS[semantics.fk_direction]}; lineage does not count. A direct foreign key is 1."
    )


def _lineage_hops(_: Semantics, __: dict[str, Value], start: str, end: str) -> str:
    return (
        f"How many lineage edges long is the shortest lineage path from {start} to {end}? In the path "
        f"{FK_STEPS['downstream']}; foreign keys do not count. A direct derivation is 1."
    )


def _silo_is(semantics: Semantics) -> str:
    return f"A silo is a connected component of the schema graph ({SILO_WORDS[semantics.silo_edges]})"


def _count(semantics: Semantics, _: dict[str, Value]) -> str:
    return (
        f"How many silos does the schema have? {_silo_is(semantics)}; "
        "a table without such edges is a silo of its own."
    )


def _silo_size(semantics: Semantics, _: dict[str, Value], table: str) -> str:
    return (
        f"How many tables does the silo that contains {table} have, {table} included? {_silo_is(semantics)}."
    )


def _silos_at_least(semantics: Semantics, values: dict[str, Value]) -> str:
    return f"How many silos have {values['k']} or more tables? {_silo_is(semantics)}."


def _isolation(semantics: Semantics, _: dict[str, Value], table: str) -> str:
    return (
        f"Is {table} isolated, that is, alone in its silo? {_silo_is(semantics)}; "
        "an edge from a table to itself does not count."
    )


def _connected(semantics: Semantics, _: dict[str, Value], first: str, second: str) -> str:
    return f"Are {first} and {second} connected, that is, in the same silo? {_silo_is(semantics)}."


def _membership(semantics: Semantics, _: dict[str, Value], table: str) -> str:
    return (
        f"Which other tables belong to the same silo as {table}? {_silo_is(semantics)}. "
        f"Listing {table} itself is neither required nor wrong."
    )


def _full_enumeration(semantics: Semantics, _: dict[str, Value], table: str) -> str:
    return f"List all tables of the silo that contains {table}, {table} included. {_silo_is(semantics)}."


TEMPLATES: dict[str, Template] = {
    "forward": _forward,
    "reverse": _reverse,
    "multi_source": _multi_source,
    "multi_source.two_sources": _multi_source,
    "transitive": _transitive,
    "combined_impact": _combined_impact,
    "direct_fk": _direct_fk,
    "join_path": _join_path,
    "hop_count": _hop_count,
    "hop_count.lineage": _lineage_hops,
    "count": _count,
    "count.silo_size": _silo_size,
    "count.silos_at_least": _silos_at_least,
    "isolation": _isolation,
    "connected": _connected,
    "membership": _membership,
    "full_enumeration": _full_enumeration,
}
