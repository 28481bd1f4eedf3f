"""From what a model wrote to a judgement."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from warebench.answers.model import Table
from warebench.answers.result import Comparison, ResultVerdict, compare_as_bird, compare_results
from warebench.engine.run import Failure
from warebench.errors import InternalError
from warebench.questions.model import Question
from warebench.sql.namespace import Prediction, from_bare, read_prediction
from warebench.sql.namespace.prediction import Kind
from warebench.tracks.budget.scoring.bench import Bench, PlainRows
from warebench.tracks.budget.scoring.model import ACCIDENT, RIGHT, WRONG_NAMESPACE, Judged
from warebench.tracks.budget.settings import Settings
from warebench.tracks.budget.subject import Subject

REFUSALS: Mapping[Kind, str] = MappingProxyType(
    {
        "unread": "unparsable",
        "write": "forbidden",
        "several_statements": "forbidden",
        "not_a_query": "forbidden",
        "table_function": "forbidden",
        "unknown_table": "unknown table",
        "unqualified": "unqualified",
    }
)
"""Why a query is not executed, by what it is."""

FAILURES: Mapping[str, str] = MappingProxyType({"parse": "unparsable"})
"""Kinds of failure that have another name here; the others keep theirs."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Judge:
    """Everything that judges the queries of one run."""

    subject: Subject
    settings: Settings
    bench: Bench

    def judge(self, question: Question, sql: str) -> Judged:
        """Return whether a query is right: its result, where it reads, and both on perturbed rows.

        A right result that was read anywhere but in the question's own database is wrong.

        Args:
            question: What was asked.
            sql: The query, in the names of the prompt.

        Source: BudgetSchemaBench (arXiv 2610.00092), section 3, EX and the source-namespace contract; Zhong,
        Yu and Klein, Semantic Evaluation for Text-to-SQL with Distilled Test Suites (EMNLP 2020).
        """
        if self.settings.names == "unprefixed":
            sql = from_bare(sql, self.subject.bare_names, self.subject.dialect)
        reads = read_prediction(sql, self.subject.pool, self.subject.dialect)
        if reads.kind != "query":
            return Judged(False, REFUSALS[reads.kind], _refusal(reads))
        judged = self._judge_result(question, sql, reads)
        return self._with_removed(question, reads, judged)

    def _judge_result(self, question: Question, sql: str, reads: Prediction) -> Judged:
        rows = self.bench.run(reads.databases or (question.context,), sql)
        at_home = reads.databases == (question.context,)
        measures = {"in_namespace": float(at_home)}
        if isinstance(rows, Failure):
            return _failed(rows, measures)
        gold = gold_table(question)
        verdict = self._compare(question, rows)
        measures["result_only"] = float(verdict.correct)
        if not verdict.correct:
            f1 = rows_f1(gold.rows, rows)
            return Judged(False, verdict.reason, verdict.explanation, f1, measures)
        if not at_home:
            read = ", ".join(reads.databases) or "no table"
            told = f"the result is right, but it was read from {read}, not from {question.context}"
            return Judged(False, WRONG_NAMESPACE, told, 0.0, measures)
        return self._judge_on_variants(question, sql, measures)

    def _judge_on_variants(self, question: Question, sql: str, measures: dict[str, float]) -> Judged:
        if not self.settings.variants:
            return Judged(True, RIGHT, "the result is right", 1.0, measures)
        comparison, used = declared_comparison(question), 0
        for run in self.bench.gold_runs(question):
            gold, backward = run.straight, run.backward
            if isinstance(gold, Failure) or isinstance(backward, Failure):
                continue
            if not compare_results(gold, backward, comparison).correct:
                continue  # tied on these rows: gold itself has several answers
            used += 1
            rows = self.bench.run_on(run.variant.straight, question, sql)
            told = rows.message if isinstance(rows, Failure) else ""
            nothing = isinstance(rows, Failure) or all(_is_nothing(one, comparison) for one in (gold, rows))
            if not isinstance(rows, Failure) and not nothing:
                verdict = compare_results(gold, rows, comparison)
                told = "" if verdict.correct else verdict.explanation
            if told:
                told = f"right on the real rows alone; on perturbed ones: {told}"
                return Judged(False, ACCIDENT, told, 0.0, {**measures, "variants": float(used)})
        told = f"the result is right, on {used} perturbed databases too"
        return Judged(True, RIGHT, told, 1.0, {**measures, "variants": float(used)})

    def _compare(self, question: Question, rows: PlainRows) -> ResultVerdict:
        """Return the judgement of a result on the real rows, the one place where the run's mode counts."""
        gold = gold_table(question).rows
        if self.settings.compare == "bird":
            return compare_as_bird(gold, rows)
        return compare_results(gold, rows, declared_comparison(question))

    def _with_removed(self, question: Question, reads: Prediction, judged: Judged) -> Judged:
        """Add, to a right query that was not shown gold's tables, whether it names one all the same."""
        if self.settings.condition != "remove_gold" or not judged.correct:
            return judged
        removed = set(self.subject.labels[question.id].tables)
        named = any(".".join(pooled) in removed for pooled in reads.tables)
        return Judged(
            True,
            judged.reason,
            judged.explanation,
            judged.f1,
            {**judged.measures, "named_removed": float(named)},
        )


def gold_table(question: Question) -> Table:
    """Return the result of the gold query."""
    if not isinstance(question.gold, Table):
        raise InternalError(f"question {question.id} has no result for its gold")
    return question.gold


def declared_comparison(question: Question) -> Comparison:
    """Return what equal means for the result of a question."""
    if question.comparison is None:
        raise InternalError(f"question {question.id} declares no comparison")
    return question.comparison


def rows_f1(gold: PlainRows, rows: PlainRows) -> float:
    """Return twice the number of shared rows over the rows of both, columns as they stand."""
    if not gold and not rows:
        return 1.0
    shared = (Counter(gold) & Counter(rows)).total()
    return 2 * shared / (len(gold) + len(rows))


def _is_nothing(rows: PlainRows, how: Comparison) -> bool:
    """Return whether a result says nothing: no row, or nothing but NULL where the rows hold no value."""
    nothing = (None, "") if how.nulls == "blank" else (None,)
    return all(cell in nothing for row in rows for cell in row)


def _failed(failure: Failure, measures: dict[str, float]) -> Judged:
    reason = FAILURES.get(failure.kind, failure.kind)
    return Judged(False, reason, failure.message, 0.0, {**measures, "result_only": 0.0})


def _refusal(reads: Prediction) -> str:
    named = (*reads.functions, *reads.unknown, *reads.unqualified)
    return f"{reads.kind}: {', '.join(named)}" if named else reads.detail or reads.kind
