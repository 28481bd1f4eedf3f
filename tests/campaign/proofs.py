"""What is proved under planted faults: for each track, small questions whose gold is found by two methods."""

import dataclasses
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from tests.budget import pools
from tests.intelligence import shop
from tests.intelligence.random_knowledge import databases, knowledge_bases, slices
from tests.multitable.shop import SHOP, TEMPLATES
from tests.sql import labels_schema
from tests.sql.test_labels import BOTH, SQLITE

from warebench.catalog.model import Catalog, ForeignKey, LineageEdge, Table
from warebench.engine.collection import read_collection
from warebench.errors import GoldDisagreement, UserError
from warebench.queries.bind import bind, evaluate
from warebench.queries.solve import join_rows
from warebench.sql.labels import disagreement, label, observe
from warebench.sql.labels.observed import UNASKED
from warebench.tracks.budget.ask import Asked, ask_all
from warebench.tracks.budget.pool import open_pool
from warebench.tracks.intelligence.analyses.lab import Lab, certified
from warebench.tracks.intelligence.build import Options as IntelligenceOptions
from warebench.tracks.intelligence.build import build as build_intelligence
from warebench.tracks.intelligence.compute.rows import Store
from warebench.tracks.intelligence.compute.run import Opened, find_values, same_values
from warebench.tracks.intelligence.knowledge.check import find_faults
from warebench.tracks.intelligence.stored import ask_of, stored_knowledge
from warebench.tracks.multitable.ask import prove_bound
from warebench.tracks.multitable.restate import same_answer
from warebench.tracks.topology.build import Options as TopologyOptions
from warebench.tracks.topology.build import build as build_topology
from warebench.tracks.topology.certify import prove_set

SIDES = {
    "topology": (
        "graph.build graph.lineage graph.impact graph.paths graph.silos tracks.topology.candidates.lineage "
        "tracks.topology.candidates.routing tracks.topology.candidates.silo",
        "tracks.topology.sql.asked tracks.topology.sql.lineage tracks.topology.sql.prove "
        "tracks.topology.sql.routing tracks.topology.sql.silo",
        "catalog.edges catalog.model tracks.topology.semantics engine.connect answers.label",
    ),
    "multitable": (
        "queries.solve queries.bind tracks.multitable.wording",
        "queries.sql queries.prove tracks.multitable.restate",
        "queries.model catalog.model",
    ),
    "budget": (
        "sql.namespace.rewrite sql.namespace.edit sql.namespace.pool "
        "sql.namespace.invariant",
        "tracks.budget.pool",
        "tracks.budget.gold tracks.budget.result",
    ),
    "labels": (
        "sql.labels.index sql.labels.label sql.labels.lookup "
        "sql.labels.relations sql.labels.resolve sql.labels.scope "
        "sql.labels.sources sql.labels.walk",
        "sql.labels.observed",
        "sql.labels.model",
    ),
    "intelligence": (
        " ".join(
            f"tracks.intelligence.{name}"
            for name in (
                "compute.calendars", "compute.dialects", "compute.regions", "compute.rewrite", "compute.sql",
                "compute.tree", "analyses.answers", "analyses.figures", "analyses.metrics",
                "analyses.significance", "analyses.typed", "knowledge.conflicts", "knowledge.context",
                "knowledge.expressions", "knowledge.kinds", "knowledge.links", "knowledge.relation",
                "slicing",
            )
        ),
        " ".join(
            f"tracks.intelligence.{name}"
            for name in (
                "compute.aggregate", "compute.evaluate", "compute.frame", "compute.joins", "compute.rows",
                "compute.rules", "compute.select_rows", "compute.values", "analyses.memory",
                "analyses.observations", "analyses.second", "knowledge.grammar",
            )
        ),
        "tracks.intelligence.analyses.lab tracks.intelligence.analyses.model tracks.intelligence.slice "
        "tracks.intelligence.knowledge.model tracks.intelligence.compute.run engine.decimals "
        "answers.label",
    ),
}  # fmt: skip
"""First method, second method, and what both use or what compares them; every function is changed."""


@dataclass(frozen=True)
class Proof:
    """The cases of a pair, and what is found for one."""

    name: str
    cases: list[Any]
    prove: Callable[[Any], Any]
    """Gold; raises GoldDisagreement, or UserError where nothing is asked."""
    right: Callable[[Any, Any], bool] = lambda clean, found: clean == found
    """Whether what was found with a fault in is right, asked when it is out again."""

    @property
    def modules(self) -> list[tuple[str, str]]:
        """Side and name of each module that is changed."""
        sides = zip(("first", "second", "shared"), SIDES[self.name], strict=True)
        return [(side, f"warebench.{name}") for side, names in sides for name in names.split()]


MEANINGS = {
    "forward reverse multi_source transitive direct_fk": [{}],
    "combined_impact": [
        {},
        {"impact_fk_direction": "undirected", "impact_fk_depth": "none", "impact_fk_from_table": "false"},
        {"impact_fk_depth": "2"},
    ],
    "join_path hop_count": [{}, {"fk_direction": "parent_to_child"}, {"fk_direction": "child_to_parent"}],
    "count membership": [{}, {"silo_edges": "fk"}, {"silo_edges": "lineage"}],
    "isolation connected full_enumeration": [{}],
}
"""Meanings of words under which each subtype is asked."""


