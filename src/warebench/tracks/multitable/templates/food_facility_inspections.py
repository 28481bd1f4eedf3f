"""Food facility inspections: facilities of a county, the visits to them and the violations found."""

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

INSPECTED = Join(table="Geocoded_Food_Facilities", alias="facility", on=(("inspection.id", "id"),))
VIOLATING = Join(table="Geocoded_Food_Facilities", alias="facility", on=(("violation.id", "id"),))

# `description` is the kind of a facility in one table and the finding in another: texts say which.
OF_KIND = Filter(column="facility.description", op="=", parameter="kind")
OTHER_KIND = Filter(column="facility.description", op="<>", parameter="kind")
OTHER_DISTRICT = Filter(column="facility.district", op="<>", parameter="district")
OPENED_UNTIL = Filter(column="facility.bus_st_date", op="<=", parameter="day")
LARGE = Filter(column="facility.sq_feet", op=">=", parameter="area")
FOR_PURPOSE = Filter(column="inspection.purpose", op="=", parameter="purpose")
OTHER_PURPOSE = Filter(column="inspection.purpose", op="<>", parameter="purpose")
INSPECTED_FROM = Filter(column="inspection.inspect_dt", op=">=", parameter="day")
VIOLATED_FROM = Filter(column="violation.inspect_dt", op=">=", parameter="day")
MEDIUM = Filter(column="violation.medium", op="=", parameter="medium")

KIND = Parameter(name="kind", column="facility.description")
DISTRICT = Parameter(name="district", column="facility.district")
OPENED = Parameter(name="day", column="facility.bus_st_date", kind="threshold")
AREA = Parameter(name="area", column="facility.sq_feet", kind="threshold")
MINUTES = Parameter(name="minutes", column="inspection.duration_min", kind="threshold")
SEATS = Parameter(name="seats", column="facility.seat_count", kind="threshold")
PURPOSE = Parameter(name="purpose", column="inspection.purpose")
INSPECTION_DAY = Parameter(name="day", column="inspection.inspect_dt", kind="threshold")
VIOLATION_DAY = Parameter(name="day", column="violation.inspect_dt", kind="threshold")
MEDIUM_FLAG = Parameter(name="medium", column="violation.medium")

DURATION = Measure(column="inspection.duration_min")


def _inspections(*filters: Filter, want: Want) -> Query:
    return Query(
        table="Food_Facility_Inspections",
        alias="inspection",
        joins=(INSPECTED,),
        filters=filters,
        want=want,
    )


def _violations(*filters: Filter, want: Want) -> Query:
    return Query(
        table="Food_Facility_Inspection_Violations",
        alias="violation",
        joins=(VIOLATING,),
        filters=filters,
        want=want,
    )


