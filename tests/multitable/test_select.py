"""Which questions are asked: the first instances, so many of each template and instance."""

from collections import Counter

import pytest

from warebench.tracks.multitable.build import Options, build
from warebench.tracks.multitable.select import Choosing, select


@pytest.fixture(scope="module")
def airline():
    """Return two windows of three instances, two questions a template."""
    return build([], Options(databases=("airline",), windows=("8K", "16K"), instances=3, size=2))


def facets(question_set, *names):
    return Counter(tuple(question.facets[name] for name in names) for question in question_set.questions)


def test_everything_by_default(airline):
    assert select(airline, Choosing(seed=7)).questions == airline.questions


@pytest.mark.parametrize("count", [1, 2, 3, 9])
def test_the_first_instances_of_each_window(airline, count):
    found = facets(select(airline, Choosing(seed=7, instances=count)), "window", "instance")
    assert set(found) == {(window, number) for window in ("8K", "16K") for number in range(min(count, 3))}
    assert set(found.values()) == {28}


def test_one_question_of_each_template_and_instance(airline):
    chosen = select(airline, Choosing(seed=7, size=1))
    found = facets(chosen, "window", "instance", "template")
    assert len(found) == 2 * 3 * 14
    assert set(found.values()) == {1}


def test_only_the_databases_that_are_asked_about_are_kept(airline):
    chosen = select(airline, Choosing(seed=7, windows=("8K",), instances=1))
    assert list(chosen.databases) == ["airline-8k-0"]


def test_the_draw_does_not_hang_on_other_choices(airline):
    whole, part = (
        {question.id for question in select(airline, choosing).questions}
        for choosing in (Choosing(seed=7, size=1), Choosing(seed=7, size=1, windows=("16K",)))
    )
    assert part < whole
    assert len(part) == 3 * 14
