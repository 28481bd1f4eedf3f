"""Composed questions of one template and instance with one answer are one fact; all but one are marked."""

from tests.queries.compose_schemas import shop

from warebench.tracks.multitable.build import Options, build


def test_one_answer_of_one_template_is_one_fact():
    made = build([shop()], Options(windows=("8K",), instances=1, size=6, seed=3, workers=1)).questions
    first: dict[str, object] = {}
    for question in made:
        assert question.facets.get("sibling", False) == (question.fact in first)
        assert first.setdefault(question.fact, question.gold) == question.gold
    assert 1 < len(first) < len(made)
