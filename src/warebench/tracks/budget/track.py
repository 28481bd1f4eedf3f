"""The budget track's entry in TRACKS."""

from warebench.questions.track import Experiment, Kind, Track
from warebench.tracks.budget.build import Options, build
from warebench.tracks.budget.certify import examine_set, prove_set
from warebench.tracks.budget.remark import remark_set
from warebench.tracks.budget.subtypes import DIFFICULTY, Subtype

METHODS = {
    "sql": "one prompt with as much of the catalog as the budget allows, and one SELECT",
    "question": "the question alone: for an agent with its own way to the data; of a model, what it guesses",
    "oracle": "the gold query in the prompt: the ceiling of copying and format",
}
"""The paper's solver (BudgetSchemaBench, section 3) and the oracle, in the order of a report."""

ASKS: dict[Subtype, str] = {
    "lookup": "a SELECT over one table",
    "join": "a SELECT over two tables",
    "multi_join": "a SELECT over three tables and more",
    "nested": "a query with a subquery, a common table expression or a set operation",
}

POLICIES = {
    "sql_oracle": "writes the gold query, whatever is shown",
    "copier": "writes the gold query where all its tables are shown, else a query over the first that is",
    "reciter": "writes the gold query where some of its tables are missing, as one who knows it by heart",
    "wrong_namespace": "writes the gold query over another database",
}

BUDGETS = (2.5, 10, 25, 50)
"""Percent of the rich catalog (BudgetSchemaBench, section 3)."""

EXPERIMENTS = (
    Experiment(
        name="budget_sweep",
        asks="How much is a larger share of the catalog worth, under a ranker of words and one of meanings? "
        "(BudgetSchemaBench, section 4, Table 3)",
        runs=tuple(
            {"method": "sql", "ranker": ranker, "budget": budget}
            for ranker in ("lexical", "dense")
            for budget in BUDGETS
        ),
    ),
    Experiment(
        name="representation",
        asks="Is it better to show more tables or to say more of each, where the tables that are needed are "
        "shown? (BudgetSchemaBench, section 4, Table 4)",
        runs=tuple(
            {"method": "sql", "condition": "frozen_gold", "representation": form, "budget": budget}
            for form in ("raw", "enriched", "hybrid")
            for budget in BUDGETS
        ),
    ),
    Experiment(
        name="remove_gold",
        asks="How often is a query right although its tables are not shown, and does it name them? "
        "(BudgetSchemaBench, section 4, the remove-needed-table probe)",
        runs=(
            {"method": "sql", "condition": "end_to_end"},
            {"method": "sql", "condition": "remove_gold"},
        ),
    ),
    Experiment(
        name="unprefixed",
        asks="What is the name of the database before each table worth? (BudgetSchemaBench, appendix A)",
        runs=tuple(
            {"method": "sql", "names": names, "ranker": ranker, "budget": budget}
            for names in ("prefixed", "unprefixed")
            for ranker in ("lexical", "dense")
            for budget in BUDGETS
        ),
    ),
    Experiment(
        name="fixed_tables",
        asks="Do representations differ when all of them show the same tables? (the control that "
        "BudgetSchemaBench, section 3, leaves open)",
        runs=tuple(
            {"method": "sql", "condition": "fixed_tables", "representation": form, "budget": budget}
            for form in ("raw", "enriched", "hybrid")
            for budget in BUDGETS
        ),
    ),
)
"""The paper's three comparisons, its robustness check, and the control it leaves open."""

BUDGET = Track(
    name="budget",
    title="text-to-SQL over many databases, when the schema does not fit in the prompt",
    subtypes=tuple(
        Kind(name=name, category="text-to-SQL", difficulty=DIFFICULTY[name], asks=asks)
        for name, asks in ASKS.items()
    ),
    methods=METHODS,
    task="warebench.tracks.budget.tasks:warebench_budget",
    options=Options,
    build=build,
    prove=prove_set,
    examine=examine_set,
    remark=remark_set,
    experiments=EXPERIMENTS,
    collections=True,
    policies=POLICIES,
    queries={"sql": "sql_oracle"},
)
"""BudgetSchemaBench (arXiv 2610.00092)."""
