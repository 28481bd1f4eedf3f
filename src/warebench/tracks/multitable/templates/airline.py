"""Airline: flights (Airlines), the airports they link and the carriers that fly them."""

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

ORIGIN = Join(table="Airports", alias="origin", on=(("flight.ORIGIN", "Code"),))
DEST = Join(table="Airports", alias="dest", on=(("flight.DEST", "Code"),))
CARRIER = Join(table="Air Carriers", alias="carrier", on=(("flight.OP_CARRIER_AIRLINE_ID", "Code"),))

FROM = Filter(column="origin.Description", op="=", parameter="airport")
BY = Filter(column="carrier.Description", op="=", parameter="carrier")
NOT_TO = Filter(column="dest.Description", op="<>", parameter="airport")
NOT_BY = Filter(column="carrier.Description", op="<>", parameter="carrier")
LONG = Filter(column="flight.ACTUAL_ELAPSED_TIME", op=">=", parameter="minutes")
PUNCTUAL = Filter(column="flight.ARR_DELAY", op="<=", parameter="delay")
LATE = Filter(column="flight.DEP_DELAY", op=">=", parameter="delay")

FROM_AIRPORT = Parameter(name="airport", column="origin.Description")
TO_AIRPORT = Parameter(name="airport", column="dest.Description")
OF_CARRIER = Parameter(name="carrier", column="carrier.Description")
MIN_MINUTES = Parameter(name="minutes", column="flight.ACTUAL_ELAPSED_TIME", kind="threshold")
MAX_DELAY = Parameter(name="delay", column="flight.ARR_DELAY", kind="threshold")
MIN_DELAY = Parameter(name="delay", column="flight.DEP_DELAY", kind="threshold")

DEPARTURE = Measure(column="flight.DEP_DELAY")
ARRIVAL = Measure(column="flight.ARR_DELAY")
CAUGHT_UP = Measure(column="flight.DEP_DELAY", minus="flight.ARR_DELAY")
ELAPSED = Measure(column="flight.ACTUAL_ELAPSED_TIME")


def _flights(*joins: Join, filters: tuple[Filter, ...], want: Want) -> Query:
    return Query(table="Airlines", alias="flight", joins=joins, filters=filters, want=want)


