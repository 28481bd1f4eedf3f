"""Cookbook: recipes with their nutrition, and the lines (Quantity) that list their ingredients.

A recipe has one nutrition entry at most, so quantities of either may be added up over both; it has several
ingredient lines, so over those only lines are counted.
"""

from warebench.queries.model import (
    Correlation,
    Count,
    Filter,
    Join,
    Mean,
    Measure,
    Query,
    Top,
    Total,
    Value,
    Want,
)
from warebench.queries.template import Parameter, Template

RECIPE = Join(table="Recipe", alias="recipe", on=(("nutrition.recipe_id", "recipe_id"),))
RECIPE_OF_LINE = Join(table="Recipe", alias="recipe", on=(("line.recipe_id", "recipe_id"),))
INGREDIENT = Join(table="Ingredient", alias="ingredient", on=(("line.ingredient_id", "ingredient_id"),))

COOKS_AT_LEAST = Filter(column="recipe.cook_min", op=">=", parameter="minutes")
COOKS_AT_MOST = Filter(column="recipe.cook_min", op="<=", parameter="minutes")
PREPARED_IN = Filter(column="recipe.prep_min", op="<=", parameter="prep")
FOR_SERVINGS = Filter(column="recipe.servings", op="=", parameter="servings")
NOT_SERVINGS = Filter(column="recipe.servings", op="<>", parameter="servings")
NOT_SOURCE = Filter(column="recipe.source", op="<>", parameter="source")

COOK = Parameter(name="minutes", column="recipe.cook_min", kind="threshold")
PREP = Parameter(name="prep", column="recipe.prep_min", kind="threshold")
SERVINGS = Parameter(name="servings", column="recipe.servings")
SOURCE = Parameter(name="source", column="recipe.source")

CALORIES = Measure(column="nutrition.calories")
COOK_MINUTES = Measure(column="recipe.cook_min")
PREP_MINUTES = Measure(column="recipe.prep_min")


def _recipes(*, filters: tuple[Filter, ...], want: Want) -> Query:
    return Query(table="Nutrition", alias="nutrition", joins=(RECIPE,), filters=filters, want=want)


def _lines(*joins: Join, filters: tuple[Filter, ...], want: Want) -> Query:
    return Query(table="Quantity", alias="line", joins=joins, filters=filters, want=want)


