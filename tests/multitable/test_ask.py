"""What a question says besides its template: the rule on missing values, wherever one is missing."""

from functools import cache

import pytest

from warebench.queries.compose.wording import LEFT_OUT
from warebench.questions.model import QuestionSet
from warebench.tracks.multitable.ask import MISSING, lacks_values
from warebench.tracks.multitable.build import Options, build
from warebench.worlds import make_world
from warebench.worlds.questions import library


@cache
def built(mess: bool) -> QuestionSet:
    options = Options(windows=("8K",), instances=1, databases=("restaurant", "movie"), mess=mess)
    return build([], options)


@pytest.mark.parametrize("mess", [False, True])
def test_the_rule_on_missing_values_stands_where_a_value_is_missing(mess: bool) -> None:
    made = built(mess)
    templates = {template.name: template for name in ("restaurant", "movie") for template in library()[name]}
    said = []
    for question in made.questions:
        query = templates[str(question.facets["template"])].query
        lacking = lacks_values(made.databases[question.context], query)
        assert (MISSING in question.text or LEFT_OUT in question.text) == lacking, question.text
        said.append(lacking)
    assert mess in said
    assert not all(said) or mess


def test_a_missing_key_counts_as_missing() -> None:
    world = make_world("restaurant", seed=3, scale=0.05, mess=True)
    assert lacks_values(world, library()["restaurant"][0].query)
