"""Water quality: stations, what was measured there (in the field, in laboratories) and since when.

Results of different parameters have different units, so averages and sums stay within one unit.
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

STATION_OF_FIELD = Join(table="stations", alias="station", on=(("field.station_id", "station_id"),))
STATION_OF_LAB = Join(table="stations", alias="station", on=(("lab.station_id", "station_id"),))
STATION_OF_PERIOD = Join(table="stations", alias="station", on=(("period.station_id", "station_id"),))

OF_TYPE = Filter(column="station.station_type", op="=", parameter="type")
OTHER_TYPE = Filter(column="station.station_type", op="<>", parameter="type")
OTHER_COUNTY = Filter(column="station.county_name", op="<>", parameter="county")
NORTH = Filter(column="station.latitude", op=">=", parameter="latitude")
SOUTH = Filter(column="station.latitude", op="<=", parameter="latitude")
OTHER_PERIOD = Filter(column="period.parameter", op="<>", parameter="parameter")

TYPE = Parameter(name="type", column="station.station_type")
COUNTY = Parameter(name="county", column="station.county_name")
LATITUDE = Parameter(name="latitude", column="station.latitude", kind="threshold")
PERIOD_PARAMETER = Parameter(name="parameter", column="period.parameter")

FIELD_DEPTH = Measure(column="field.sample_depth")
LAB_DEPTH = Measure(column="lab.sample_depth")
LAB_RESULT = Measure(column="lab.result")
SAMPLES = Measure(column="period.sample_count")


def _field(*filters: Filter, want: Want) -> Query:
    return Query(table="field_results", alias="field", joins=(STATION_OF_FIELD,), filters=filters, want=want)


def _lab(*filters: Filter, want: Want) -> Query:
    return Query(table="lab_results", alias="lab", joins=(STATION_OF_LAB,), filters=filters, want=want)


def _periods(*filters: Filter, want: Want) -> Query:
    return Query(
        table="period_of_record", alias="period", joins=(STATION_OF_PERIOD,), filters=filters, want=want
    )


TEMPLATES: tuple[Template, ...] = (
    Template(
        database="water_quality",
        subcategory="EL",
        number=1,
        text="At which station (full_station_name) was the field sample with the code {code} taken?",
        query=_field(
            Filter(column="field.sample_code", op="=", parameter="code"),
            want=Value("station.full_station_name"),
        ),
        parameters=(Parameter(name="code", column="field.sample_code"),),
    ),
    Template(
        database="water_quality",
        subcategory="EL",
        number=2,
        text=(
            "In which county (county_name) is the station where the sample was taken on {day} for which a "
            "laboratory determined {parameter} (lab_results)?"
        ),
        query=_lab(
            Filter(column="lab.sample_date", op="=", parameter="day"),
            Filter(column="lab.parameter", op="=", parameter="parameter"),
            want=Value("station.county_name"),
        ),
        parameters=(
            Parameter(name="day", column="lab.sample_date"),
            Parameter(name="parameter", column="lab.parameter"),
        ),
    ),
    Template(
        database="water_quality",
        subcategory="TS",
        number=1,
        text=(
            "Considering only laboratory results (lab_results) with a sample depth of at most {depth} meters "
            "(sample_depth) outside the county {county}, for which station type (station_type) is the "
            "average sample depth over the results largest?"
        ),
        query=_lab(
            Filter(column="lab.sample_depth", op="<=", parameter="depth"),
            OTHER_COUNTY,
            want=Top("station.station_type", Mean(LAB_DEPTH)),
        ),
        parameters=(Parameter(name="depth", column="lab.sample_depth", kind="threshold"), COUNTY),
    ),
    Template(
        database="water_quality",
        subcategory="TS",
        number=2,
        text=(
            "Considering only rows of period_of_record with a sample_count of at most {most} whose station "
            "is outside the county {county}, which parameter has the largest total of sample_count in "
            "period_of_record?"
        ),
        query=_periods(
            Filter(column="period.sample_count", op="<=", parameter="most"),
            OTHER_COUNTY,
            want=Top("period.parameter", Total(SAMPLES)),
        ),
        parameters=(Parameter(name="most", column="period.sample_count", kind="threshold"), COUNTY),
    ),
    Template(
        database="water_quality",
        subcategory="CNT",
        number=1,
        text=(
            "How many rows of field_results with a sample depth of at least {depth} meters (sample_depth) "
            "come from stations of any type except {type} (station_type)?"
        ),
        query=_field(
            Filter(column="field.sample_depth", op=">=", parameter="depth"), OTHER_TYPE, want=Count()
        ),
        parameters=(Parameter(name="depth", column="field.sample_depth", kind="threshold"), TYPE),
        unit="field results",
    ),
    Template(
        database="water_quality",
        subcategory="CNT",
        number=2,
        text=(
            "How many different stations with a latitude of at most {latitude} have one or more laboratory "
            "results (lab_results) for a parameter other than {parameter}?"
        ),
        query=_lab(
            SOUTH,
            Filter(column="lab.parameter", op="<>", parameter="parameter"),
            want=Count("lab.station_id"),
        ),
        parameters=(LATITUDE, Parameter(name="parameter", column="lab.parameter")),
        unit="stations",
    ),
    Template(
        database="water_quality",
        subcategory="SUM",
        number=1,
        text=(
            "What is the total of sample_count over the rows of period_of_record that end (sample_date_max) "
            "on or after {day} and belong to stations of any type except {type} (station_type)?"
        ),
        query=_periods(
            Filter(column="period.sample_date_max", op=">=", parameter="day"), OTHER_TYPE, want=Total(SAMPLES)
        ),
        parameters=(Parameter(name="day", column="period.sample_date_max", kind="threshold"), TYPE),
        unit="samples",
    ),
    Template(
        database="water_quality",
        subcategory="SUM",
        number=2,
        text=(
            "What do the values (result) of all laboratory results (lab_results) in the unit {unit} (units) "
            "from stations with a latitude of at most {latitude} add up to?"
        ),
        query=_lab(Filter(column="lab.units", op="=", parameter="unit"), SOUTH, want=Total(LAB_RESULT)),
        parameters=(Parameter(name="unit", column="lab.units"), LATITUDE),
        unit="the stated unit",
    ),
    Template(
        database="water_quality",
        subcategory="AVG",
        number=1,
        text=(
            "What is the average sample depth in meters (sample_depth) over the rows of field_results from "
            "stations with a latitude of at least {latitude} and outside the county {county}?"
        ),
        query=_field(NORTH, OTHER_COUNTY, want=Mean(FIELD_DEPTH)),
        parameters=(LATITUDE, COUNTY),
        unit="meters",
    ),
    Template(
        database="water_quality",
        subcategory="AVG",
        number=2,
        text=(
            "What is the average of sample_count over the rows of period_of_record with any parameter except "
            "{parameter} that belong to stations with a latitude of at most {latitude}?"
        ),
        query=_periods(OTHER_PERIOD, SOUTH, want=Mean(SAMPLES)),
        parameters=(PERIOD_PARAMETER, LATITUDE),
        unit="samples",
    ),
    Template(
        database="water_quality",
        subcategory="CC",
        number=1,
        text=(
            "Over laboratory results (lab_results), leaving out the county {county}, how many meters larger "
            "is the average sample depth (sample_depth) at stations of the type {a} than at those of the "
            "type {b} (station_type; negative if smaller)?"
        ),
        query=_lab(OTHER_COUNTY, OF_TYPE, want=Mean(LAB_DEPTH)),
        parameters=(COUNTY, TYPE),
        contrast="type",
        unit="meters",
    ),
    Template(
        database="water_quality",
        subcategory="CC",
        number=2,
        text=(
            "Over the rows of period_of_record with any parameter except {parameter}, how much larger is the "
            "total of sample_count at stations of the type {a} than at those of the type {b} (station_type; "
            "negative if smaller)?"
        ),
        query=_periods(OTHER_PERIOD, OF_TYPE, want=Total(SAMPLES)),
        parameters=(PERIOD_PARAMETER, TYPE),
        contrast="type",
        unit="samples",
    ),
    Template(
        database="water_quality",
        subcategory="COR",
        number=1,
        text=(
            "Over the rows of period_of_record with any parameter except {parameter}, each giving one pair, "
            "what is the Pearson correlation between its sample_count and the sample_count of its station "
            "(stations), leaving out stations in the county {county}?"
        ),
        query=_periods(
            OTHER_PERIOD,
            OTHER_COUNTY,
            want=Correlation(SAMPLES, Measure(column="station.sample_count")),
        ),
        parameters=(PERIOD_PARAMETER, COUNTY),
    ),
    Template(
        database="water_quality",
        subcategory="COR",
        number=2,
        text=(
            "Over the rows of field_results with any parameter except {parameter} from stations outside the "
            "county {county}, each giving one pair, what is the Pearson correlation between the sample depth "
            "(sample_depth) and the latitude of the station?"
        ),
        query=_field(
            Filter(column="field.parameter", op="<>", parameter="parameter"),
            OTHER_COUNTY,
            want=Correlation(FIELD_DEPTH, Measure(column="station.latitude")),
        ),
        parameters=(Parameter(name="parameter", column="field.parameter"), COUNTY),
    ),
)
