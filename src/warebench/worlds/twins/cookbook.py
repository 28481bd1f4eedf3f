"""cookbook: recipes, their nutrition and their ingredients; BIRD's names and shape."""

from collections.abc import Mapping

import numpy as np

from warebench.worlds.synthetic.columns import glue, take
from warebench.worlds.synthetic.draw import (
    Floats,
    Ints,
    cents,
    correlated,
    distinct,
    distinct_pairs,
    lognormal,
    popularity,
    weighted,
    whole,
    zipf,
)
from warebench.worlds.synthetic.names import SURNAMES, phrases, unique
from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.synthetic.schema import Columns, Maker


def make_ingredients(plan: Plan) -> Columns:
    """Draw the ingredients."""
    words = plan.words
    rng, size = plan.generator("Ingredient"), plan.rows["Ingredient"]
    bases = [base.lower() for base in words["bases"]]
    names = unique(rng, size, [word.lower() for word in words["varieties"]], bases, words["forms"])
    return {
        "ingredient_id": np.arange(1, size + 1),
        "category": take(words["aisles"], zipf(rng, size, len(words["aisles"]), 0.8)),
        "name": names,
        "plural": glue(names, "s"),
    }


def make_recipes(plan: Plan) -> Columns:
    """Draw the recipes: what is long to prepare is long to cook."""
    lists = plan.lists
    words = plan.words
    rng, size = plan.generator("Recipe"), plan.rows["Recipe"]
    effort = rng.standard_normal(size)
    return {
        "recipe_id": _ids(plan),
        "title": unique(rng, size, words["ways"], words["bases"], words["dishes"]),
        "subtitle": phrases(
            rng, size, ("with", "in", "over"), ("mustard sauce", "wild herbs", "brown butter", "broth")
        ),
        "servings": np.array([1, 2, 4, 6, 8, 10, 12])[zipf(rng, size, 7, 0.8)],
        "yield_unit": take(("servings", "cups", "pieces", "loaves"), zipf(rng, size, 4, 2.5)),
        "prep_min": whole(lognormal(effort, 18.0, 0.6, 2, 180)),
        "cook_min": whole(lognormal(correlated(rng, effort, 0.6), 32.0, 0.7, 0, 480)),
        "stnd_min": 5 * rng.integers(0, 25, size=size),
        "source": glue(take(SURNAMES, rng.integers(len(SURNAMES), size=size)), "Test Kitchen", between=" "),
        "intro": phrases(rng, size, *lists["praise"]),
        "directions": phrases(rng, size, *lists["steps"]),
    }


def _ids(plan: Plan) -> Ints:
    size = plan.rows["Recipe"]
    return 200 + np.sort(distinct(plan.generator("Recipe", "ids"), size, 2 * size))


def make_nutrition(plan: Plan) -> Columns:
    """Draw what a serving holds: calories follow from fat, carbohydrate, protein and alcohol."""
    rng = plan.generator("Nutrition")
    size = min(plan.rows["Nutrition"], plan.rows["Recipe"])
    rich = rng.standard_normal(size)
    fat, protein = correlated(rng, rich, 0.75), correlated(rng, rich, 0.65)
    green = rng.standard_normal(size)
    grams = {
        "protein": cents(lognormal(protein, 12.0, 0.7, 0.1, 120)),
        "carbo": cents(lognormal(correlated(rng, rich, 0.3), 26.0, 0.6, 0.5, 250)),
        "alcohol": cents(np.where(rng.random(size) < 0.12, rng.exponential(3.0, size=size), 0.0)),
        "total_fat": cents(lognormal(fat, 10.0, 0.7, 0.1, 130)),
    }
    share = np.clip(0.36 + 0.1 * rng.standard_normal(size), 0.08, 0.8)
    return {
        "recipe_id": _ids(plan)[np.sort(distinct(rng, size, plan.rows["Recipe"]))],
        **grams,
        "sat_fat": cents(grams["total_fat"] * share),
        "cholestrl": cents(lognormal(correlated(rng, protein, 0.6), 38.0, 0.8, 0, 600)),
        "sodium": cents(lognormal(correlated(rng, rich, 0.5), 420.0, 0.7, 2, 4_000)),
        "iron": cents(lognormal(correlated(rng, protein, 0.5), 2.1, 0.6, 0.02, 30)),
        "vitamin_c": cents(lognormal(green, 16.0, 0.8, 0, 300)),
        "vitamin_a": cents(lognormal(correlated(rng, green, 0.65), 900.0, 0.8, 0, 15_000)),
        "fiber": cents(lognormal(correlated(rng, green, 0.5), 2.8, 0.6, 0, 40)),
        **_energy(grams["protein"], grams["carbo"], grams["alcohol"], grams["total_fat"]),
    }


def _energy(protein: Floats, carbo: Floats, alcohol: Floats, fat: Floats) -> Columns:
    calories = 4 * protein + 4 * carbo + 7 * alcohol + 9 * fat
    return {
        "calories": cents(calories),
        "pcnt_cal_carb": cents(400 * carbo / calories),
        "pcnt_cal_fat": cents(900 * fat / calories),
        "pcnt_cal_prot": cents(400 * protein / calories),
    }


def make_quantities(plan: Plan) -> Columns:
    """Draw what goes into each recipe, nothing twice."""
    words = plan.words
    rng, size = plan.generator("Quantity"), plan.rows["Quantity"]
    shape = plan.rows["Recipe"], plan.rows["Ingredient"]
    common = popularity(rng, shape[1], plan.exponent)

    def propose(count: int) -> tuple[Ints, Ints]:
        return rng.integers(shape[0], size=count), weighted(rng, count, common)

    recipe, ingredient = distinct_pairs(rng, size, shape, propose)
    least = whole(lognormal(rng.standard_normal(size), 4.0, 0.7, 1, 40)) / 4
    return {
        "quantity_id": np.arange(1, size + 1),
        "recipe_id": _ids(plan)[recipe],
        "ingredient_id": 1 + ingredient,
        "max_qty": least + np.where(rng.random(size) < 0.15, 0.5, 0.0),
        "min_qty": least,
        "unit": take(words["units"], zipf(rng, size, len(words["units"]), 0.9)),
        "preparation": take(words["cuts"], zipf(rng, size, len(words["cuts"]), 0.9)),
        "optional": rng.random(size) < 0.06,
    }


MAKERS: Mapping[str, Maker] = {
    "Ingredient": make_ingredients,
    "Recipe": make_recipes,
    "Nutrition": make_nutrition,
    "Quantity": make_quantities,
}