TEMPLATES: tuple[Template, ...] = (
    Template(
        database="food_facility_inspections",
        subcategory="EL",
        number=1,
        text=(
            "At which address (address) is the facility that had an inspection with the purpose {purpose} on "
            "{day}?"
        ),
        query=_inspections(
            FOR_PURPOSE,
            Filter(column="inspection.inspect_dt", op="=", parameter="day"),
            want=Value("facility.address"),
        ),
        parameters=(PURPOSE, Parameter(name="day", column="inspection.inspect_dt")),
    ),
    Template(
        database="food_facility_inspections",
        subcategory="EL",
        number=2,
        text=(
            "What is the name (facility_name) of the facility where the violation described as {finding} was "
            "found in the inspection of {day}?"
        ),
        query=_violations(
            Filter(column="violation.description", op="=", parameter="finding"),
            Filter(column="violation.inspect_dt", op="=", parameter="day"),
            want=Value("facility.facility_name"),
        ),
        parameters=(
            Parameter(name="finding", column="violation.description"),
            Parameter(name="day", column="violation.inspect_dt"),
        ),
    ),
    Template(
        database="food_facility_inspections",
        subcategory="TS",
        number=1,
        text=(
            "Considering only inspections that took at most {minutes} minutes (duration_min) and leaving out "
            "district {district} (district), for which kind of facility (description in "
            "Geocoded_Food_Facilities) is the average duration of an inspection longest?"
        ),
        query=_inspections(
            Filter(column="inspection.duration_min", op="<=", parameter="minutes"),
            OTHER_DISTRICT,
            want=Top("facility.description", Mean(DURATION)),
        ),
        parameters=(MINUTES, DISTRICT),
    ),
    Template(
        database="food_facility_inspections",
        subcategory="TS",
        number=2,
        text=(
            "Considering only inspections that took at least {minutes} minutes (duration_min) at facilities "
            "of any kind except {kind} (description in Geocoded_Food_Facilities), in which municipality "
            "(municipal) is the average duration of an inspection shortest?"
        ),
        query=_inspections(
            Filter(column="inspection.duration_min", op=">=", parameter="minutes"),
            OTHER_KIND,
            want=Top("facility.municipal", Mean(DURATION), highest=False),
        ),
        parameters=(MINUTES, KIND),
    ),
    Template(
        database="food_facility_inspections",
        subcategory="CNT",
        number=1,
        text=(
            "How many violation records with the rating {rating} concern facilities with an area of at least "
            "{area} square feet (sq_feet)?"
        ),
        query=_violations(Filter(column="violation.rating", op="=", parameter="rating"), LARGE, want=Count()),
        parameters=(Parameter(name="rating", column="violation.rating"), AREA),
        unit="violation records",
    ),
    Template(
        database="food_facility_inspections",
        subcategory="CNT",
        number=2,
        text=(
            "How many different facilities that are not of the kind {kind} (description in "
            "Geocoded_Food_Facilities) had at least one inspection of {minutes} minutes or more "
            "(duration_min)?"
        ),
        query=_inspections(
            OTHER_KIND,
            Filter(column="inspection.duration_min", op=">=", parameter="minutes"),
            want=Count("inspection.id"),
        ),
        parameters=(
            KIND,
            Parameter(name="minutes", column="inspection.duration_min", kind="threshold"),
        ),
        unit="facilities",
    ),
    Template(
        database="food_facility_inspections",
        subcategory="SUM",
        number=1,
        text=(
            "How many minutes (duration_min) did all inspections on or after {day} take together, leaving "
            "out facilities of the kind {kind} (description in Geocoded_Food_Facilities)?"
        ),
        query=_inspections(INSPECTED_FROM, OTHER_KIND, want=Total(DURATION)),
        parameters=(INSPECTION_DAY, KIND),
        unit="minutes",
    ),
    Template(
        database="food_facility_inspections",
        subcategory="SUM",
        number=2,
        text=(
            "How many minutes (duration_min) did all inspections take together at facilities with at most "
            "{seats} seats (seat_count) outside district {district} (district)?"
        ),
        query=_inspections(
            Filter(column="facility.seat_count", op="<=", parameter="seats"),
            OTHER_DISTRICT,
            want=Total(DURATION),
        ),
        parameters=(SEATS, DISTRICT),
        unit="minutes",
    ),
    Template(
        database="food_facility_inspections",
        subcategory="AVG",
        number=1,
        text=(
            "What is the average duration in minutes (duration_min) over the inspections with any purpose "
            "except {purpose} at facilities that opened (bus_st_date) on or before {day}?"
        ),
        query=_inspections(OTHER_PURPOSE, OPENED_UNTIL, want=Mean(DURATION)),
        parameters=(PURPOSE, OPENED),
        unit="minutes",
    ),
    Template(
        database="food_facility_inspections",
        subcategory="AVG",
        number=2,
        text=(
            "What is the average duration in minutes (duration_min) over the inspections that began at or "
            "after {start} (start_time) at facilities with an area of at least {area} square feet (sq_feet)?"
        ),
        query=_inspections(
            Filter(column="inspection.start_time", op=">=", parameter="start"), LARGE, want=Mean(DURATION)
        ),
        parameters=(Parameter(name="start", column="inspection.start_time", kind="threshold"), AREA),
        unit="minutes",
    ),
    Template(
        database="food_facility_inspections",
        subcategory="CC",
        number=1,
        text=(
            "How many minutes longer is the average duration (duration_min) of inspections at facilities "
            "of the kind {a} than at those of the kind {b} (description in Geocoded_Food_Facilities; "
            "negative if shorter)?"
        ),
        query=_inspections(OF_KIND, want=Mean(DURATION)),
        parameters=(KIND,),
        contrast="kind",
        unit="minutes",
    ),
    Template(
        database="food_facility_inspections",
        subcategory="CC",
        number=2,
        text=(
            "At facilities that opened (bus_st_date) on or before {day} and are of any kind except {other} "
            "(description in Geocoded_Food_Facilities), how many more violation records have {a} than {b} in "
            "the column medium (negative if fewer)?"
        ),
        query=_violations(
            OPENED_UNTIL,
            Filter(column="facility.description", op="<>", parameter="other"),
            MEDIUM,
            want=Count(),
        ),
        parameters=(OPENED, Parameter(name="other", column="facility.description"), MEDIUM_FLAG),
        contrast="medium",
        unit="violation records",
    ),
    Template(
        database="food_facility_inspections",
        subcategory="COR",
        number=1,
        text=(
            "Over the inspections with any purpose except {purpose} at facilities outside {city} (city), "
            "each giving one pair, what is the Pearson correlation between the duration in minutes "
            "(duration_min) and the area of the facility (sq_feet)?"
        ),
        query=_inspections(
            OTHER_PURPOSE,
            Filter(column="facility.city", op="<>", parameter="city"),
            want=Correlation(DURATION, Measure(column="facility.sq_feet")),
        ),
        parameters=(PURPOSE, Parameter(name="city", column="facility.city")),
    ),
    Template(
        database="food_facility_inspections",
        subcategory="COR",
        number=2,
        text=(
            "Over the inspections on or after {day}, each giving one pair, what is the Pearson correlation "
            "between the duration in minutes (duration_min) and the seats of the facility (seat_count), "
            "leaving out facilities of the kind {kind} (description in Geocoded_Food_Facilities)?"
        ),
        query=_inspections(
            INSPECTED_FROM, OTHER_KIND, want=Correlation(DURATION, Measure(column="facility.seat_count"))
        ),
        parameters=(INSPECTION_DAY, KIND),
    ),
)
