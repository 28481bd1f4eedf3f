"""What is odd about a pool: told when a set is built, and again when it is checked."""

from collections.abc import Iterator

from warebench.questions.check import Finding
from warebench.questions.model import QuestionSet


def remark_set(question_set: QuestionSet) -> Iterator[Finding]:
    """Yield a warning where a pool holds one database: a budget chooses among the tables of many."""
    if len(question_set.catalogs) == 1:
        (name,) = question_set.catalogs
        yield Finding(
            code="WB013",
            where=name,
            message="nothing competes with this database for the budget; give a folder of several",
            severity="warning",
        )
