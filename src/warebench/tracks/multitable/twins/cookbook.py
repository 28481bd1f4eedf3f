"""cookbook: recipes, their nutrition and their ingredients; BIRD's names and shape."""

import numpy as np

from warebench.engine.synthetic.columns import glue, take
from warebench.engine.synthetic.draw import (
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
from warebench.engine.synthetic.names import SURNAMES, phrases, unique, words
from warebench.engine.synthetic.plan import Plan
from warebench.engine.synthetic.schema import Columns, table
from warebench.tracks.multitable.twins.schema import declare

INGREDIENT = table(
    "Ingredient",
    key="ingredient_id",
    columns="""
    ingredient_id: INTEGER
    category: VARCHAR?
    name: VARCHAR name
    plural: VARCHAR?
    """,
)
RECIPE = table(
    "Recipe",
    key="recipe_id",
    columns="""
    recipe_id: INTEGER
    title: VARCHAR name
    subtitle: VARCHAR?
    servings: INTEGER? measure
    yield_unit: VARCHAR?
    prep_min: INTEGER? measure
    cook_min: INTEGER? measure
    stnd_min: INTEGER? measure
    source: VARCHAR?
    intro: VARCHAR? prose
    directions: VARCHAR? prose
    """,
)
NUTRITION = table(
    "Nutrition",
    key="recipe_id",
    columns="""
    recipe_id: INTEGER
    protein: DECIMAL(8,2)? measure
    carbo: DECIMAL(8,2)? measure
    alcohol: DECIMAL(8,2)? measure
    total_fat: DECIMAL(8,2)? measure
    sat_fat: DECIMAL(8,2)? measure
    cholestrl: DECIMAL(8,2)? measure
    sodium: DECIMAL(8,2)? measure
    iron: DECIMAL(8,2)? measure
    vitamin_c: DECIMAL(8,2)? measure
    vitamin_a: DECIMAL(8,2)? measure
    fiber: DECIMAL(8,2)? measure
    pcnt_cal_carb: DECIMAL(8,2)? measure
    pcnt_cal_fat: DECIMAL(8,2)? measure
    pcnt_cal_prot: DECIMAL(8,2)? measure
    calories: DECIMAL(8,2)? measure
    """,
)
QUANTITY = table(
    "Quantity",
    key="quantity_id",
    columns="""
    quantity_id: INTEGER
    recipe_id: INTEGER
    ingredient_id: INTEGER?
    max_qty: DECIMAL(8,2)? measure
    min_qty: DECIMAL(8,2)? measure
    unit: VARCHAR?
    preparation: VARCHAR?
    optional: BOOLEAN
    """,
)

WAYS = words(
    """
    Baked Braised Candied Charred Chilled Creamed Crisp Curried Glazed Grilled Herbed Honeyed Marinated
    Pickled Poached Roasted Seared Smoked Spiced Steamed Stewed Stuffed Toasted Whipped
    """
)
BASES = words(
    """
    Apple Apricot Artichoke Asparagus Barley Bean Beet Cabbage Carrot Cauliflower Chicken Chickpea Cod
    Corn Crab Eggplant Fennel Halibut Lamb Leek Lentil Lobster Mushroom Okra Onion Parsnip Pear Pepper
    Plum Pork Potato Pumpkin Quinoa Rice Salmon Shrimp Spinach Squash Tofu Tomato Trout Turkey Turnip
    Walnut Zucchini
    """
)
DISHES = words(
    "Bake Bowl Casserole Chowder Cobbler Gratin Pie Pilaf Ragout Risotto Salad Skillet Soup Stew Tart"
)
VARIETIES = words(
    """
    Amber Black Coastal Dwarf Early Giant Golden Green Heirloom Ivory Late Purple Red Striped Sweet Tart
    White Wild Winter Yellow
    """
)
FORMS = (
    "blossom",
    "flour",
    "juice",
    "leaf",
    "oil",
    "paste",
    "powder",
    "root",
    "seed",
    "syrup",
    "vinegar",
    "zest",
)
AISLES = words(
    """
    fresh.vegetables fresh.fruit dairy baking canned.goods condiments spices seafood poultry meat pasta
    grains frozen nuts beverages
    """
)
UNITS = (
    "cup(s)",
    "tablespoon(s)",
    "teaspoon(s)",
    "ounce(s)",
    "pound(s)",
    "clove(s)",
    "slice(s)",
    "pinch(es)",
)
CUTS = (
    "chopped",
    "minced",
    "sliced",
    "diced",
    "melted",
    "drained",
    "grated",
    "peeled and cubed",
    "at room temperature",
)
STEPS = (
    ("Heat the oven to 375 degrees.", "Warm a heavy pan over a low flame.", "Soak everything overnight."),
    ("Stir in the dry ingredients slowly.", "Fold in the vegetables.", "Brown on all sides, then cover."),
    ("Simmer until tender.", "Bake until golden.", "Chill for two hours.", "Cook until it coats a spoon."),
    ("Serve at once.", "Serve with bread.", "Garnish with herbs and serve.", "Let rest before cutting."),
)
PRAISE = (
    ("A weekday favourite", "A dish for guests", "An old farm recipe", "A light lunch", "A hearty supper"),
    (
        "that keeps for days.",
        "that children like.",
        "with little work.",
        "for the end of summer.",
        "from leftovers.",
    ),
)


def make_ingredients(plan: Plan) -> Columns:
    """Draw the ingredients."""
    rng, size = plan.generator("Ingredient"), plan.rows["Ingredient"]
    bases = [base.lower() for base in BASES]
    names = unique(rng, size, [word.lower() for word in VARIETIES], bases, FORMS)
    return {
        "ingredient_id": np.arange(1, size + 1),
        "category": take(AISLES, zipf(rng, size, len(AISLES), 0.8)),
        "name": names,
        "plural": glue(names, "s"),
    }


def make_recipes(plan: Plan) -> Columns:
    """Draw the recipes: what is long to prepare is long to cook."""
    rng, size = plan.generator("Recipe"), plan.rows["Recipe"]
    effort = rng.standard_normal(size)
    return {
        "recipe_id": _ids(plan),
        "title": unique(rng, size, WAYS, BASES, DISHES),
        "subtitle": phrases(
            rng, size, ("with", "in", "over"), ("mustard sauce", "wild herbs", "brown butter", "broth")
        ),
        "servings": np.array([1, 2, 4, 6, 8, 10, 12])[zipf(rng, size, 7, 0.8)],
        "yield_unit": take(("servings", "cups", "pieces", "loaves"), zipf(rng, size, 4, 2.5)),
        "prep_min": whole(lognormal(effort, 18.0, 0.6, 2, 180)),
        "cook_min": whole(lognormal(correlated(rng, effort, 0.6), 32.0, 0.7, 0, 480)),
        "stnd_min": 5 * rng.integers(0, 25, size=size),
        "source": glue(take(SURNAMES, rng.integers(len(SURNAMES), size=size)), "Test Kitchen", between=" "),
        "intro": phrases(rng, size, *PRAISE),
        "directions": phrases(rng, size, *STEPS),
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
        "unit": take(UNITS, zipf(rng, size, len(UNITS), 0.9)),
        "preparation": take(CUTS, zipf(rng, size, len(CUTS), 0.9)),
        "optional": rng.random(size) < 0.06,
    }


COOKBOOK = declare(
    "cookbook",
    "recipes, nutrition and ingredients",
    (
        (INGREDIENT, 3_346, make_ingredients),
        (RECIPE, 1_031, make_recipes),
        (NUTRITION, 878, make_nutrition),
        (QUANTITY, 5_116, make_quantities),
    ),
    (
        "Nutrition(recipe_id) -> Recipe(recipe_id)",
        "Quantity(recipe_id) -> Recipe(recipe_id)",
        "Quantity(ingredient_id) -> Ingredient(ingredient_id)",
    ),
    1.0,
)
