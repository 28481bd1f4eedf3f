"""water_quality: stations and what was measured there, in the field and in laboratories; DataGov's domain."""

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from warebench.engine.synthetic.columns import day, glue, take, text
from warebench.engine.synthetic.draw import (
    Floats,
    Ints,
    cents,
    correlated,
    distinct,
    distinct_pairs,
    lognormal,
    ranks,
    weighted,
    whole,
    zipf,
)
from warebench.engine.synthetic.names import SURNAMES, TOWNS, towns, unique, words
from warebench.engine.synthetic.plan import Plan
from warebench.engine.synthetic.schema import Columns, table
from warebench.tracks.multitable.twins.schema import declare

STATIONS = table(
    "stations",
    key="station_id",
    columns="""
    station_id: INTEGER
    station_name: VARCHAR
    full_station_name: VARCHAR name
    station_number: VARCHAR?
    station_type: VARCHAR?
    latitude: DOUBLE?
    longitude: DOUBLE?
    county_name: VARCHAR?
    sample_count: INTEGER? measure
    sample_date_min: DATE?
    sample_date_max: DATE?
    """,
)
PERIOD = table(
    "period_of_record",
    key="station_id, parameter",
    columns="""
    station_id: INTEGER
    parameter: VARCHAR
    units: VARCHAR?
    method_name: VARCHAR?
    sample_count: INTEGER? measure
    sample_date_min: DATE?
    sample_date_max: DATE?
    """,
)
FIELD = table(
    "field_results",
    key="sample_code, parameter",
    columns="""
    sample_code: VARCHAR
    station_id: INTEGER?
    sample_date: DATE?
    sample_depth: DECIMAL(8,2)? measure
    sample_depth_units: VARCHAR?
    parameter: VARCHAR
    fdr_result: DECIMAL(12,2)? measure
    fdr_reporting_limit: DOUBLE?
    uns_name: VARCHAR?
    mth_name: VARCHAR?
    """,
)
LAB = table(
    "lab_results",
    key="sample_code, parameter",
    columns="""
    sample_code: VARCHAR
    station_id: INTEGER?
    status: VARCHAR?
    sample_date: DATE?
    sample_depth: DECIMAL(8,2)? measure
    sample_depth_units: VARCHAR?
    parameter: VARCHAR
    result: DECIMAL(12,2)? measure
    reporting_limit: DOUBLE?
    units: VARCHAR?
    method_name: VARCHAR?
    """,
)


class Parameters(NamedTuple):
    """What is measured; the columns run in parallel."""

    names: tuple[str, ...]
    units: tuple[str, ...]
    methods: tuple[str, ...]
    medians: Floats
    limits: Floats
    spreads: Floats
    """Standard deviation of the logarithm."""


def _parameters(lines: str) -> Parameters:
    cells = [[cell.strip() for cell in line.split(",")] for line in lines.strip().splitlines()]
    names, units, methods, *numbers = zip(*cells, strict=True)
    return Parameters(names, units, methods, *(np.array(column, dtype=float) for column in numbers))


FIELD_PARAMETERS = _parameters(
    """
    Water Temperature, deg C, Field probe T1, 16.5, 0.1, 0.28
    Dissolved Oxygen, mg/L, Field probe O2, 8.7, 0.2, 0.25
    Specific Conductance, uS/cm, Field probe C3, 480, 1, 0.6
    pH, pH Units, Field probe H4, 7.8, 0.1, 0.06
    Turbidity, N.T.U., Field nephelometer, 9.5, 0.1, 0.8
    Secchi Depth, centimeters, Secchi disk, 110, 1, 0.5
    Fluorescence, FLU, Field fluorometer, 3.4, 0.05, 0.7
    """
)
LAB_PARAMETERS = _parameters(
    """
    Dissolved Chloride, mg/L, Ion chromatography, 42, 1, 0.5
    Dissolved Sulfate, mg/L, Ion chromatography, 31, 1, 0.5
    Dissolved Nitrate, mg/L, Cadmium reduction, 2.4, 0.1, 0.5
    Dissolved Calcium, mg/L, Inductively coupled plasma, 28, 1, 0.5
    Dissolved Sodium, mg/L, Inductively coupled plasma, 39, 1, 0.5
    Dissolved Magnesium, mg/L, Inductively coupled plasma, 17, 1, 0.5
    Dissolved Potassium, mg/L, Inductively coupled plasma, 2.6, 0.5, 0.5
    Dissolved Boron, mg/L, Inductively coupled plasma, 0.3, 0.1, 0.5
    Total Alkalinity, mg/L as CaCO3, Titration, 96, 1, 0.5
    Total Hardness, mg/L as CaCO3, Calculated, 138, 1, 0.5
    Total Dissolved Solids, mg/L, Gravimetry, 290, 1, 0.5
    Total Suspended Solids, mg/L, Gravimetry, 18, 1, 0.8
    Total Arsenic, ug/L, Mass spectrometry, 2.1, 0.5, 0.5
    Total Iron, ug/L, Mass spectrometry, 160, 5, 0.9
    Total Manganese, ug/L, Mass spectrometry, 24, 1, 0.9
    Total Phosphorus, mg/L, Colorimetry, 0.4, 0.01, 0.5
    Chlorophyll a, ug/L, Fluorometry, 4.2, 0.05, 0.8
    """
)

