"""Options give nothing away, and the gold SQL is right through whatever executes it."""

import math
from itertools import product

import pytest
from tests.multitable.shop import shop_set

from warebench.engine.run import Rows, run_query
from warebench.harness.models.policy import Move
from warebench.tracks.multitable import build as building
from warebench.tracks.multitable.build import Options, build
from warebench.tracks.multitable.policies import GUESSES, POLICIES, gold_sql
from warebench.tracks.multitable.track import CATEGORIES

NUMERIC = ("CNT", "SUM", "AVG", "CC", "COR")


@pytest.fixture(scope="module")
def questions():
    """Default-profile questions about all ten twins at 8K."""
    return build([], Options(windows=("8K",), instances=3, size=2, seed=3)).questions


@pytest.fixture(scope="module")
def paper():
    """The paper's options, on fewer instances than the paper's."""
    small = pytest.MonkeyPatch()
    small.setattr(building, "PAPER", {})
    options = Options(profile="paper", windows=("8K",), instances=1, size=2, databases=("airline", "movie"))
    made = build([], options).questions
    small.undo()
    return [question for question in made if question.subtype in NUMERIC]


def rate(guess, questions):
    return sum(hits(guess, questions)) / len(questions)


def hits(guess, questions):
    return [_hit(guess, question) for question in questions]


def _hit(guess, question):
    return question.options[guess([option.text for option in question.options])].origin == "gold"


def numbers(options):
    return [float(option) for option in options]


def nearest_pair(options):
    """One of the two numbers that lie closest."""
    values = numbers(options)
    pairs = [(abs(values[a] - values[b]), a) for a, b in product(range(4), repeat=2) if a != b]
    return min(pairs)[1]


def outlier(options):
    values = numbers(options)
    return max(range(4), key=lambda at: sum(abs(values[at] - other) for other in values))


def mirrored(options):
    """A positive number whose negative is there too."""
    values = numbers(options)
    return next((at for at in range(4) if values[at] > 0 and -values[at] in values), 0)


def odd_form(options):
    """The one whole number among fractions, or the one fraction among whole numbers."""
    whole = [value.is_integer() for value in numbers(options)]
    return whole.index(True) if sum(whole) == 1 else whole.index(False) if sum(whole) == 3 else 0


SHREWD = [nearest_pair, outlier, mirrored, odd_form]


def noise(questions):
    """Three standard errors of a guess at one of four."""
    return 3 * math.sqrt(0.25 * 0.75 / len(questions))


@pytest.mark.parametrize("name", GUESSES)
def test_options_alone_give_nothing_away(questions, name):
    assert len(questions) > 800
    assert rate(GUESSES[name], questions) == pytest.approx(0.25, abs=noise(questions))


@pytest.mark.parametrize("guess", SHREWD)
def test_neither_do_distance_sign_and_form(questions, guess):
    numeric = [question for question in questions if question.subtype in NUMERIC]
    assert rate(guess, numeric) == pytest.approx(0.25, abs=noise(numeric))


@pytest.mark.parametrize("subtype", CATEGORIES)
def test_no_subcategory_is_guessed_far_above_chance(questions, subtype):
    mine = [question for question in questions if question.subtype == subtype]
    for guess in GUESSES.values():
        assert rate(guess, mine) < 0.25 + 4 * math.sqrt(0.25 * 0.75 / len(mine))


def test_the_papers_multipliers_give_gold_away(paper):
    assert len(paper) > 30
    assert rate(GUESSES["options_second"], paper) == 1.0
    assert rate(GUESSES["options_smallest"], paper) == 0.0


def test_options_are_four_distinct_numbers_of_one_form(questions):
    for question in questions:
        texts = [option.text for option in question.options]
        assert len(set(texts)) == 4
        assert [option.origin for option in question.options].count("gold") == 1
        if question.subtype in NUMERIC:
            assert len({text.partition(".")[2] == "" for text in texts}) == 1


def test_every_letter_is_as_often_right(questions):
    for letter in range(4):
        assert rate(lambda options, at=letter: at, questions) == pytest.approx(0.25, abs=noise(questions))


def test_the_gold_sql_finds_gold(questions):
    for question in (*shop_set(2).questions[::3], *()):
        found = run_query(shop_set(2).databases[question.context], gold_sql(question))
        assert isinstance(found, Rows)
        ((cell,),) = found.rows
        value = question.gold.value
        assert str(cell) == value if isinstance(value, str) else float(cell) == pytest.approx(value)


def test_policies_see_no_more_than_options():
    question = shop_set().questions[0]
    for name in GUESSES:
        assert isinstance(POLICIES[name]([], [], question), Move)
        assert POLICIES[name]([], [], question).text.startswith('{"answer": "')
