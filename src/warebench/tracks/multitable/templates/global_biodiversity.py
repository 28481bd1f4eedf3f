"""Global biodiversity: where species occur and how threatened they are; one row a species in each table."""

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

OCCURRENCE = Join(table="occ_endemism", alias="occ", on=(("risk.species", "species"),))

OF_KINGDOM = Filter(column="occ.kingdom", op="=", parameter="kingdom")
OTHER_CLASS = Filter(column="occ.class", op="<>", parameter="class")
COMMON = Filter(column="occ.occurrences", op=">=", parameter="occurrences")
SEEN_UNTIL = Filter(column="occ.first_seen", op="<=", parameter="day")
OF_CATEGORY = Filter(column="risk.lcat", op="=", parameter="category")
OTHER_CATEGORY = Filter(column="risk.lcat", op="<>", parameter="category")
CROWDED = Filter(column="risk.popden", op=">=", parameter="density")
WARM = Filter(column="risk.temperature_c", op=">=", parameter="degrees")

KINGDOM = Parameter(name="kingdom", column="occ.kingdom")
CLASS = Parameter(name="class", column="occ.class")
OCCURRENCES = Parameter(name="occurrences", column="occ.occurrences", kind="threshold")
FIRST_SEEN = Parameter(name="day", column="occ.first_seen", kind="threshold")
CATEGORY = Parameter(name="category", column="risk.lcat")
DENSITY = Parameter(name="density", column="risk.popden", kind="threshold")
DEGREES = Parameter(name="degrees", column="risk.temperature_c", kind="threshold")

SIGHTINGS = Measure(column="occ.occurrences")
CELLS = Measure(column="occ.grid_cells")
THREAT = Measure(column="risk.pthreat")
PEOPLE = Measure(column="risk.popden")


def _species(*filters: Filter, want: Want) -> Query:
    return Query(table="extinction_risks", alias="risk", joins=(OCCURRENCE,), filters=filters, want=want)


