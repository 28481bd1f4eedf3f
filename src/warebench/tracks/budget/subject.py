"""A question set as solvers and the scorer need it, with what is derived from it once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from warebench.engine.worker import Dialect
from warebench.errors import SetError
from warebench.harness.dataset import QuestionIndex, find_question, index_questions
from warebench.questions.model import Question, QuestionSet
from warebench.sql.namespace import BareNames, Pool, bare_names, build_pool
from warebench.tracks.budget.files import PoolFiles
from warebench.tracks.budget.labelled import QuestionLabels, read_labels
from warebench.tracks.budget.pack import Numbers
from warebench.tracks.budget.pool import find_dialect
from warebench.tracks.budget.rank.rankers import Rank, Ranked, find_ranker
from warebench.tracks.budget.represent import (
    REPRESENTATIONS,
    Names,
    Naming,
    Representation,
    Texts,
    Values,
    bare,
    make_texts,
    prefixed,
    sample_values,
)
from warebench.tracks.budget.schema import PoolSchema, pool_schema


@dataclass(frozen=True, kw_only=True, eq=False)
class Subject:
    """Inspect logs it by its `name`, so no gold reaches a log's header."""

    name: str
    question_set: QuestionSet
    index: QuestionIndex
    labels: Mapping[str, QuestionLabels]
    dialect: Dialect
    schema: PoolSchema
    pool: Pool
    files: PoolFiles
    _texts: dict[tuple[Representation, Names], Texts] = field(default_factory=dict)
    _rankers: dict[tuple[str, Representation], Rank] = field(default_factory=dict)

    def question(self, sample_id: str | int) -> Question:
        """Return the question a sample asks."""
        return find_question(self.index, sample_id)

    def gold_tables(self, question: Question) -> list[int]:
        """Return the numbers of the tables that gold reads."""
        return [self.schema.numbers[name] for name in self.labels[question.id].tables]

    @cached_property
    def values(self) -> Values:
        """Values that the rich catalog shows."""
        return sample_values(self.question_set, self.files)

    @cached_property
    def bare_names(self) -> BareNames:
        """Names of the unprefixed mode."""
        return bare_names(self.question_set.catalogs.values())

    def naming(self, names: Names) -> Naming:
        """Return what tables are called in a mode."""
        return prefixed if names == "prefixed" else bare(self.bare_names)

    def texts(self, representation: Representation, names: Names = "prefixed") -> Texts:
        """Return all tables in a representation, made once."""
        key = (representation, names)
        if key not in self._texts:
            self._texts[key] = make_texts(self.schema, representation, self.naming(names), self.values)
        return self._texts[key]

    @cached_property
    def largest(self) -> Numbers:
        """What each table costs in its most costly representation."""
        costs: Numbers = np.max([self.texts(form).tokens for form in REPRESENTATIONS], axis=0)
        return costs

    def cap(self, budget: float) -> int:
        """Return the tokens that a percentage of the rich catalog is.

        Source: BudgetSchemaBench (arXiv 2610.00092), section 3: absolute caps, shares of the rich catalog.
        """
        return int(self.texts("enriched").total * budget / 100)

    def ranker(self, name: str, representation: Representation) -> Rank:
        """Return a ranker, made once."""
        key = (name, representation if name == "serialised" else "raw")
        if key not in self._rankers:
            texts = self.texts(representation).texts if name == "serialised" else ()
            self._rankers[key] = find_ranker(name)(Ranked(schema=self.schema, texts=texts))
        return self._rankers[key]


def open_subject(question_set: QuestionSet) -> Subject:
    """Return the subject of a set of this track.

    Raises:
        SetError: The labels cannot be read, a question declares no comparison, or the set says no dialect.
    """
    for question in question_set.questions:
        if question.comparison is None:
            raise SetError(
                "a question declares no comparison of results",
                where=f"questions.jsonl: {question.id}",
                fix="Build the set again with `warebench build budget`: an older version wrote it.",
            )
    index = index_questions(question_set)
    dialect = find_dialect(question_set)
    catalogs = question_set.catalogs.values()
    return Subject(
        name=index.name,
        question_set=question_set,
        index=index,
        labels=read_labels(question_set),
        dialect=dialect,
        schema=pool_schema(catalogs),
        pool=build_pool(catalogs),
        files=PoolFiles(question_set, dialect),
    )
