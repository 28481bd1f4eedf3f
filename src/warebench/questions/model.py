"""What a question, its certificate and a question set are. Immutable, hashed, serialisable."""

import hashlib
from pathlib import Path
from typing import Literal

import msgspec

from warebench.answers.model import Answer
from warebench.answers.result import Comparison
from warebench.catalog.model import Catalog
from warebench.engine.database import Database

Difficulty = Literal["easy", "medium", "hard"]
Obfuscation = Literal["none", "tables", "columns"]
"""Which names are replaced: none, tables only (the paper), or tables and columns."""

Value = str | int | float | bool


class Certificate(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How the gold was found and how it was found again; the question's text states the semantics."""

    method: str
    """First method, a dotted function name."""
    second_method: str
    """Independent method, a dotted function name; shares no code with the first."""
    parameters: dict[str, Value] = {}
    """The question's own parameters; the set's stand in the manifest, both in words in the text."""
    sql: str = ""
    """The second method's own SQL with `$name` parameters, where each question has one."""
    digest: str
    """SHA-256 of the canonical gold, equal for both methods."""


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One option of a multiple-choice question."""

    text: str
    origin: str
    """`gold`, or the mistake that leads to it: missing filter, other entity, ..."""


class Question(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One question with its gold. `id` hashes all of it, the answer included."""

    id: str
    pair_id: str
    """Id of the question this is the obfuscated twin of; its own id when it is the original."""
    track: str
    subtype: str
    variant: str = ""
    """Named variant of the subtype; empty for the subtype's main form."""
    catalog: str
    """Name of the catalog it is asked about."""
    context: str = ""
    """Name of the database whose rows it is asked about; empty when the catalog says it all."""
    text: str
    options: tuple[Option, ...] = ()
    """Options in the order of their letters; empty when the question is not multiple choice."""
    subjects: tuple[str, ...] = ()
    """Tables the text asks about, in the order of the text."""
    gold: Answer
    comparison: Comparison | None = None
    """What equal means, where gold is the result of a query; None where the kind of the answer says it."""
    certificate: Certificate
    difficulty: Difficulty
    """Fixed by subtype (DW-Bench Table 2)."""
    path_difficulty: Difficulty
    """Per question, by gold path length (the labels behind DW-Bench Table 4)."""
    fact: str
    """Questions with one fact are siblings: who knows one answer knows the other."""
    facets: dict[str, Value] = {}
    """Further things a report may group by: path_length, evidence_hops, min_tool_calls, ..."""


class Shortfall(msgspec.Struct, frozen=True, kw_only=True):
    """Fewer questions than asked for, and why."""

    catalog: str
    subtype: str
    asked: int
    made: int
    reason: str


class Missing(msgspec.Struct, frozen=True, kw_only=True):
    """What of a source is not in its catalog."""

    catalog: str
    left_out: tuple[str, ...]
    """Each part in words, with the reason."""
    withheld: int = 0
    """Questions that were not asked because these parts could change their answers."""

    def __str__(self) -> str:
        count = len(self.left_out)
        said = "; ".join(self.left_out[:3]) + ("; ..." if count > 3 else "")
        unasked = f"; {self.withheld} questions that this could change are not asked" if self.withheld else ""
        return f"{count} part{'s' * (count > 1)} of the source left out ({said}){unasked}"


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a set was made from and how. Holds no clock: equal inputs give equal bytes."""

    format: int = 2
    warebench: str
    """Version of the package that built it."""
    track: str
    profile: str
    seed: int
    obfuscation: Obfuscation = "none"
    parameters: dict[str, Value] = {}
    """Every choice that changes gold: fk_direction, impact_fk_depth, ..."""
    catalogs: dict[str, str]
    """Catalog name to fingerprint."""
    questions: int
    questions_sha256: str
    """Hash of questions.jsonl, verified on read."""
    databases: dict[str, str] = {}
    """Database name to the hash of its rows."""
    files: dict[str, str] = {}
    """Path of each further file to the hash of its bytes."""
    shortfalls: tuple[Shortfall, ...] = ()
    left_out: tuple[Missing, ...] | msgspec.UnsetType = msgspec.UNSET
    """For each catalog that is not the whole of its source; absent where all are."""


FileContent = bytes | Path
"""A file of a set: its bytes, or where they lie, for what is too large to hold in memory."""


class QuestionSet(msgspec.Struct, frozen=True, kw_only=True):
    """Questions with the catalogs, and where rows matter the databases, they are asked about."""

    manifest: Manifest
    questions: tuple[Question, ...]
    catalogs: dict[str, Catalog]
    databases: dict[str, Database] = {}
    files: dict[str, FileContent] = {}
    """What else a track's questions rest on, by path in the set: rule documents, metrics, SQLite files."""

    def __repr__(self) -> str:
        """Return what it is in one line: all of it would be thousands."""
        made = self.manifest
        names = ", ".join([*self.catalogs][:3]) + (", ..." if len(self.catalogs) > 3 else "")
        return f"<QuestionSet {made.track}: {len(self.questions)} questions about {names}>"

    def read_file(self, path: str) -> bytes:
        """Return the bytes of a further file.

        Raises:
            KeyError: The set has no such file.
        """
        content = self.files[path]
        return content if isinstance(content, bytes) else content.read_bytes()


def digest(value: object) -> str:
    """Return the SHA-256 (hex) of a value's canonical JSON.

    Args:
        value: Anything msgspec can encode; dict keys are sorted.
    """
    return hashlib.sha256(msgspec.json.encode(value, order="deterministic")).hexdigest()