TEMPLATES: tuple[Template, ...] = (
    Template(
        database="global_biodiversity",
        subcategory="EL",
        number=1,
        text=(
            "To which order (order) does the species belong that is in category {category} (lcat) and whose "
            "extinction risk was assessed on {day} (assessed_on)?"
        ),
        query=_species(
            OF_CATEGORY,
            Filter(column="risk.assessed_on", op="=", parameter="day"),
            want=Value("occ.order"),
        ),
        parameters=(CATEGORY, Parameter(name="day", column="risk.assessed_on")),
    ),
    Template(
        database="global_biodiversity",
        subcategory="EL",
        number=2,
        text=(
            "On which day was the extinction risk of the species of the genus {genus} that was first seen on "
            "{day} (first_seen) assessed (assessed_on)?"
        ),
        query=_species(
            Filter(column="occ.genus", op="=", parameter="genus"),
            Filter(column="occ.first_seen", op="=", parameter="day"),
            want=Value("risk.assessed_on"),
        ),
        parameters=(
            Parameter(name="genus", column="occ.genus"),
            Parameter(name="day", column="occ.first_seen"),
        ),
    ),
    Template(
        database="global_biodiversity",
        subcategory="TS",
        number=1,
        text=(
            "Considering only species with a threat of at most {threat} (pthreat) and leaving out the "
            "category {category} (lcat), which class (class) has the largest average threat over its "
            "species?"
        ),
        query=_species(
            Filter(column="risk.pthreat", op="<=", parameter="threat"),
            OTHER_CATEGORY,
            want=Top("occ.class", Mean(THREAT)),
        ),
        parameters=(Parameter(name="threat", column="risk.pthreat", kind="threshold"), CATEGORY),
    ),
    Template(
        database="global_biodiversity",
        subcategory="TS",
        number=2,
        text=(
            "Of the species of the kingdom {kingdom} with a share of parks in their range of at least "
            "{share} (parkpct), which has the smallest such share?"
        ),
        query=_species(
            OF_KINGDOM,
            Filter(column="risk.parkpct", op=">=", parameter="share"),
            want=Top("risk.species", Total(Measure(column="risk.parkpct")), highest=False),
        ),
        parameters=(KINGDOM, Parameter(name="share", column="risk.parkpct", kind="threshold")),
    ),
    Template(
        database="global_biodiversity",
        subcategory="CNT",
        number=1,
        text=(
            "How many species of the kingdom {kingdom} live where the population density (popden) is at "
            "least {density}?"
        ),
        query=_species(OF_KINGDOM, CROWDED, want=Count()),
        parameters=(KINGDOM, DENSITY),
        unit="species",
    ),
    Template(
        database="global_biodiversity",
        subcategory="CNT",
        number=2,
        text=(
            "How many different orders (order) have one or more species that are in any category except "
            "{category} (lcat) and occupy at most {cells} grid cells (grid_cells)?"
        ),
        query=_species(
            OTHER_CATEGORY,
            Filter(column="occ.grid_cells", op="<=", parameter="cells"),
            want=Count("occ.order"),
        ),
        parameters=(CATEGORY, Parameter(name="cells", column="occ.grid_cells", kind="threshold")),
        unit="orders",
    ),
    Template(
        database="global_biodiversity",
        subcategory="SUM",
        number=1,
        text=(
            "How many occurrences (occurrences) do all species in category {category} (lcat) with a "
            "temperature of at least {degrees} degrees (temperature_c) have together?"
        ),
        query=_species(OF_CATEGORY, WARM, want=Total(SIGHTINGS)),
        parameters=(CATEGORY, DEGREES),
        unit="occurrences",
    ),
    Template(
        database="global_biodiversity",
        subcategory="SUM",
        number=2,
        text=(
            "What is the total range in square kilometres (range_km2) of all species first seen on or before "
            "{day} (first_seen), leaving out the class {class}?"
        ),
        query=_species(SEEN_UNTIL, OTHER_CLASS, want=Total(Measure(column="risk.range_km2"))),
        parameters=(FIRST_SEEN, CLASS),
        unit="square kilometres",
    ),
    Template(
        database="global_biodiversity",
        subcategory="AVG",
        number=1,
        text=(
            "What is the average share of forest in percent (forest_pct) over the species of the kingdom "
            "{kingdom} with at least {occurrences} occurrences (occurrences)?"
        ),
        query=_species(OF_KINGDOM, COMMON, want=Mean(Measure(column="risk.forest_pct"))),
        parameters=(KINGDOM, OCCURRENCES),
        unit="percent",
    ),
    Template(
        database="global_biodiversity",
        subcategory="AVG",
        number=2,
        text=(
            "What is the average number of grid cells (grid_cells) over the species in any category except "
            "{category} (lcat) with a crop share of at least {crops} percent (crop_pct)?"
        ),
        query=_species(
            OTHER_CATEGORY, Filter(column="risk.crop_pct", op=">=", parameter="crops"), want=Mean(CELLS)
        ),
        parameters=(CATEGORY, Parameter(name="crops", column="risk.crop_pct", kind="threshold")),
        unit="grid cells",
    ),
    Template(
        database="global_biodiversity",
        subcategory="CC",
        number=1,
        text=(
            "How much larger is the average population density in people per square kilometre (popden) over "
            "the species of the kingdom {a} than over those of the kingdom {b} (negative if it is smaller), "
            "leaving out the family {family}?"
        ),
        query=_species(
            Filter(column="occ.family", op="<>", parameter="family"), OF_KINGDOM, want=Mean(PEOPLE)
        ),
        parameters=(Parameter(name="family", column="occ.family"), KINGDOM),
        contrast="kingdom",
        unit="people per square kilometre",
    ),
    Template(
        database="global_biodiversity",
        subcategory="CC",
        number=2,
        text=(
            "Leaving out species of the class {class}, how many more species are in the category {a} (lcat) "
            "than in the category {b} (negative if fewer)?"
        ),
        query=_species(OTHER_CLASS, OF_CATEGORY, want=Count()),
        parameters=(CLASS, CATEGORY),
        contrast="category",
        unit="species",
    ),
    Template(
        database="global_biodiversity",
        subcategory="COR",
        number=1,
        text=(
            "Over the species of all classes except {class} with at least {occurrences} occurrences "
            "(occurrences), what is the Pearson correlation between population density (popden) and threat "
            "(pthreat)?"
        ),
        query=_species(OTHER_CLASS, COMMON, want=Correlation(PEOPLE, THREAT)),
        parameters=(CLASS, OCCURRENCES),
    ),
    Template(
        database="global_biodiversity",
        subcategory="COR",
        number=2,
        text=(
            "Over the species in any category except {category} (lcat) and in all classes except {class}, "
            "what is the Pearson correlation between the number of occurrences (occurrences) and the range "
            "in square kilometres (range_km2)?"
        ),
        query=_species(
            OTHER_CATEGORY, OTHER_CLASS, want=Correlation(SIGHTINGS, Measure(column="risk.range_km2"))
        ),
        parameters=(CATEGORY, CLASS),
    ),
)
