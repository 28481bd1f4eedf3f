"""Food inspection: the businesses of one city, inspections of them and violations found there.

Inspections and violations each carry the business; of one business, a sample seldom holds both.
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

INSPECTED = Join(table="businesses", alias="business", on=(("inspection.business_id", "business_id"),))
VIOLATING = Join(table="businesses", alias="business", on=(("violation.business_id", "business_id"),))

IN_CITY = Filter(column="business.city", op="=", parameter="city")
OTHER_CITY = Filter(column="business.city", op="<>", parameter="city")
OTHER_POSTCODE = Filter(column="business.postal_code", op="<>", parameter="code")
OTHER_STATE = Filter(column="business.owner_state", op="<>", parameter="state")
NORTH = Filter(column="business.latitude", op=">=", parameter="latitude")
OF_RISK = Filter(column="violation.risk_category", op="=", parameter="risk")
OF_TYPE = Filter(column="inspection.type", op="=", parameter="type")
OTHER_TYPE = Filter(column="inspection.type", op="<>", parameter="type")
INSPECTED_FROM = Filter(column="inspection.date", op=">=", parameter="day")
VIOLATED_UNTIL = Filter(column="violation.date", op="<=", parameter="day")
APPLIED_UNTIL = Filter(column="business.application_date", op="<=", parameter="day")

CITY = Parameter(name="city", column="business.city")
POSTCODE = Parameter(name="code", column="business.postal_code")
STATE = Parameter(name="state", column="business.owner_state")
RISK = Parameter(name="risk", column="violation.risk_category")
LATITUDE = Parameter(name="latitude", column="business.latitude", kind="threshold")
APPLIED = Parameter(name="day", column="business.application_date", kind="threshold")
TYPE = Parameter(name="type", column="inspection.type")
SCORE_BOUND = Parameter(name="score", column="inspection.score", kind="threshold")
INSPECTION_DAY = Parameter(name="day", column="inspection.date", kind="threshold")
VIOLATION_DAY = Parameter(name="day", column="violation.date", kind="threshold")

SCORE = Measure(column="inspection.score")


def _inspections(*filters: Filter, want: Want) -> Query:
    return Query(table="inspections", alias="inspection", joins=(INSPECTED,), filters=filters, want=want)


def _violations(*filters: Filter, want: Want) -> Query:
    return Query(table="violations", alias="violation", joins=(VIOLATING,), filters=filters, want=want)


TEMPLATES: tuple[Template, ...] = (
    Template(
        database="food_inspection",
        subcategory="EL",
        number=1,
        text="Which business (its name) scored {score} in an inspection of type {type} on {day}?",
        query=_inspections(
            Filter(column="inspection.score", op="=", parameter="score"),
            OF_TYPE,
            Filter(column="inspection.date", op="=", parameter="day"),
            want=Value("business.name"),
        ),
        parameters=(
            Parameter(name="score", column="inspection.score"),
            TYPE,
            Parameter(name="day", column="inspection.date"),
        ),
    ),
    Template(
        database="food_inspection",
        subcategory="EL",
        number=2,
        text=(
            "Who owns (owner_name) the business where the violation described as {description} was recorded "
            "on {day}?"
        ),
        query=_violations(
            Filter(column="violation.description", op="=", parameter="description"),
            Filter(column="violation.date", op="=", parameter="day"),
            want=Value("business.owner_name"),
        ),
        parameters=(
            Parameter(name="description", column="violation.description"),
            Parameter(name="day", column="violation.date"),
        ),
    ),
    Template(
        database="food_inspection",
        subcategory="TS",
        number=1,
        text=(
            "Considering only inspections with a score of at most {score} and leaving out the postal code "
            "{code} (postal_code), in which city (city, not owner_city) is the average score over the "
            "inspections of its businesses highest?"
        ),
        query=_inspections(
            Filter(column="inspection.score", op="<=", parameter="score"),
            OTHER_POSTCODE,
            want=Top("business.city", Mean(SCORE)),
        ),
        parameters=(SCORE_BOUND, POSTCODE),
    ),
    Template(
        database="food_inspection",
        subcategory="TS",
        number=2,
        text=(
            "Considering only inspections with a score of at least {score} at businesses outside {city} "
            "(city), owners from which city (owner_city) have the lowest average score over the inspections "
            "of their businesses?"
        ),
        query=_inspections(
            Filter(column="inspection.score", op=">=", parameter="score"),
            OTHER_CITY,
            want=Top("business.owner_city", Mean(SCORE), highest=False),
        ),
        parameters=(SCORE_BOUND, CITY),
    ),
    Template(
        database="food_inspection",
        subcategory="CNT",
        number=1,
        text=(
            "How many violation records of risk category {risk} concern businesses with a latitude of at "
            "least {latitude}?"
        ),
        query=_violations(OF_RISK, NORTH, want=Count()),
        parameters=(RISK, LATITUDE),
        unit="violation records",
    ),
    Template(
        database="food_inspection",
        subcategory="CNT",
        number=2,
        text=(
            "How many different businesses with an owner in any state except {state} (owner_state) scored at "
            "least {score} in one or more inspections?"
        ),
        query=_inspections(
            OTHER_STATE,
            Filter(column="inspection.score", op=">=", parameter="score"),
            want=Count("inspection.business_id"),
        ),
        parameters=(STATE, Parameter(name="score", column="inspection.score", kind="threshold")),
        unit="businesses",
    ),
    Template(
        database="food_inspection",
        subcategory="SUM",
        number=1,
        text=(
            "What do the scores of all inspections of businesses in {city} (city, not owner_city) add up to, "
            "leaving out the postal code {code} (postal_code)?"
        ),
        query=_inspections(IN_CITY, OTHER_POSTCODE, want=Total(SCORE)),
        parameters=(CITY, POSTCODE),
        unit="points",
    ),
    Template(
        database="food_inspection",
        subcategory="SUM",
        number=2,
        text=(
            "What do the scores of all inspections of any type except {type} add up to, counting only "
            "businesses that applied (application_date) on or before {day}?"
        ),
        query=_inspections(OTHER_TYPE, APPLIED_UNTIL, want=Total(SCORE)),
        parameters=(TYPE, APPLIED),
        unit="points",
    ),
    Template(
        database="food_inspection",
        subcategory="AVG",
        number=1,
        text=(
            "What is the average score over the inspections of type {type} at businesses with a latitude of "
            "at least {latitude}?"
        ),
        query=_inspections(OF_TYPE, NORTH, want=Mean(SCORE)),
        parameters=(TYPE, LATITUDE),
        unit="points",
    ),
    Template(
        database="food_inspection",
        subcategory="AVG",
        number=2,
        text=(
            "What is the average score over the inspections on or after {day} of businesses whose owner is "
            "in any state except {state} (owner_state)?"
        ),
        query=_inspections(INSPECTED_FROM, OTHER_STATE, want=Mean(SCORE)),
        parameters=(INSPECTION_DAY, STATE),
        unit="points",
    ),
    Template(
        database="food_inspection",
        subcategory="CC",
        number=1,
        text=(
            "How much higher is the average score over the inspections of businesses in {a} than over those "
            "in {b} (city, not owner_city; negative if it is lower), leaving out the postal code {code} "
            "(postal_code)?"
        ),
        query=_inspections(OTHER_POSTCODE, IN_CITY, want=Mean(SCORE)),
        parameters=(POSTCODE, CITY),
        contrast="city",
        unit="points",
    ),
    Template(
        database="food_inspection",
        subcategory="CC",
        number=2,
        text=(
            "At businesses outside {city} (city, not owner_city), how many more violation records have the "
            "risk category {a} than {b} (negative if fewer)?"
        ),
        query=_violations(OTHER_CITY, OF_RISK, want=Count()),
        parameters=(CITY, RISK),
        contrast="risk",
        unit="violation records",
    ),
    Template(
        database="food_inspection",
        subcategory="COR",
        number=1,
        text=(
            "Over the inspections of any type except {type}, each giving one pair, what is the Pearson "
            "correlation between the score and the latitude of the business, counting only businesses that "
            "applied (application_date) on or before {day}?"
        ),
        query=_inspections(
            OTHER_TYPE, APPLIED_UNTIL, want=Correlation(SCORE, Measure(column="business.latitude"))
        ),
        parameters=(TYPE, APPLIED),
    ),
    Template(
        database="food_inspection",
        subcategory="COR",
        number=2,
        text=(
            "Over the inspections on or after {day} of businesses outside {city} (city, not owner_city), "
            "each giving one pair, what is the Pearson correlation between the score and the longitude of "
            "the business?"
        ),
        query=_inspections(
            INSPECTED_FROM,
            OTHER_CITY,
            want=Correlation(SCORE, Measure(column="business.longitude")),
        ),
        parameters=(INSPECTION_DAY, CITY),
    ),
)
