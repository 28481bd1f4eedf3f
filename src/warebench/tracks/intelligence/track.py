"""The intelligence track's entry in TRACKS."""

from warebench.questions.track import Experiment, Kind, Track
from warebench.tracks.intelligence.analyses.types import TYPES
from warebench.tracks.intelligence.build import Options, build
from warebench.tracks.intelligence.certify import prove_set
from warebench.tracks.intelligence.emptiness import remark_set

METHODS = {
    "agent": "tools that search and read documents and execute SQL, the schema in the prompt, 20 turns",
    "question": "the question alone: for an agent with its own way to the data; of a model, what it guesses",
    "oracle": "the gold answer in the prompt: the ceiling of reading and format",
}
"""The paper's agent (DI-Bench, section 4.1) and the oracle, in the order of a report."""

POLICIES = {
    "applies_rules": "reads the rules and executes the SQL of the certificate",
    "ignores_rules": "executes the standard definition and looks at no rule",
    "retrieves_not_applies": "reads the rules and executes the standard definition",
    "misapplies": "reads the rules, and forgets one of several or misreads the only one",
}

EXPERIMENTS = (
    Experiment(
        name="tiers",
        asks="How far does accuracy fall from what documents state to metrics on data, and to metrics under "
        "rules? (DI-Bench, section 4.2, Figure 2)",
        runs=({"method": "agent"},),
    ),
    Experiment(
        name="rule_application",
        asks="Is a rule hard to find or hard to apply? The same questions with rules to find, with their "
        "documents in the prompt, and without rules. (DI-Bench, section 5, Table 5)",
        runs=tuple({"method": "agent", "condition": name} for name in ("rule", "oracle_rule", "no_rule")),
    ),
)
"""The paper's two comparisons of one agent with itself."""

INTELLIGENCE = Track(
    name="intelligence",
    title="business metrics whose answers change with rule documents",
    subtypes=tuple(
        Kind(
            name=kind.name,
            category=" ".join(kind.operators).lower(),
            difficulty=kind.difficulty,
            asks=kind.asks,
        )
        for kind in TYPES
    ),
    methods=METHODS,
    task="warebench.tracks.intelligence.tasks:warebench_intelligence",
    options=Options,
    build=build,
    prove=prove_set,
    remark=remark_set,
    experiments=EXPERIMENTS,
    rows=True,
    policies=POLICIES,
)
"""DI-Bench (arXiv 2609.05776)."""
