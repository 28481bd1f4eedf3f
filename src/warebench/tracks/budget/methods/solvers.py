"""The methods as Inspect solvers: one prompt, one query."""

from collections.abc import Callable

from inspect_ai.model import ChatMessageSystem, ChatMessageUser, get_model
from inspect_ai.solver import Generate, Solver, TaskState, chain, solver
from inspect_ai.util import JSONSchema

from warebench.errors import RunError, did_you_mean
from warebench.harness.current import set_question
from warebench.harness.structured import is_structured, one_key_schema
from warebench.questions.model import Question
from warebench.tracks.budget.methods.asked import Asked, gold_in_prompt, set_asked
from warebench.tracks.budget.methods.shown import show
from warebench.tracks.budget.prompt import SYSTEM, make_prompt, oracle_prompt, question_prompt
from warebench.tracks.budget.scoring.scorer import SCHEMA
from warebench.tracks.budget.settings import Settings
from warebench.tracks.budget.subject import Subject

MakePrompt = Callable[[Subject, Question, Settings], tuple[str, dict[str, float]]]
"""The user message, and the measures of the schema in it."""


def _sql(subject: Subject, question: Question, settings: Settings) -> tuple[str, dict[str, float]]:
    shown = show(subject, question, settings)
    prefixed = settings.names == "prefixed"
    text = make_prompt(shown.texts, question.text, subject.dialect, prefixed=prefixed)
    return text, shown.measures


def _oracle(subject: Subject, question: Question, settings: Settings) -> tuple[str, dict[str, float]]:
    gold = gold_in_prompt(Asked(subject=subject, settings=settings), question)
    return oracle_prompt(gold, question.text), {}


def _question(subject: Subject, question: Question, settings: Settings) -> tuple[str, dict[str, float]]:
    return question_prompt(question.text, subject.dialect, prefixed=settings.names == "prefixed"), {}


METHODS: dict[str, MakePrompt] = {"sql": _sql, "question": _question, "oracle": _oracle}
"""The paper's one prompt (BudgetSchemaBench, section 3), one without any schema, and gold itself."""


def make_solver(name: str, subject: Subject, settings: Settings) -> Solver:
    """Return the solver of a method.

    Raises:
        RunError: There is no such method.
    """
    if name not in METHODS:
        raise RunError(f"unknown method `{name}`", fix=did_you_mean(name, METHODS))
    return chain(set_question(subject.index), ask(subject, METHODS[name], settings), write_query(settings))


@solver
def ask(subject: Subject, make: MakePrompt, settings: Settings) -> Solver:
    """Put the prompt, and note what its schema is worth.

    Args:
        subject: The question set.
        make: What the method shows.
        settings: The condition.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question = subject.question(state.sample_id)
        set_asked(Asked(subject=subject, settings=settings))
        text, measures = make(subject, question, settings)
        state.messages = [ChatMessageSystem(content=SYSTEM), ChatMessageUser(content=text)]
        state.store.set(SCHEMA, measures)
        return state

    return solve


@solver
def write_query(settings: Settings) -> Solver:
    """Let the model write its query in one turn, schema-constrained where that is wanted."""
    schema = one_key_schema("sql", JSONSchema(type="string"))

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if is_structured(settings.structured, get_model()):
            return await generate(state, response_schema=schema)
        return await generate(state)

    return solve
