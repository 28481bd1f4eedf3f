"""The 13 subtypes of DW-Bench's Table 2, in the paper's order."""

from typing import Literal

import msgspec

from warebench.questions.model import Difficulty

Category = Literal["lineage", "routing", "silo"]
AnswerKind = Literal["boolean", "number", "names", "path"]


class Subtype(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of question."""

    name: str
    category: Category
    difficulty: Difficulty
    answer: AnswerKind
    asks: str
    """What it asks, for `warebench list`."""


SUBTYPES: tuple[Subtype, ...] = (
    Subtype(
        name="forward", category="lineage", difficulty="easy", answer="names", asks="direct lineage targets"
    ),
    Subtype(
        name="reverse", category="lineage", difficulty="easy", answer="names", asks="direct lineage sources"
    ),
    Subtype(
        name="multi_source",
        category="lineage",
        difficulty="medium",
        answer="names",
        asks="sources of a table that has three or more",
    ),
    Subtype(
        name="transitive",
        category="lineage",
        difficulty="hard",
        answer="names",
        asks="everything derived over any number of lineage edges",
    ),
    Subtype(
        name="combined_impact",
        category="lineage",
        difficulty="hard",
        answer="names",
        asks="lineage closure and its foreign-key dependents",
    ),
    Subtype(
        name="direct_fk",
        category="routing",
        difficulty="easy",
        answer="boolean",
        asks="is there a foreign key between two tables, in the stated direction",
    ),
    Subtype(
        name="join_path", category="routing", difficulty="medium", answer="path", asks="shortest FK path"
    ),
    Subtype(
        name="hop_count",
        category="routing",
        difficulty="medium",
        answer="number",
        asks="length of the shortest FK path",
    ),
    Subtype(name="count", category="silo", difficulty="easy", answer="number", asks="number of silos"),
    Subtype(
        name="isolation", category="silo", difficulty="medium", answer="boolean", asks="is a table isolated"
    ),
    Subtype(
        name="connected",
        category="silo",
        difficulty="medium",
        answer="boolean",
        asks="are two tables in one silo",
    ),
    Subtype(
        name="membership",
        category="silo",
        difficulty="hard",
        answer="names",
        asks="which other tables share a table's silo",
    ),
    Subtype(
        name="full_enumeration",
        category="silo",
        difficulty="hard",
        answer="names",
        asks="all tables of a silo",
    ),
)

SUBTYPE: dict[str, Subtype] = {subtype.name: subtype for subtype in SUBTYPES}