TEMPLATES: tuple[Template, ...] = (
    Template(
        database="cookbook",
        subcategory="EL",
        number=1,
        text=(
            "In which unit (column unit of Quantity) is the ingredient {ingredient} measured in the recipe "
            "{title}?"
        ),
        query=_lines(
            RECIPE_OF_LINE,
            INGREDIENT,
            filters=(
                Filter(column="ingredient.name", op="=", parameter="ingredient"),
                Filter(column="recipe.title", op="=", parameter="title"),
            ),
            want=Value("line.unit"),
        ),
        parameters=(
            Parameter(name="ingredient", column="ingredient.name"),
            Parameter(name="title", column="recipe.title"),
        ),
    ),
    Template(
        database="cookbook",
        subcategory="EL",
        number=2,
        text=(
            "Which source (column source) is given for the recipe whose nutrition lists {calories} calories "
            "and a sodium content of {sodium}?"
        ),
        query=_recipes(
            filters=(
                Filter(column="nutrition.calories", op="=", parameter="calories"),
                Filter(column="nutrition.sodium", op="=", parameter="sodium"),
            ),
            want=Value("recipe.source"),
        ),
        parameters=(
            Parameter(name="calories", column="nutrition.calories"),
            Parameter(name="sodium", column="nutrition.sodium"),
        ),
    ),
    Template(
        database="cookbook",
        subcategory="TS",
        number=1,
        text=(
            "Considering only recipes with at most {sodium} of sodium (sodium) and at least {fiber} of "
            "fiber (fiber), for which source (column source) do the recipes have the most sodium in total?"
        ),
        query=_recipes(
            filters=(
                Filter(column="nutrition.sodium", op="<=", parameter="sodium"),
                Filter(column="nutrition.fiber", op=">=", parameter="fiber"),
            ),
            want=Top("recipe.source", Total(Measure(column="nutrition.sodium"))),
        ),
        parameters=(
            Parameter(name="sodium", column="nutrition.sodium", kind="threshold"),
            Parameter(name="fiber", column="nutrition.fiber", kind="threshold"),
        ),
    ),
    Template(
        database="cookbook",
        subcategory="TS",
        number=2,
        text=(
            "Leaving out recipes for {servings} servings and considering only recipes that take at least "
            "{minutes} minutes to cook (cook_min), which subtitle (subtitle) has the lowest average "
            "vitamin C content (vitamin_c) over its recipes?"
        ),
        query=_recipes(
            filters=(NOT_SERVINGS, COOKS_AT_LEAST),
            want=Top("recipe.subtitle", Mean(Measure(column="nutrition.vitamin_c")), highest=False),
        ),
        parameters=(SERVINGS, COOK),
    ),
    Template(
        database="cookbook",
        subcategory="CNT",
        number=1,
        text=(
            "How many ingredient lines (rows of Quantity) with a max_qty of at least {amount} belong to "
            "recipes that take at most {prep} minutes to prepare (prep_min)?"
        ),
        query=_lines(
            RECIPE_OF_LINE,
            filters=(Filter(column="line.max_qty", op=">=", parameter="amount"), PREPARED_IN),
            want=Count(),
        ),
        parameters=(Parameter(name="amount", column="line.max_qty", kind="threshold"), PREP),
        unit="lines",
    ),
    Template(
        database="cookbook",
        subcategory="CNT",
        number=2,
        text=(
            "How many recipes with at least {servings} servings (servings) have a protein content (protein) "
            "of at least {protein}?"
        ),
        query=_recipes(
            filters=(
                Filter(column="recipe.servings", op=">=", parameter="servings"),
                Filter(column="nutrition.protein", op=">=", parameter="protein"),
            ),
            want=Count(),
        ),
        parameters=(
            Parameter(name="servings", column="recipe.servings", kind="threshold"),
            Parameter(name="protein", column="nutrition.protein", kind="threshold"),
        ),
        unit="recipes",
    ),
    Template(
        database="cookbook",
        subcategory="SUM",
        number=1,
        text=(
            "Leaving out recipes for {servings} servings, what is the total cooking time in minutes "
            "(cook_min) of the recipes with at least {fat} of total fat (total_fat)?"
        ),
        query=_recipes(
            filters=(NOT_SERVINGS, Filter(column="nutrition.total_fat", op=">=", parameter="fat")),
            want=Total(COOK_MINUTES),
        ),
        parameters=(SERVINGS, Parameter(name="fat", column="nutrition.total_fat", kind="threshold")),
        unit="minutes",
    ),
    Template(
        database="cookbook",
        subcategory="SUM",
        number=2,
        text=(
            "How many servings (servings) do the recipes with a sodium content (sodium) of at most {sodium} "
            "from any source (column source) but {source} make in total?"
        ),
        query=_recipes(
            filters=(Filter(column="nutrition.sodium", op="<=", parameter="sodium"), NOT_SOURCE),
            want=Total(Measure(column="recipe.servings")),
        ),
        parameters=(Parameter(name="sodium", column="nutrition.sodium", kind="threshold"), SOURCE),
        unit="servings",
    ),
    Template(
        database="cookbook",
        subcategory="AVG",
        number=1,
        text=(
            "Leaving out recipes for {servings} servings, what is the average number of calories (calories) "
            "of the recipes that take at most {minutes} minutes to cook (cook_min)?"
        ),
        query=_recipes(filters=(NOT_SERVINGS, COOKS_AT_MOST), want=Mean(CALORIES)),
        parameters=(SERVINGS, COOK),
        unit="calories",
    ),
    Template(
        database="cookbook",
        subcategory="AVG",
        number=2,
        text=(
            "What is the average preparation time in minutes (prep_min) of the recipes from any source "
            "(column source) but {source} that get at least {percent} percent of their calories from fat "
            "(pcnt_cal_fat)?"
        ),
        query=_recipes(
            filters=(NOT_SOURCE, Filter(column="nutrition.pcnt_cal_fat", op=">=", parameter="percent")),
            want=Mean(PREP_MINUTES),
        ),
        parameters=(SOURCE, Parameter(name="percent", column="nutrition.pcnt_cal_fat", kind="threshold")),
        unit="minutes",
    ),
    Template(
        database="cookbook",
        subcategory="CC",
        number=1,
        text=(
            "How much higher is the average number of calories (calories) of the recipes for {a} servings "
            "than that of the recipes for {b} servings (negative if it is lower)?"
        ),
        query=_recipes(filters=(FOR_SERVINGS,), want=Mean(CALORIES)),
        parameters=(SERVINGS,),
        contrast="servings",
        unit="calories",
    ),
    Template(
        database="cookbook",
        subcategory="CC",
        number=2,
        text=(
            "Leaving out ingredient lines (rows of Quantity) with an ingredient of the category {category}, "
            "how many more lines belong to recipes for {a} servings than to recipes for {b} servings "
            "(negative if fewer)?"
        ),
        query=_lines(
            RECIPE_OF_LINE,
            INGREDIENT,
            filters=(Filter(column="ingredient.category", op="<>", parameter="category"), FOR_SERVINGS),
            want=Count(),
        ),
        parameters=(Parameter(name="category", column="ingredient.category"), SERVINGS),
        contrast="servings",
        unit="lines",
    ),
    Template(
        database="cookbook",
        subcategory="COR",
        number=1,
        text=(
            "What is the Pearson correlation between cooking time (cook_min) and calories (calories) over "
            "the recipes from any source (column source) but {source}?"
        ),
        query=_recipes(
            filters=(NOT_SOURCE,),
            want=Correlation(COOK_MINUTES, CALORIES),
        ),
        parameters=(SOURCE,),
    ),
    Template(
        database="cookbook",
        subcategory="COR",
        number=2,
        text=(
            "What is the Pearson correlation between protein (protein) and cholesterol (cholestrl) over the "
            "recipes for any number of servings but {servings} that take at least {minutes} minutes to cook "
            "(cook_min)?"
        ),
        query=_recipes(
            filters=(NOT_SERVINGS, COOKS_AT_LEAST),
            want=Correlation(Measure(column="nutrition.protein"), Measure(column="nutrition.cholestrl")),
        ),
        parameters=(SERVINGS, COOK),
    ),
)