def topology(size: int = 3) -> Proof:
    """Build whole sets about small schemas with circles, ties and lone tables, under several meanings."""
    names = [f"t{number:02}" for number in range(24)]
    rng = random.Random(5)  # noqa: S311
    keys = [tuple(rng.sample(names[:16], 2)) for _ in range(19)]
    lineage = [tuple(rng.sample(names[6:20], 2)) for _ in range(17)]
    woven = Catalog(
        name="woven",
        tables=tuple(Table(name=name) for name in names),
        foreign_keys=tuple(ForeignKey(child=one, parent=other) for one, other in keys),
        lineage=tuple(LineageEdge(downstream=one, upstream=other) for one, other in sorted(set(lineage))),
    )
    cases = [
        (woven, (subtype,), meaning)
        for subtypes, meanings in MEANINGS.items()
        for subtype in subtypes.split()
        for meaning in meanings
    ]

    def prove(case):
        catalog, subtypes, meaning = case
        return build_topology([catalog], TopologyOptions(size=size, subtypes=subtypes, parameters=meaning))

    def right(_, made):
        again = prove_set(made)
        return all(again[question.id] == question.gold for question in made.questions)

    return Proof("topology", cases, prove, right)


def multitable(count: int = 4) -> Proof:
    """Ask every kind of question about a shop with gaps, decimals and unmatched keys."""
    cases = [
        bound
        for template in TEMPLATES
        for bound in bind(template, join_rows(SHOP, template.query), count, random.Random(3))  # noqa: S311
    ]

    connection = SHOP.connect()

    def prove(bound):
        rows = join_rows(SHOP, bound.template.query)
        outcome = evaluate(bound.template.query, rows, bound.bindings)
        return prove_bound(connection, dataclasses.replace(bound, outcome=outcome), "shop")

    return Proof("multitable", cases, prove, same_answer)


def budget() -> Proof:
    """Run gold on its own file and in the pool, between databases with tables of the same names."""
    found = [pools.duckdb_pool(), read_collection(f"spider:{pools.write_spider(Path(mkdtemp()), bad=False)}")]
    stack = [open_pool(collection, 20.0) for collection in found]
    opened = [item.__enter__() for item in stack]
    cases = [
        (pool, example)
        for pool, collection in zip(opened, found, strict=True)
        for example in collection.examples
    ]

    def prove(case):
        pool, example = case
        (outcome,) = ask_all([example], pool, "keep")
        if isinstance(outcome, Asked):
            return outcome.question.gold
        if outcome.reason == "not invariant":
            raise GoldDisagreement(outcome.detail)
        raise UserError(outcome.reason)

    proof = Proof("budget", cases, prove)
    object.__setattr__(proof, "keep", stack)
    return proof


def labels() -> Proof:
    """Label queries of every form, and ask SQLite what it reads.

    Left out are USING and NATURAL, as SQLite is not asked about the columns that these compare.
    """
    path = labels_schema.write_database(Path(mkdtemp()))

    def prove(sql):
        found = label(sql, labels_schema.CATALOG, "sqlite")
        if not hasattr(found, "tables"):
            raise UserError(found.reason)
        if differs := disagreement(found, observe(path, sql), sql):
            raise GoldDisagreement(differs)
        return set(found.tables), found.column_names

    return Proof("labels", [sql for sql, _ in (*BOTH, *SQLITE) if not UNASKED.search(sql)], prove)


def intelligence(seeds: int = 60, size: int = 4) -> Proof:
    """Ask a small set about a shop, and random slices of random knowledge bases."""
    folder = shop.write_folder(Path(mkdtemp()) / "knowledge")
    options = IntelligenceOptions(knowledge=str(folder), size=size, target=40)
    made = build_intelligence([shop.make_database(42, 1500)], options) if size else None
    cases: list[Any] = []
    if made:
        (database,) = made.databases.values()
        knowledge, connection = stored_knowledge(made, "shop"), database.connect()
        asks = [ask for question in made.questions if (ask := ask_of(question))]
        cases += [(knowledge, database, connection, ask) for ask in asks]
    for seed in range(seeds):
        rng = random.Random(seed)  # noqa: S311
        data, base = databases().draw(rng), knowledge_bases().draw(rng)
        if not list(find_faults(base, data.catalog)):
            connection = data.connect()
            cases += [(base, data, connection, slices(metric).draw(rng)) for metric in ("M1", "M2", "M3")]

    def prove(case):
        knowledge, database, connection, asked = case
        opened = Opened(database, connection, Store(database))
        if hasattr(asked, "analysis"):
            return certified(Lab(knowledge, opened), asked)[0]
        return dict(find_values(knowledge, opened, asked))

    def right(clean, found):
        return same_values(clean, found) if isinstance(clean, dict) else clean == found

    return Proof("intelligence", cases, prove, right)


PROOFS = {item.__name__: item for item in (topology, multitable, budget, labels, intelligence)}
