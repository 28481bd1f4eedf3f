"""Every choice that changes gold, and the words in which a question states it."""

from collections.abc import Mapping

import msgspec

from warebench.catalog.edges import FkDirection, ImpactDirection, PathEdges, SiloEdges
from warebench.errors import BuildError, SetError, did_you_mean
from warebench.questions.model import Value
from warebench.questions.values import in_words


class Semantics(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The meaning of the track's words in one question set; stands in the manifest as a whole."""

    fk_direction: FkDirection = "undirected"
    """How join_path and hop_count follow foreign keys."""
    silo_edges: SiloEdges = "fk+lineage"
    """Which edges hold a silo together (DW-Bench, Table 1 caption)."""
    impact_fk_direction: ImpactDirection = "children"
    impact_fk_depth: int | None = 1
    """Foreign keys followed in a row by combined_impact; None for any number."""
    impact_fk_from_table: bool = True
    """Whether combined_impact follows foreign keys from the modified table too."""
    multi_source_minimum: int = 3
    """Fewest direct sources of a multi_source table (DW-Bench, Table 2)."""
    max_hops: int = 12
    """Longest FK path asked for."""
    max_answer: int = 200
    """Most names an answer may have: nobody can be asked to type ten thousand."""


DEFAULT = Semantics()
"""What a data engineer means: child tables are what breaks when a table changes."""

PAPER = Semantics(
    impact_fk_direction="undirected", impact_fk_depth=None, impact_fk_from_table=False, max_hops=1_000
)
"""The paper's formal text; Algorithm 1 for combined_impact."""


LEAST = {"impact_fk_depth": 1, "multi_source_minimum": 2, "max_hops": 1, "max_answer": 1}
"""Smallest values that leave a question to ask."""


def with_parameters(semantics: Semantics, parameters: dict[str, str]) -> Semantics:
    """Return the semantics with some fields replaced by values given as text.

    Raises:
        BuildError: A name is unknown or a value does not fit.
    """
    kinds = {field.name: field.type for field in msgspec.structs.fields(Semantics)}
    values: dict[str, object] = {}
    for name, text in parameters.items():
        if name not in kinds:
            raise BuildError(f"unknown parameter `{name}`", fix=did_you_mean(name, kinds))
        try:
            values[name] = msgspec.convert(None if text == "none" else text, kinds[name], strict=False)
        except msgspec.ValidationError as error:
            raise BuildError(f"`{name}={text}` does not fit", fix=f"Give {in_words(kinds[name])}.") from error
    changed = msgspec.structs.replace(semantics, **values)
    for name, least in LEAST.items():
        value = getattr(changed, name)
        if value is not None and value < least:
            raise BuildError(f"{name} is at least {least}, not {value}", fix=f"Give {name}={least} or more.")
    return changed


FK_STEPS: dict[PathEdges, str] = {
    "undirected": "each step is one foreign key, followed in either direction",
    "parent_to_child": "each step goes from a table to a table that holds a foreign key to it",
    "child_to_parent": "each step goes from a table to a table that its foreign key references",
    "downstream": "each step goes from a table to a table that derives from it",
}

SILO_WORDS: dict[SiloEdges, str] = {
    "fk+lineage": "foreign-key and lineage edges taken without direction",
    "fk": "foreign keys taken without direction; lineage does not count",
    "lineage": "lineage edges taken without direction; foreign keys do not count",
}


def impact_words(semantics: Semantics) -> str:
    """Return what combined_impact counts, as a clause for the question's text."""
    start = "one of those tables"
    if semantics.impact_fk_from_table:
        start += " or the modified table itself"
    depth = semantics.impact_fk_depth
    if semantics.impact_fk_direction == "children":
        reach = {
            None: f"references {start} over one or more foreign keys in a row",
            1: f"holds a foreign key that references {start}",
        }.get(depth, f"references {start} over at most {depth} foreign keys in a row")
    else:
        count = {None: "any number of foreign keys", 1: "one foreign key"}.get(
            depth, f"at most {depth} foreign keys"
        )
        reach = f"can be reached from {start} over {count} followed in either direction"
    derived = "every table that derives from it over one or more lineage edges"
    return f"(1) {derived}, and (2) every table that {reach}"


def flatten(semantics: Semantics) -> dict[str, Value]:
    """Return the semantics as they stand in a manifest."""
    values = msgspec.to_builtins(semantics)
    return {name: "none" if value is None else value for name, value in sorted(values.items())}


def from_manifest(parameters: Mapping[str, Value]) -> Semantics:
    """Return the semantics that a manifest holds.

    Raises:
        SetError: A parameter is unknown or has a value of the wrong type.
    """
    values: dict[str, Value | None] = {
        name: None if value == "none" else value for name, value in parameters.items()
    }
    try:
        return msgspec.convert(values, Semantics)
    except msgspec.ValidationError as error:
        raise SetError(
            f"the set's parameters do not fit the topology track: {error}",
            where="manifest.json, parameters",
            fix="Build the set again with this version of warebench.",
        ) from error
