"""What one prompt shows, and what that is worth."""

from collections.abc import Iterator
from dataclasses import dataclass

from warebench.catalog.tokens import find_tokenizer
from warebench.questions.model import Question
from warebench.sql.labels.model import ROLES
from warebench.tracks.budget.conditions import choose
from warebench.tracks.budget.pack import Packed
from warebench.tracks.budget.represent import TOKENIZER, render
from warebench.tracks.budget.represent.render import NO_VALUES
from warebench.tracks.budget.settings import Settings
from warebench.tracks.budget.subject import Subject


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """The schema part of one prompt."""

    texts: tuple[str, ...]
    """Tables in rank order."""
    measures: dict[str, float]
    """The token log, and how much of gold's schema is shown."""


def show(subject: Subject, question: Question, settings: Settings) -> Shown:
    """Return the tables that a question's prompt shows under some settings.

    Which tables are packed does not depend on the form of the names: tokens are counted with prefixes, and
    the log says what the shown form takes.

    Args:
        subject: The set.
        question: The question.
        settings: Budget, ranker, representation, condition and names.

    Source: BudgetSchemaBench (arXiv 2610.00092), section 3 and appendix A.
    """
    order = subject.ranker(settings.ranker, settings.representation)(question.text)
    gold = subject.gold_tables(question)
    cap = subject.cap(settings.budget)
    fixed = settings.condition == "fixed_tables"
    costs = subject.largest if fixed else subject.texts(settings.representation).tokens
    packed = choose(settings.condition, order, gold, costs, cap)
    hidden = gold if settings.condition == "remove_gold" else []
    parts = list(_parts(subject, settings, packed, hidden))
    measures = {
        "prompt_tokens": float(sum(tokens for _, tokens in parts)),
        "cap_tokens": float(cap),
        "tables_shown": float(len(packed.tables)),
        "tables_skipped": float(packed.skipped),
        **_recall(subject, question, packed),
    }
    if settings.condition in ("frozen_gold", "fixed_tables"):
        measures["gold_over_cap"] = float(costs[gold].sum() > cap)
    return Shown(texts=tuple(text for text, _ in parts), measures=measures)


def _parts(
    subject: Subject, settings: Settings, packed: Packed, hidden: list[int]
) -> Iterator[tuple[str, int]]:
    """Yield the text of each table with its tokens, which add up: see `represent.render`."""
    made = subject.texts(settings.representation, settings.names)
    removed = {subject.schema.tables[number].pooled for number in hidden}
    count = find_tokenizer(TOKENIZER)
    for number in packed.tables:
        table = subject.schema.tables[number]
        if any(table.sibling(key.parent) in removed for key in table.keys):
            # A reference would give away the name of a table that was taken out.
            values = subject.values.get(table.name, NO_VALUES)
            text = render(table, settings.representation, subject.naming(settings.names), values, removed)
            yield text, count(text)
        else:
            yield made.texts[number], int(made.tokens[number])


def _recall(subject: Subject, question: Question, packed: Packed) -> dict[str, float]:
    """Return the share of gold's tables and columns that are shown; a table's columns all are with it."""
    labels = subject.labels[question.id]
    shown = {subject.schema.tables[number].name for number in packed.tables}
    parts = {"table_recall": list(labels.tables), "column_recall": [label.table for label in labels.columns]}
    for role in ROLES:
        parts[f"column_recall_{role}"] = [label.table for label in labels.columns if role in label.roles]
    return {
        name: sum(table in shown for table in tables) / len(tables)
        for name, tables in parts.items()
        if tables
    }
