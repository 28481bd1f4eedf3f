"""warebench: benchmarks with provable answers from any data warehouse.

The whole way in Python; each step has a command of the same verb::

    import warebench

    catalog = warebench.read_catalog("shop.duckdb")
    questions = warebench.build_questions("topology", [catalog], size=20, seed=7)
    findings = warebench.check_questions(questions)     # [] when clean
    warebench.write_questions(questions, "sets/topology")
    # warebench run topology --questions sets/topology --model openai/... --log-dir logs
    # warebench score logs
    scores = warebench.read_scores("scores.parquet")
    warebench.write_report(scores, "report")

Every name is loaded when it is first used, so that `import warebench` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from warebench._version import __version__

if TYPE_CHECKING:
    from warebench.catalog.model import Catalog
    from warebench.catalog.read import read_catalog
    from warebench.errors import UserError, WarebenchError
    from warebench.harness.scores import read_scores
    from warebench.questions.model import Question, QuestionSet
    from warebench.questions.store import read_questions, write_questions
    from warebench.report.compare import compare_models
    from warebench.report.render import write_report
    from warebench.tracks.dispatch import build_questions, check_questions

__all__ = [
    "Catalog",
    "Question",
    "QuestionSet",
    "UserError",
    "WarebenchError",
    "__version__",
    "build_questions",
    "check_questions",
    "compare_models",
    "read_catalog",
    "read_questions",
    "read_scores",
    "write_questions",
    "write_report",
]

HOMES: dict[str, str] = {
    "Catalog": "warebench.catalog.model",
    "Question": "warebench.questions.model",
    "QuestionSet": "warebench.questions.model",
    "UserError": "warebench.errors",
    "WarebenchError": "warebench.errors",
    "build_questions": "warebench.tracks.dispatch",
    "check_questions": "warebench.tracks.dispatch",
    "compare_models": "warebench.report.compare",
    "read_catalog": "warebench.catalog.read",
    "read_questions": "warebench.questions.store",
    "read_scores": "warebench.harness.scores",
    "write_questions": "warebench.questions.store",
    "write_report": "warebench.report.render",
}
"""Public name -> module it lives in."""


def __getattr__(name: str) -> object:
    """Load a public name from its home."""
    if name not in HOMES:
        raise AttributeError(f"module 'warebench' has no attribute {name!r}")
    return getattr(import_module(HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
