"""The multitable track's entry in TRACKS."""

from warebench.queries.template import SUBCATEGORIES, Subcategory
from warebench.questions.track import Kind, Track
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
    rows=True,
)
"""TQA-Bench (arXiv 2411.19504)."""
