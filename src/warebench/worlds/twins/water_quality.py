"""water_quality: stations and what was measured there, in the field and in laboratories; DataGov's domain."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from warebench.worlds.synthetic.columns import day, glue, take, text
from warebench.worlds.synthetic.draw import (
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
from warebench.worlds.synthetic.names import SURNAMES, TOWNS, towns, unique
from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.synthetic.schema import Columns, Maker


class Parameters(NamedTuple):
    """What is measured; the columns run in parallel."""

    names: tuple[str, ...]
    units: tuple[str, ...]
    methods: tuple[str, ...]
    medians: Floats
    limits: Floats
    spreads: Floats
    """Standard deviation of the logarithm."""


def _parameters(plan: Plan, name: str) -> Parameters:
    names, units, methods, *numbers = zip(*plan.lists[name], strict=True)
    return Parameters(names, units, methods, *(np.array(column, dtype=float) for column in numbers))


FIRST_DAY, LAST_DAY = day("1975-01-01"), day("2023-12-31")


def make_stations(plan: Plan) -> Columns:
    """Draw the stations."""
    words = plan.words
    rng, size = plan.generator("stations"), plan.rows["stations"]
    south = rng.standard_normal(size)
    first = rng.integers(FIRST_DAY, LAST_DAY - 400, size=size)
    counties = towns(plan.generator("stations", "counties"), 58)
    spots = [spot.replace(".", " ") for spot in words["spots"]]
    return {
        "station_id": _ids(plan),
        "station_name": glue(
            take("ABCDEFGH", rng.integers(8, size=size)), text(10_000 + distinct(rng, size, 2 * size))
        ),
        "full_station_name": unique(rng, size, SURNAMES, TOWNS, words["waters"], spots),
        "station_number": glue(
            text(distinct(rng, size, 3 * size), 6), "S", text(rng.integers(1, 36, size=size), 2)
        ),
        "station_type": take(words["kinds"], zipf(rng, size, len(words["kinds"]), 1.6)),
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
    field, lab = _parameters(plan, "field_parameters"), _parameters(plan, "lab_parameters")
    names, units, methods = ((*one, *other) for one, other in zip(field[:3], lab[:3], strict=True))

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
    rng, measured = plan.generator("field_results"), _parameters(plan, "field_parameters")
    samples = _samples(plan, rng, plan.rows["field_results"], measured)
    return {
        **_sampled(plan, "F", samples, measured),
        "fdr_result": samples.values,
        "fdr_reporting_limit": measured.limits[samples.parameter],
        "uns_name": take(measured.units, samples.parameter),
        "mth_name": take(measured.methods, samples.parameter),
    }


def make_lab(plan: Plan) -> Columns:
    """Draw what laboratories found."""
    rng, size = plan.generator("lab_results"), plan.rows["lab_results"]
    measured = _parameters(plan, "lab_parameters")
    samples = _samples(plan, rng, size, measured)
    public: pa.Array = take(
        ("Public", "Public, Review Status Unknown"), (rng.random(size) < 0.3).astype(np.int64)
    )
    return {
        **_sampled(plan, "L", samples, measured),
        "status": public,
        "result": samples.values,
        "reporting_limit": measured.limits[samples.parameter],
        "units": take(measured.units, samples.parameter),
        "method_name": take(measured.methods, samples.parameter),
    }


MAKERS: Mapping[str, Maker] = {
    "stations": make_stations,
    "period_of_record": make_period,
    "field_results": make_field,
    "lab_results": make_lab,
}
