"""The multitable track's entry in TRACKS."""

from warebench.queries.template import SUBCATEGORIES, Subcategory
from warebench.questions.track import Experiment, Kind, Track
from warebench.tracks.multitable.ask import DIFFICULTY
from warebench.tracks.multitable.build import Options, build
from warebench.tracks.multitable.certify import prove_set

METHODS = {
    "choice": "the tables in the prompt, four options",
    "open": "the tables in the prompt, the value itself as the answer",
    "single_table": "as choice, but the tables that are needed joined into one",
    "text_to_sql": "the schema in the prompt; the answer is what the model's one SQL query returns",
    "code_agent": "the tables as pandas frames in a sandbox, a few rounds of Python",
    "sql_agent": "tools that show the schema and execute SQL, and a budget of calls",
    "question": "the question alone: for an agent with its own way to the data; of a model, what it guesses",
    "oracle": "the gold answer in the prompt: the ceiling of reading and format",
}
"""The paper's settings (TQA-Bench, section IV), an SQL agent and the oracle, in the order of a report."""

CATEGORIES: dict[Subcategory, str] = {
    "EL": "lookup",
    "TS": "lookup",
    "CNT": "aggregation",
    "SUM": "aggregation",
    "AVG": "aggregation",
    "CC": "complex calculation",
    "COR": "complex calculation",
}
"""TQA-Bench, section II-C."""

ASKS: dict[Subcategory, str] = {
    "EL": "the value of one entity",
    "TS": "the entity or group with the largest or smallest value",
    "CNT": "how many rows or distinct values pass the filters",
    "SUM": "the sum of a measure over the rows that pass",
    "AVG": "the average of a measure over the rows that pass",
    "CC": "the difference between two such answers",
    "COR": "the Pearson correlation of two measures",
}

POLICIES = {
    "options_first": "guesses from the options alone: the first",
    "options_smallest": "guesses from the options alone: the smallest",
    "options_second": "guesses from the options alone: the second smallest magnitude",
    "options_middle": "guesses from the options alone: the one nearest to their mean",
    "options_largest": "guesses from the options alone: the largest",
    "options_longest": "guesses from the options alone: the longest",
    "sql_gold": "executes the SQL of the certificate through text_to_sql and sql_agent",
}

Arguments = dict[str, str | int | float | bool]

ALL_WINDOWS = "8K,16K,32K,64K"
AIRLINE: Arguments = {"windows": "8K", "databases": "airline", "instances": 10, "size": 10}
"""1,400 questions (TQA-Bench, section III-B, statistics of the tasks)."""
POOLED: Arguments = {"windows": ALL_WINDOWS, "instances": 5, "size": 1}
"""700 questions a window over all ten databases (TQA-Bench, same place)."""
HTML: Arguments = {"serialisation": "html", "windows": "8K,16K,32K"}
"""HTML takes about three times the tokens, so the paper stops at 32K (section IV-B)."""

EXPERIMENTS = (
    Experiment(
        name="single-or-multi",
        asks="What does it cost that a question's tables are apart, not merged into one? (TQA-Bench, "
        "Experiment 1)",
        runs=({"method": "choice", **AIRLINE}, {"method": "single_table", **AIRLINE}),
    ),
    Experiment(
        name="serialisation",
        asks="Which way of writing tables do models read best? (TQA-Bench, Experiment 2)",
        runs=(
            *({"method": "choice", **POOLED, "serialisation": form} for form in ("markdown", "csv", "json")),
            {"method": "choice", **POOLED, **HTML},
        ),
    ),
    Experiment(
        name="context-length",
        asks="How do subcategories fall as the tables grow from 8K to 64K, read directly or through code? "
        "(TQA-Bench, Experiment 3)",
        runs=({"method": "choice", **POOLED}, {"method": "code_agent", **POOLED}),
    ),
    Experiment(
        name="stability",
        asks="How far does accuracy move between instances of one database? (TQA-Bench, Experiment 4)",
        runs=({"method": "choice", **AIRLINE},),
    ),
    Experiment(
        name="direct-or-sql",
        asks="Is it better to show the rows or to have a query written? (TQA-Bench, Experiment 5)",
        runs=({"method": "choice", **POOLED}, {"method": "text_to_sql", **POOLED}),
    ),
)
"""The paper's five (section III-B); each is one command, and `-T` overrides any of its arguments."""

MULTITABLE = Track(
    name="multitable",
    title="questions over several tables in a prompt of 8K to 64K tokens",
    subtypes=tuple(
        Kind(name=name, category=CATEGORIES[name], difficulty=DIFFICULTY[name], asks=ASKS[name])
        for name in SUBCATEGORIES
    ),
    methods=METHODS,
    task="warebench.tracks.multitable.tasks:warebench_multitable",
    options=Options,
    build=build,
    prove=prove_set,
    experiments=EXPERIMENTS,
    rows=True,
    policies=POLICIES,
    queries={"text_to_sql": "sql_gold"},
)
"""TQA-Bench (arXiv 2411.19504)."""
