"""food_inspection: businesses of one city, their inspections and violations; BIRD's names and shape."""

from collections.abc import Mapping

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
    popularity,
    ranks,
    weighted,
    whole,
    zipf,
)
from warebench.worlds.synthetic.names import STATES, SURNAMES, addresses, people, towns, unique
from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.synthetic.schema import Columns, Maker


def make_businesses(plan: Plan) -> Columns:
    """Draw the businesses; those of the north keep cleaner kitchens."""
    words = plan.words
    rng, size = plan.generator("businesses"), plan.rows["businesses"]
    north = _north(plan)
    owners = people(rng, max(1, size * 3 // 4))
    home = towns(rng, 60)
    state = np.where(rng.random(size) < 0.6, STATES.index("CA"), rng.integers(len(STATES), size=size))
    return {
        "business_id": _ids(plan),
        "name": unique(rng, size, SURNAMES, words["dishes"], words["houses"]),
        "address": addresses(rng, size),
        "city": take(towns(plan.generator("businesses", "city"), 6), zipf(rng, size, 6, 1.8)),
        "postal_code": text(94102 + zipf(rng, size, 30, 0.5)),
        "latitude": cents(37.76 + 0.02 * north, 4),
        "longitude": cents(-122.43 + 0.018 * correlated(rng, north, 0.45), 4),
        "phone_number": glue("+1415555", text(rng.integers(10_000, size=size), 4)),
        "tax_code": glue("H", text(rng.integers(24, 90, size=size))),
        "business_certificate": 400_000 + distinct(rng, size, 4 * size),
        "application_date": day("2008-01-01") + rng.integers(3_000, size=size),
        "owner_name": take(owners, rng.integers(len(owners), size=size)),
        "owner_address": addresses(rng, size),
        "owner_city": take(home, zipf(rng, size, 60, 1.0)),
        "owner_state": take(STATES, state),
        "owner_zip": text(rng.integers(10_000, 99_000, size=size)),
    }


def _ids(plan: Plan) -> Ints:
    size = plan.rows["businesses"]
    return 10 + np.sort(distinct(plan.generator("businesses", "ids"), size, 5 * size))


def _north(plan: Plan) -> Floats:
    return plan.generator("businesses", "north").standard_normal(plan.rows["businesses"])


def _quality(plan: Plan) -> Floats:
    """Return how clean each business is, in standard deviations."""
    return correlated(plan.generator("businesses", "quality"), _north(plan), 0.55)


def make_inspections(plan: Plan) -> Columns:
    """Draw the inspections: clean businesses score high."""
    rng = plan.generator("inspections", "details")
    business, date = _visits(plan)
    noise = rng.standard_normal(len(business))
    score = np.clip(whole(91 + 6 * _quality(plan)[business] + 3.5 * noise), 46, 100)
    kind = weighted(rng, len(business), np.array([0.62, 0.2, 0.09, 0.06, 0.03]))
    return {
        "business_id": _ids(plan)[business],
        "date": date,
        "score": score,
        "type": take(plan.words["visits"], kind),
    }


def _visits(plan: Plan) -> tuple[Ints, Ints]:
    """Return business (row number) and date of each inspection, no two of a business on one day."""
    rng, size = plan.generator("inspections"), plan.rows["inspections"]
    business = zipf(rng, size, plan.rows["businesses"], plan.exponent / 3)
    slots = max(60, int(ranks(business).max()) + 1)
    first = rng.integers(slots, size=plan.rows["businesses"])
    slot = (first[business] + 37 * ranks(business)) % slots
    width = max(1, 1_200 // slots)
    return business, day("2013-09-01") + slot * width + rng.integers(width, size=size)


def make_violations(plan: Plan) -> Columns:
    """Draw the violations found at inspections, more of them at dirty businesses."""
    words = plan.words
    rng, size = plan.generator("violations"), plan.rows["violations"]
    business, date = _visits(plan)
    dirt = np.exp(-0.6 * _quality(plan))[business]
    kinds = len(words["offences"]) * len(words["findings"])
    frequent = popularity(rng, kinds, 0.7)

    def propose(count: int) -> tuple[Ints, Ints]:
        return weighted(rng, count, dirt), weighted(rng, count, frequent)

    visit, kind = distinct_pairs(rng, size, (len(business), kinds), propose)
    names = _descriptions(plan)
    return {
        "business_id": _ids(plan)[business][visit],
        "date": date[visit],
        "violation_type_id": text(103_101 + kind),
        "risk_category": take(words["risks"], np.array([0, 1, 2, 2, 1, 2])[kind % 6]),
        "description": take(names, kind),
    }


def _descriptions(plan: Plan) -> pa.Array:
    """Return the description of every kind of violation."""
    words = plan.words
    return pa.array(
        [
            f"{finding} {offence} of food or equipment"
            for offence in words["offences"]
            for finding in words["findings"]
        ]
    )


MAKERS: Mapping[str, Maker] = {
    "businesses": make_businesses,
    "inspections": make_inspections,
    "violations": make_violations,
}
