"""One dirty cell costs its own value, not its column."""

import pytest
from tests.queries.compose_schemas import chance, check, database_of

from warebench.queries.bind import bind
from warebench.queries.compose.compose import compose_set
from warebench.queries.compose.profile import profile
from warebench.queries.solve import join_rows

TOWNS = [f"Town{chr(65 + at // 26)}{chr(65 + at % 26)}" for at in range(60)]


def shops(towns):
    """Return shops in towns, and sales in them."""
    rng = chance(3)
    count = len(towns)
    return database_of(
        {
            "shop": {"id": list(range(1, count + 1)), "town": towns},
            "sale": {
                "id": list(range(1, 1001)),
                "shop_id": [rng.randint(1, count) for _ in range(1000)],
                "amount": [round(rng.uniform(1, 500), 2) for _ in range(1000)],
                "qty": [rng.randint(1, 20) for _ in range(1000)],
            },
        },
        [("sale", ["shop_id"], "shop", ["id"])],
    )


@pytest.mark.parametrize(
    ("cell", "barred"),
    [
        ("", [""]),
        ('The "Old" Town', ['The "Old" Town']),
        ("x " * 80, ["x " * 80]),
        ("townAA", ["TownAA", "townAA"]),
        ("n/a", ["n/a"]),
        ("a\nb", ["a\nb"]),
    ],
)
def test_one_dirty_cell_costs_its_value(cell, barred):
    clean, dirty = shops(TOWNS), shops([*TOWNS[:7], cell, *TOWNS[8:]])
    assert list(profile(dirty)["shop"]["town"].barred) == barred
    made = compose_set(dirty, seed=1)
    lost = {item.subtype: item.asked - item.made for item in made.shortfalls}
    before = {item.subtype: item.asked - item.made for item in compose_set(clean, seed=1).shortfalls}
    # "other than Rome" could mean a shop in "n/a" or not: nothing else is lost.
    assert {name for name in lost if lost[name] > before.get(name, 0)} <= {"COR"}
    assert check(dirty, made.templates) >= 40
    asked = 0
    for template in made.templates:
        for bound in bind(template, join_rows(dirty, template.query), 10, chance()):
            asked += 1
            used = {value for binding in bound.bindings for value in binding.values()}
            assert not {*used, bound.outcome} & set(barred)
    assert asked


def test_the_rule_of_the_bundled_pool_stays():
    dirty = shops([*TOWNS[:7], "", *TOWNS[8:]])
    assert profile(dirty)["shop"]["town"].label
    assert not profile(dirty, by_name=True)["shop"]["town"].label


@pytest.mark.parametrize("count", [30, 60])
def test_a_column_of_dirt_is_no_category(count):
    towns = [f'"{town}"' if at < count else town for at, town in enumerate(TOWNS)]
    assert not profile(shops(towns))["shop"]["town"].category
