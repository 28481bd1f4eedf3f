"""Where questions come from: the bundled domains, or a user's database with a knowledge base."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

import msgspec

from warebench.engine.database import Database
from warebench.errors import BuildError, did_you_mean
from warebench.tracks.intelligence.conform import conform
from warebench.tracks.intelligence.knowledge.model import Knowledge
from warebench.tracks.intelligence.knowledge.read import read_knowledge
from warebench.worlds import find_world, make_world

DOMAINS: dict[str, tuple[str, str]] = {"ecommerce": ("olist_", "_dataset"), "banking": ("", "")}
"""The bundled knowledge bases in the order of the paper, each about the world of its name; and what published
files have before and behind the names of tables."""


@dataclass(frozen=True, slots=True)
class Source:
    """One database to ask about; a bundled twin is made where it is needed."""

    knowledge: str
    """Name of a bundled knowledge base, or the folder of another."""
    database: Database | None = None

    @property
    def name(self) -> str:
        """What progress is reported by."""
        return self.database.catalog.name if self.database else self.knowledge

    def read(self, seed: int, scale: float) -> tuple[Knowledge, Database]:
        """Return knowledge base and database.

        Raises:
            KnowledgeError: The folder holds no knowledge base.
            SourceError: The database is not the one that a bundled knowledge base is about.
        """
        if self.knowledge not in DOMAINS:
            if self.database is None:
                raise BuildError("a knowledge base of your own needs a database", fix="Give --source.")
            return read_knowledge(Path(self.knowledge), self.database.catalog), self.database
        if self.database:
            database = _under(self.database, self.knowledge)
        else:
            database = make_world(self.knowledge, seed=seed, scale=scale)
        return read_knowledge(bundled_folder(self.knowledge)), database


def bundled_folder(name: str) -> Path:
    """Return the folder of a bundled knowledge base."""
    return Path(str(files("warebench.tracks.intelligence") / "domains" / name))


def find_sources(databases: Sequence[Database], knowledge: str, domains: Sequence[str]) -> list[Source]:
    """Return what to ask about.

    Args:
        databases: The user's; empty for the bundled twins.
        knowledge: Name of a bundled knowledge base or folder of another, for the user's database.
        domains: Bundled domains to use without a database; empty for all.

    Raises:
        BuildError: A database has no knowledge base, or there are several, or a name is unknown.
    """
    for name in domains:
        if name not in DOMAINS:
            raise BuildError(f"unknown domain `{name}`", fix=did_you_mean(name, DOMAINS))
    if not databases:
        if knowledge:
            raise BuildError(
                "a knowledge base is about a database", fix="Give --source, or leave --param knowledge out."
            )
        return [Source(name) for name in domains or tuple(DOMAINS)]
    if len(databases) > 1:
        raise BuildError(
            f"a knowledge base is about one database, not {len(databases)}", fix="Give one --source a set."
        )
    if domains:
        raise BuildError(
            "`domains` are bundled, and you gave a database", fix="Write --param knowledge=NAME."
        )
    if knowledge and knowledge not in DOMAINS and not Path(knowledge).is_dir():
        raise BuildError(
            f"there is no folder `{knowledge}`, and no bundled knowledge base of that name",
            fix=f"{did_you_mean(knowledge, DOMAINS)} {FOLDER}",
        )
    if not knowledge:
        raise BuildError("the questions need a knowledge base: metrics and rules", fix=FOLDER)
    return [Source(knowledge, databases[0])]


FOLDER = "Write --param knowledge=FOLDER, or the name of a bundled one."


def _under(database: Database, domain: str) -> Database:
    """Return a user's copy of a published data set under the catalog of its twin."""
    before, behind = DOMAINS[domain]
    tables = {name.removeprefix(before).removesuffix(behind): rows for name, rows in database.tables.items()}
    own = database.catalog
    found = conform(tables, find_world(domain).catalog, own.source)
    told = msgspec.structs.replace(found.catalog, left_out=own.left_out, remarks=own.remarks)
    return replace(found, catalog=told)