KINDS = ("Surface Water", "Groundwater", "Estuary", "Spring", "Canal", "Reservoir")
WATERS = words(
    """
    Arroyo Bayou Brook Canal Channel Creek Drain Fork Gulch Inlet Lagoon Lake Pond Reach Reservoir River
    Run Slough Spring Wash
    """
)
SPOTS = words(
    """
    above.weir at.bridge at.dam at.ford at.gauge at.intake at.marina at.mouth at.outfall at.pump
    below.falls near.levee near.mill near.quarry near.road near.school
    """
)
FIRST_DAY, LAST_DAY = day("1975-01-01"), day("2023-12-31")


def make_stations(plan: Plan) -> Columns:
    """Draw the stations."""
    rng, size = plan.generator("stations"), plan.rows["stations"]
    south = rng.standard_normal(size)
    first = rng.integers(FIRST_DAY, LAST_DAY - 400, size=size)
    counties = towns(plan.generator("stations", "counties"), 58)
    spots = [spot.replace(".", " ") for spot in SPOTS]
    return {
        "station_id": _ids(plan),
        "station_name": glue(
            take("ABCDEFGH", rng.integers(8, size=size)), text(10_000 + distinct(rng, size, 2 * size))
        ),
        "full_station_name": unique(rng, size, SURNAMES, TOWNS, WATERS, spots),
        "station_number": glue(
            text(distinct(rng, size, 3 * size), 6), "S", text(rng.integers(1, 36, size=size), 2)
        ),
        "station_type": take(KINDS, zipf(rng, size, len(KINDS), 1.6)),
        "latitude": cents(37.2 - 2.1 * south, 4),
        "longitude": cents(-120.4 + 1.6 * correlated(rng, south, 0.75), 4),
        "county_name": take(counties, zipf(rng, size, 58, 0.8)),
        "sample_count": whole(_visits(plan)),
        "sample_date_min": first,
        "sample_date_max": first + rng.integers(0, 401, size=size) * (LAST_DAY - first) // 400,
    }


def _ids(plan: Plan) -> Ints:
    return 1 + np.arange(plan.rows["stations"])


def _visits(plan: Plan) -> Floats:
    """Return how often each station has been sampled: a few of them very often."""
    z = plan.generator("stations", "visits").standard_normal(plan.rows["stations"])
    return lognormal(z, 9.0, 1.6 if plan.mess else 1.2, 1, 6_000)


def _salt(plan: Plan) -> Floats:
    """Return how loaded the water of each station is, in standard deviations."""
    return plan.generator("stations", "salt").standard_normal(plan.rows["stations"])


def make_period(plan: Plan) -> Columns:
    """Draw since when and how often each parameter has been measured at a station."""
    rng, size = plan.generator("period_of_record"), plan.rows["period_of_record"]
    visits = _visits(plan)
    names, units = (
        [*FIELD_PARAMETERS.names, *LAB_PARAMETERS.names],
        [*FIELD_PARAMETERS.units, *LAB_PARAMETERS.units],
    )
    methods = [*FIELD_PARAMETERS.methods, *LAB_PARAMETERS.methods]

    def propose(count: int) -> tuple[Ints, Ints]:
        return weighted(rng, count, np.sqrt(visits)), rng.integers(len(names), size=count)

    station, parameter = distinct_pairs(rng, size, (len(visits), len(names)), propose)
    first = rng.integers(FIRST_DAY, LAST_DAY - 400, size=size)
    return {
        "station_id": _ids(plan)[station],
        "parameter": take(names, parameter),
        "units": take(units, parameter),
        "method_name": take(methods, parameter),
        "sample_count": np.maximum(1, whole(visits[station] * rng.random(size))),
        "sample_date_min": first,
        "sample_date_max": first + rng.integers(0, 401, size=size) * (LAST_DAY - first) // 400,
    }


