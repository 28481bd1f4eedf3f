"""Paraphrases avoid the words of the schema, and change nothing else."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.budget.pools import write_spider

from warebench.engine.collection import read_collection
from warebench.tracks.budget.build import Options, build
from warebench.tracks.budget.left_out import read_left_out
from warebench.tracks.budget.paraphrase import replace_words
from warebench.tracks.budget.rank.words import words
from warebench.tracks.budget.synonyms import read_synonyms


@pytest.mark.parametrize(
    ("text", "named", "taken", "values", "expected"),
    [
        ("How many students?", "student", "", [], "How many learners?"),
        ("Students of a country", "student country", "", [], "Learners of a nation"),
        ("How many students?", "pupil", "", [], "How many students?"),
        ("How many students?", "student", "learner", [], "How many students?"),
        ("Is a car an automobile?", "car", "", [], "Is an automobile an automobile?"),
        ("An employee", "employee", "", [], "A staff member"),
        ("List the ids and first names.", "id first name", "", [], "List the identifiers and given names."),
        ("The last name?", "last name", "last name", [], "The family name?"),
        ("List the people.", "person", "", [], "List the individuals."),
        ("Which 'type' of type?", "type", "", [], "Which 'type' of kind?"),
        ("Is `type` the type?", "type", "", [], "Is `type` the kind?"),
        ("How many cats of pet type cat?", "type", "", ["cat"], "How many cats of pet kind cat?"),
        ("Which dogs are dogs?", "dog", "", ["%dog%"], "Which dogs are dogs?"),
        ("Who sells in the Country Club?", "country", "", [], "Who sells in the Country Club?"),
        ('Type? Country? "Type"', "type country", "", [], 'Kind? Nation? "Type"'),
        ("the student's car-id", "student car id", "", [], "the learner's car-id"),
        ("How many shops' owners", "shop owner", "", [], "How many stores' proprietors"),
        ("populations", "population", "", [], "numbers of inhabitants"),
    ],
)
def test_words(text, named, taken, values, expected):
    found = replace_words(text, named=named.split(), taken=taken.split(), values=values)
    assert found == expected


FORMS = sorted(read_synonyms())


def test_list():
    synonyms = read_synonyms()
    assert all(form == form.lower() and form != entry.other for form, entry in synonyms.items())
    assert all(entry.base in synonyms for entry in synonyms.values())
    assert all(set(words(form)) - set(words(entry.other)) for form, entry in synonyms.items())


@settings(deadline=None)
@given(
    st.lists(st.sampled_from([*FORMS, "the", "of", "'id'", "a", "How", "Type"]), max_size=12),
    st.sets(st.sampled_from(FORMS)),
)
def test_replaced_words_are_gone_and_others_stay(parts, schema):
    text = " ".join(parts)
    named = [word for name in schema for word in words(name)]
    found = replace_words(text, named=named, taken=named, values=[])
    if not named:
        assert found == text
    assert not set(words(found)) & set(named) - set(words(text))
    assert found.count("'id'") == text.count("'id'")


def test_paraphrases_of_a_set(tmp_path):
    folder = write_spider(tmp_path, bad=False)
    made = build([read_collection(f"spider:{folder}")], Options(paraphrase=True))
    pairs = {}
    for question in made.questions:
        pairs.setdefault(question.certificate.parameters["example"], []).append(question)
    reworded = [pair for pair in pairs.values() if len(pair) == 2]
    alone = [str(name) for name, pair in pairs.items() if len(pair) == 1]
    assert [pair[1].text for pair in reworded] == [
        "How many learners are there?",
        "What is the number of learners?",
        "List the names of learners by age.",
        "Which learners from France have which marks?",
    ]
    for first, second in reworded:
        assert (second.variant, second.facets["sibling"]) == ("paraphrase", True)
        assert (second.gold, second.fact, second.certificate) == (first.gold, first.fact, first.certificate)
        assert second.facets["overlap"] < first.facets["overlap"]
    none = [item.where for item in read_left_out(made) if item.reason == "no other words"]
    assert none == alone
