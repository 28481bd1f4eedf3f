"""Restaurant: restaurants (generalinfo), their addresses (location) and the counties of their cities.

A restaurant has one address at most and one city, so a review counts once in every join.
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

RESTAURANT = Join(table="generalinfo", alias="restaurant", on=(("address.id_restaurant", "id_restaurant"),))
AREA = Join(table="geographic", alias="area", on=(("restaurant.city", "city"),))
AREA_OF_ADDRESS = Join(table="geographic", alias="area", on=(("address.city", "city"),))

IN_COUNTY = Filter(column="area.county", op="=", parameter="county")
IN_REGION = Filter(column="area.region", op="=", parameter="region")
NOT_FOOD = Filter(column="restaurant.food_type", op="<>", parameter="food")
FROM_NUMBER = Filter(column="address.street_num", op=">=", parameter="number")
TO_NUMBER = Filter(column="address.street_num", op="<=", parameter="number")

COUNTY = Parameter(name="county", column="area.county")
REGION = Parameter(name="region", column="area.region")
FOOD = Parameter(name="food", column="restaurant.food_type")
STREET_NUMBER = Parameter(name="number", column="address.street_num", kind="threshold")
MIN_REVIEW = Parameter(name="review", column="restaurant.review", kind="threshold")

REVIEW = Measure(column="restaurant.review")
HOUSE = Measure(column="address.street_num")


def _restaurants(*, filters: tuple[Filter, ...], want: Want) -> Query:
    return Query(table="generalinfo", alias="restaurant", joins=(AREA,), filters=filters, want=want)


def _addresses(*joins: Join, filters: tuple[Filter, ...], want: Want) -> Query:
    return Query(table="location", alias="address", joins=joins, filters=filters, want=want)


TEMPLATES: tuple[Template, ...] = (
    Template(
        database="restaurant",
        subcategory="EL",
        number=1,
        text="In which county is the restaurant whose address is number {house} (street_num) of {street}?",
        query=_addresses(
            AREA_OF_ADDRESS,
            filters=(
                Filter(column="address.street_num", op="=", parameter="house"),
                Filter(column="address.street_name", op="=", parameter="street"),
            ),
            want=Value("area.county"),
        ),
        parameters=(
            Parameter(name="house", column="address.street_num"),
            Parameter(name="street", column="address.street_name"),
        ),
    ),
    Template(
        database="restaurant",
        subcategory="EL",
        number=2,
        text="Which restaurant (its label) of the food type {food} has its address in the street {street}?",
        query=_addresses(
            RESTAURANT,
            filters=(
                Filter(column="restaurant.food_type", op="=", parameter="food"),
                Filter(column="address.street_name", op="=", parameter="street"),
            ),
            want=Value("restaurant.label"),
        ),
        parameters=(FOOD, Parameter(name="street", column="address.street_name")),
    ),
    Template(
        database="restaurant",
        subcategory="TS",
        number=1,
        text=(
            "Leaving out restaurants of the food type {food}, which county of the region {region} has the "
            "highest average review over its restaurants?"
        ),
        query=_restaurants(filters=(NOT_FOOD, IN_REGION), want=Top("area.county", Mean(REVIEW))),
        parameters=(FOOD, REGION),
    ),
    Template(
        database="restaurant",
        subcategory="TS",
        number=2,
        text=(
            "Considering only restaurants in the region {region} with a street number (street_num) of at "
            "least {number}, for which food type (food_type) do the reviews add up to the largest sum?"
        ),
        query=_addresses(
            RESTAURANT,
            AREA,
            filters=(IN_REGION, FROM_NUMBER),
            want=Top("restaurant.food_type", Total(REVIEW)),
        ),
        parameters=(REGION, STREET_NUMBER),
    ),
    Template(
        database="restaurant",
        subcategory="CNT",
        number=1,
        text="How many restaurants in the region {region} have a review of at least {review}?",
        query=_restaurants(
            filters=(IN_REGION, Filter(column="restaurant.review", op=">=", parameter="review")),
            want=Count(),
        ),
        parameters=(REGION, MIN_REVIEW),
        unit="restaurants",
    ),
    Template(
        database="restaurant",
        subcategory="CNT",
        number=2,
        text=(
            "How many different food types (food_type) are offered by restaurants in the region {region} "
            "with a street number (street_num) of at most {number}?"
        ),
        query=_addresses(
            RESTAURANT, AREA, filters=(IN_REGION, TO_NUMBER), want=Count("restaurant.food_type")
        ),
        parameters=(REGION, STREET_NUMBER),
        unit="food types",
    ),
    Template(
        database="restaurant",
        subcategory="SUM",
        number=1,
        text=(
            "What do the reviews of all restaurants in the region {region} add up to, if restaurants of the "
            "food type {food} are left out?"
        ),
        query=_restaurants(filters=(IN_REGION, NOT_FOOD), want=Total(REVIEW)),
        parameters=(REGION, FOOD),
        unit="points",
    ),
    Template(
        database="restaurant",
        subcategory="SUM",
        number=2,
        text=(
            "What is the sum of the reviews of the restaurants with a street number (street_num) of at least "
            "{number} and the food type {food}?"
        ),
        query=_addresses(
            RESTAURANT,
            filters=(FROM_NUMBER, Filter(column="restaurant.food_type", op="=", parameter="food")),
            want=Total(REVIEW),
        ),
        parameters=(STREET_NUMBER, FOOD),
        unit="points",
    ),
    Template(
        database="restaurant",
        subcategory="AVG",
        number=1,
        text="What is the average review of the restaurants in {county} (county)?",
        query=_restaurants(filters=(IN_COUNTY,), want=Mean(REVIEW)),
        parameters=(COUNTY,),
        unit="points",
    ),
    Template(
        database="restaurant",
        subcategory="AVG",
        number=2,
        text=(
            "What is the average review of the restaurants in the region {region} with a street number "
            "(street_num) of at most {number}?"
        ),
        query=_addresses(RESTAURANT, AREA, filters=(IN_REGION, TO_NUMBER), want=Mean(REVIEW)),
        parameters=(REGION, STREET_NUMBER),
        unit="points",
    ),
    Template(
        database="restaurant",
        subcategory="CC",
        number=1,
        text=(
            "Leaving out restaurants of the food type {food}, how much higher is the average review of the "
            "restaurants in the region {a} than that of the restaurants in the region {b} (negative if it is "
            "lower)?"
        ),
        query=_restaurants(filters=(NOT_FOOD, IN_REGION), want=Mean(REVIEW)),
        parameters=(FOOD, REGION),
        contrast="region",
        unit="points",
    ),
    Template(
        database="restaurant",
        subcategory="CC",
        number=2,
        text=(
            "Considering only restaurants with a street number (street_num) of at most {number}, how many "
            "more restaurants have the food type {a} than the food type {b} (negative if fewer)?"
        ),
        query=_addresses(
            RESTAURANT,
            filters=(TO_NUMBER, Filter(column="restaurant.food_type", op="=", parameter="food")),
            want=Count(),
        ),
        parameters=(STREET_NUMBER, FOOD),
        contrast="food",
        unit="restaurants",
    ),
    Template(
        database="restaurant",
        subcategory="COR",
        number=1,
        text=(
            "What is the Pearson correlation between street number (street_num) and review (review) over the "
            "restaurants of any food type but {food}?"
        ),
        query=_addresses(RESTAURANT, filters=(NOT_FOOD,), want=Correlation(HOUSE, REVIEW)),
        parameters=(FOOD,),
    ),
    Template(
        database="restaurant",
        subcategory="COR",
        number=2,
        text=(
            "What is the Pearson correlation between street number (street_num) and review (review) over the "
            "restaurants in the region {region} with a street number of at least {number}?"
        ),
        query=_addresses(RESTAURANT, AREA, filters=(IN_REGION, FROM_NUMBER), want=Correlation(HOUSE, REVIEW)),
        parameters=(REGION, STREET_NUMBER),
    ),
)