class Samples(NamedTuple):
    """Results grouped in samples: water drawn once, measured several times; one entry a result."""

    number: Ints
    station: Ints
    """Row number."""
    date: Ints
    depth: Floats
    """Metres."""
    parameter: Ints
    values: Floats


def _samples(plan: Plan, rng: np.random.Generator, size: int, measured: Parameters) -> Samples:
    """Draw results: higher where the station's water is loaded, lower in depth."""
    drawn = max(1, size // (len(measured.names) // 2))
    number = np.sort(rng.integers(drawn, size=size))
    order = ranks(number)
    kinds = len(measured.names)
    # A sample never has more results than there are parameters: those too many open a new sample.
    number, order = number + drawn * (order // kinds), order % kinds
    z = rng.standard_normal(drawn)
    sample = number % drawn
    station = weighted(rng, drawn, _visits(plan))[sample]
    parameter = (rng.integers(kinds, size=drawn)[sample] + order) % kinds
    load = 0.65 * _salt(plan)[station] - 0.45 * z[sample] + 0.5 * rng.standard_normal(size)
    values = lognormal(load * measured.spreads[parameter], measured.medians[parameter], 1.0, 0.01, 1e6)
    depth = lognormal(z, 2.2, 0.7, 0.1, 60)[sample]
    date = rng.integers(FIRST_DAY, LAST_DAY, size=drawn)[sample]
    return Samples(number, station, date, depth, parameter, values)


def _sampled(plan: Plan, letter: str, samples: Samples, measured: Parameters) -> Columns:
    rows = len(samples.number)
    return {
        "sample_code": glue(letter, text(samples.number, 8)),
        "station_id": _ids(plan)[samples.station],
        "sample_date": samples.date,
        "sample_depth": samples.depth,
        "sample_depth_units": take(("Meters",), np.zeros(rows, dtype=np.int64)),
        "parameter": take(measured.names, samples.parameter),
    }


def make_field(plan: Plan) -> Columns:
    """Draw what was measured in the field."""
    rng = plan.generator("field_results")
    samples = _samples(plan, rng, plan.rows["field_results"], FIELD_PARAMETERS)
    return {
        **_sampled(plan, "F", samples, FIELD_PARAMETERS),
        "fdr_result": samples.values,
        "fdr_reporting_limit": FIELD_PARAMETERS.limits[samples.parameter],
        "uns_name": take(FIELD_PARAMETERS.units, samples.parameter),
        "mth_name": take(FIELD_PARAMETERS.methods, samples.parameter),
    }


def make_lab(plan: Plan) -> Columns:
    """Draw what laboratories found."""
    rng, size = plan.generator("lab_results"), plan.rows["lab_results"]
    samples = _samples(plan, rng, size, LAB_PARAMETERS)
    public: pa.Array = take(
        ("Public", "Public, Review Status Unknown"), (rng.random(size) < 0.3).astype(np.int64)
    )
    return {
        **_sampled(plan, "L", samples, LAB_PARAMETERS),
        "status": public,
        "result": samples.values,
        "reporting_limit": LAB_PARAMETERS.limits[samples.parameter],
        "units": take(LAB_PARAMETERS.units, samples.parameter),
        "method_name": take(LAB_PARAMETERS.methods, samples.parameter),
    }


WATER_QUALITY = declare(
    "water_quality",
    "water quality stations, field and laboratory results",
    (
        (STATIONS, 45_000, make_stations),
        (PERIOD, 200_000, make_period),
        (FIELD, 1_265_000, make_field),
        (LAB, 5_050_000, make_lab),
    ),
    (
        "period_of_record(station_id) -> stations(station_id)",
        "field_results(station_id) -> stations(station_id)",
        "lab_results(station_id) -> stations(station_id)",
    ),
    0.02,
)