TEMPLATES: tuple[Template, ...] = (
    Template(
        database="airline",
        subcategory="EL",
        number=1,
        text="Which carrier (its description) flew flight number {number} on {day} from {airport}?",
        query=_flights(
            ORIGIN,
            CARRIER,
            filters=(
                Filter(column="flight.OP_CARRIER_FL_NUM", op="=", parameter="number"),
                Filter(column="flight.FL_DATE", op="=", parameter="day"),
                FROM,
            ),
            want=Value("carrier.Description"),
        ),
        parameters=(
            Parameter(name="number", column="flight.OP_CARRIER_FL_NUM"),
            Parameter(name="day", column="flight.FL_DATE"),
            FROM_AIRPORT,
        ),
    ),
    Template(
        database="airline",
        subcategory="EL",
        number=2,
        text=(
            "To which airport (its description) did the aircraft with tail number {tail} fly from {airport} "
            "on {day}?"
        ),
        query=_flights(
            ORIGIN,
            DEST,
            filters=(
                Filter(column="flight.TAIL_NUM", op="=", parameter="tail"),
                Filter(column="flight.FL_DATE", op="=", parameter="day"),
                FROM,
            ),
            want=Value("dest.Description"),
        ),
        parameters=(
            Parameter(name="tail", column="flight.TAIL_NUM"),
            Parameter(name="day", column="flight.FL_DATE"),
            FROM_AIRPORT,
        ),
    ),
    Template(
        database="airline",
        subcategory="TS",
        number=1,
        text=(
            "Considering only flights that arrived at most {delay} minutes late (ARR_DELAY), which carrier "
            "(its description) has the largest total departure delay (DEP_DELAY)?"
        ),
        query=_flights(CARRIER, filters=(PUNCTUAL,), want=Top("carrier.Description", Total(DEPARTURE))),
        parameters=(MAX_DELAY,),
    ),
    Template(
        database="airline",
        subcategory="TS",
        number=2,
        text=(
            "Considering only flights not flown by {carrier} that arrived at most {delay} minutes late "
            "(ARR_DELAY), for which origin airport (its description) is the total arrival delay largest?"
        ),
        query=_flights(
            ORIGIN,
            CARRIER,
            filters=(NOT_BY, PUNCTUAL),
            want=Top("origin.Description", Total(ARRIVAL)),
        ),
        parameters=(OF_CARRIER, MAX_DELAY),
    ),
    Template(
        database="airline",
        subcategory="CNT",
        number=1,
        text="How many flights with a departure delay of at least {delay} minutes were flown by {carrier}?",
        query=_flights(CARRIER, filters=(LATE, BY), want=Count()),
        parameters=(MIN_DELAY, OF_CARRIER),
        unit="flights",
    ),
    Template(
        database="airline",
        subcategory="CNT",
        number=2,
        text=(
            "How many different carriers flew to any airport except {airport} on flights with an elapsed "
            "time of at least {minutes} minutes (ACTUAL_ELAPSED_TIME)?"
        ),
        query=_flights(
            DEST,
            filters=(NOT_TO, LONG),
            want=Count("flight.OP_CARRIER_AIRLINE_ID"),
        ),
        parameters=(TO_AIRPORT, MIN_MINUTES),
        unit="carriers",
    ),
    Template(
        database="airline",
        subcategory="SUM",
        number=1,
        text=(
            "What is the total arrival delay in minutes (ARR_DELAY) of all flights not flown by {carrier} "
            "with an elapsed time of at least {minutes} minutes (ACTUAL_ELAPSED_TIME)?"
        ),
        query=_flights(CARRIER, filters=(NOT_BY, LONG), want=Total(ARRIVAL)),
        parameters=(OF_CARRIER, MIN_MINUTES),
        unit="minutes",
    ),
    Template(
        database="airline",
        subcategory="SUM",
        number=2,
        text=(
            "What is the total elapsed time in minutes (ACTUAL_ELAPSED_TIME) of all flights to any airport "
            "except {airport} with a departure delay of at least {delay} minutes?"
        ),
        query=_flights(DEST, filters=(NOT_TO, LATE), want=Total(ELAPSED)),
        parameters=(TO_AIRPORT, MIN_DELAY),
        unit="minutes",
    ),
    Template(
        database="airline",
        subcategory="AVG",
        number=1,
        text=(
            "What is the average arrival delay in minutes (ARR_DELAY) of flights to any airport except "
            "{airport} with an elapsed time of at least {minutes} minutes (ACTUAL_ELAPSED_TIME)?"
        ),
        query=_flights(DEST, filters=(NOT_TO, LONG), want=Mean(ARRIVAL)),
        parameters=(TO_AIRPORT, MIN_MINUTES),
        unit="minutes",
    ),
    Template(
        database="airline",
        subcategory="AVG",
        number=2,
        text=(
            "By how many minutes did flights of {carrier} with a departure delay of at least {delay} minutes "
            "catch up on average (DEP_DELAY minus ARR_DELAY)?"
        ),
        query=_flights(CARRIER, filters=(BY, LATE), want=Mean(CAUGHT_UP)),
        parameters=(OF_CARRIER, MIN_DELAY),
        unit="minutes",
    ),
    Template(
        database="airline",
        subcategory="CC",
        number=1,
        text=(
            "How much larger is the average departure delay in minutes (DEP_DELAY) of flights by {a} than "
            "that of flights by {b} (negative if it is smaller)?"
        ),
        query=_flights(CARRIER, filters=(BY,), want=Mean(DEPARTURE)),
        parameters=(OF_CARRIER,),
        contrast="carrier",
        unit="minutes",
    ),
    Template(
        database="airline",
        subcategory="CC",
        number=2,
        text="How many more flights departed from {a} than from {b} (negative if fewer)?",
        query=_flights(ORIGIN, filters=(FROM,), want=Count()),
        parameters=(FROM_AIRPORT,),
        contrast="airport",
        unit="flights",
    ),
    Template(
        database="airline",
        subcategory="COR",
        number=1,
        text=(
            "What is the Pearson correlation between departure delay (DEP_DELAY) and arrival delay "
            "(ARR_DELAY) over the flights not flown by {carrier} that left at least {delay} minutes late?"
        ),
        query=_flights(
            CARRIER,
            filters=(NOT_BY, LATE),
            want=Correlation(DEPARTURE, ARRIVAL),
        ),
        parameters=(OF_CARRIER, MIN_DELAY),
    ),
    Template(
        database="airline",
        subcategory="COR",
        number=2,
        text=(
            "What is the Pearson correlation between departure delay (DEP_DELAY) and elapsed time "
            "(ACTUAL_ELAPSED_TIME) over the flights to any airport except {airport}?"
        ),
        query=_flights(
            DEST,
            filters=(NOT_TO,),
            want=Correlation(DEPARTURE, ELAPSED),
        ),
        parameters=(TO_AIRPORT,),
    ),
)
