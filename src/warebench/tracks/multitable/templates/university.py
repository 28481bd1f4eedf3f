"""University: yearly records (university_year) and ranking scores (university_ranking_year) of universities.

A university has one record a year, and one score a year for each criterion.
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

UNIVERSITY = Join(table="university", alias="university", on=(("record.university_id", "id"),))
UNIVERSITY_OF_RANK = Join(table="university", alias="university", on=(("rank.university_id", "id"),))
COUNTRY = Join(table="country", alias="country", on=(("university.country_id", "id"),))
CRITERION = Join(table="ranking_criteria", alias="criterion", on=(("rank.ranking_criteria_id", "id"),))
SYSTEM = Join(table="ranking_system", alias="system", on=(("criterion.ranking_system_id", "id"),))

NOT_COUNTRY = Filter(column="country.country_name", op="<>", parameter="country")
IN_YEAR = Filter(column="record.year", op="=", parameter="year")
BY_SYSTEM = Filter(column="system.system_name", op="=", parameter="system")
FOR_CRITERION = Filter(column="criterion.criteria_name", op="=", parameter="criterion")
RANKED_SINCE = Filter(column="rank.year", op=">=", parameter="year")

OF_COUNTRY = Parameter(name="country", column="country.country_name")
YEAR = Parameter(name="year", column="record.year")
OF_SYSTEM = Parameter(name="system", column="system.system_name")
OF_CRITERION = Parameter(name="criterion", column="criterion.criteria_name")
RANK_YEAR = Parameter(name="year", column="rank.year", kind="threshold")

SCORE = Measure(column="rank.score")
STUDENTS = Measure(column="record.num_students")
RATIO = Measure(column="record.student_staff_ratio")


def _records(*joins: Join, filters: tuple[Filter, ...], want: Want) -> Query:
    joins = (UNIVERSITY, *joins)
    return Query(table="university_year", alias="record", joins=joins, filters=filters, want=want)


def _ranks(*joins: Join, filters: tuple[Filter, ...], want: Want) -> Query:
    joins = (CRITERION, *joins)
    return Query(table="university_ranking_year", alias="rank", joins=joins, filters=filters, want=want)


TEMPLATES: tuple[Template, ...] = (
    Template(
        database="university",
        subcategory="EL",
        number=1,
        text="In which country is the university that had {students} students (num_students) in {year}?",
        query=_records(
            COUNTRY,
            filters=(Filter(column="record.num_students", op="=", parameter="students"), IN_YEAR),
            want=Value("country.country_name"),
        ),
        parameters=(Parameter(name="students", column="record.num_students"), YEAR),
    ),
    Template(
        database="university",
        subcategory="EL",
        number=2,
        text=(
            "For which criterion (criteria_name) did the ranking system {system} give {university} a score "
            "in {year}?"
        ),
        query=_ranks(
            SYSTEM,
            UNIVERSITY_OF_RANK,
            filters=(
                BY_SYSTEM,
                Filter(column="university.university_name", op="=", parameter="university"),
                Filter(column="rank.year", op="=", parameter="year"),
            ),
            want=Value("criterion.criteria_name"),
        ),
        parameters=(
            OF_SYSTEM,
            Parameter(name="university", column="university.university_name"),
            Parameter(name="year", column="rank.year"),
        ),
    ),
    Template(
        database="university",
        subcategory="TS",
        number=1,
        text=(
            "Considering only universities with at least {percent} percent female students "
            "(pct_female_students) in {year}, in which country did they have the most students "
            "(num_students) in total that year?"
        ),
        query=_records(
            COUNTRY,
            filters=(Filter(column="record.pct_female_students", op=">=", parameter="percent"), IN_YEAR),
            want=Top("country.country_name", Total(STUDENTS)),
        ),
        parameters=(
            Parameter(name="percent", column="record.pct_female_students", kind="threshold"),
            YEAR,
        ),
    ),
    Template(
        database="university",
        subcategory="TS",
        number=2,
        text=(
            "Over all ranking scores for the criterion {criterion} (criteria_name) in {year} or later, "
            "whatever the ranking system, which country has the highest average score for its universities "
            "(every score counts once)?"
        ),
        query=_ranks(
            UNIVERSITY_OF_RANK,
            COUNTRY,
            filters=(FOR_CRITERION, RANKED_SINCE),
            want=Top("country.country_name", Mean(SCORE)),
        ),
        parameters=(OF_CRITERION, RANK_YEAR),
    ),
    Template(
        database="university",
        subcategory="CNT",
        number=1,
        text=(
            "How many ranking scores (rows of university_ranking_year) of at least {score} come from the "
            "ranking system {system}?"
        ),
        query=_ranks(
            SYSTEM,
            filters=(Filter(column="rank.score", op=">=", parameter="score"), BY_SYSTEM),
            want=Count(),
        ),
        parameters=(Parameter(name="score", column="rank.score", kind="threshold"), OF_SYSTEM),
        unit="scores",
    ),
    Template(
        database="university",
        subcategory="CNT",
        number=2,
        text=(
            "In how many different countries is there at least one university with {students} students "
            "(num_students) or more in {year}?"
        ),
        query=_records(
            filters=(Filter(column="record.num_students", op=">=", parameter="students"), IN_YEAR),
            want=Count("university.country_id"),
        ),
        parameters=(Parameter(name="students", column="record.num_students", kind="threshold"), YEAR),
        unit="countries",
    ),
    Template(
        database="university",
        subcategory="SUM",
        number=1,
        text=(
            "What is the total number of students (num_students) of all universities outside {country} in "
            "{year}?"
        ),
        query=_records(COUNTRY, filters=(NOT_COUNTRY, IN_YEAR), want=Total(STUDENTS)),
        parameters=(OF_COUNTRY, YEAR),
        unit="students",
    ),
    Template(
        database="university",
        subcategory="SUM",
        number=2,
        text=(
            "What do all ranking scores for the criterion {criterion} (criteria_name) in {year} or later add "
            "up to, over all ranking systems?"
        ),
        query=_ranks(filters=(FOR_CRITERION, RANKED_SINCE), want=Total(SCORE)),
        parameters=(OF_CRITERION, RANK_YEAR),
        unit="points",
    ),
    Template(
        database="university",
        subcategory="AVG",
        number=1,
        text=(
            "What is the average ranking score (over rows of university_ranking_year) that the ranking "
            "system {system} gave in {year} or earlier?"
        ),
        query=_ranks(
            SYSTEM,
            filters=(BY_SYSTEM, Filter(column="rank.year", op="<=", parameter="year")),
            want=Mean(SCORE),
        ),
        parameters=(OF_SYSTEM, RANK_YEAR),
        unit="points",
    ),
    Template(
        database="university",
        subcategory="AVG",
        number=2,
        text=(
            "What is the average of student_staff_ratio over the yearly records (rows of university_year) "
            "with at least {percent} percent international students (pct_international_students) of "
            "universities outside {country}?"
        ),
        query=_records(
            COUNTRY,
            filters=(
                Filter(column="record.pct_international_students", op=">=", parameter="percent"),
                NOT_COUNTRY,
            ),
            want=Mean(RATIO),
        ),
        parameters=(
            Parameter(name="percent", column="record.pct_international_students", kind="threshold"),
            OF_COUNTRY,
        ),
        unit="students per member of staff",
    ),
    Template(
        database="university",
        subcategory="CC",
        number=1,
        text=(
            "For the criterion {criterion} (criteria_name), how much higher is the average ranking score of "
            "the system {a} than that of the system {b}, over all years (negative if it is lower)?"
        ),
        query=_ranks(SYSTEM, filters=(FOR_CRITERION, BY_SYSTEM), want=Mean(SCORE)),
        parameters=(OF_CRITERION, OF_SYSTEM),
        contrast="system",
        unit="points",
    ),
    Template(
        database="university",
        subcategory="CC",
        number=2,
        text=(
            "Leaving out universities in {country}, how much larger is the average number of students "
            "(num_students) over the yearly records (rows of university_year) of {a} than over those of {b} "
            "(negative if it is smaller)?"
        ),
        query=_records(COUNTRY, filters=(NOT_COUNTRY, IN_YEAR), want=Mean(STUDENTS)),
        parameters=(OF_COUNTRY, YEAR),
        contrast="year",
        unit="students",
    ),
    Template(
        database="university",
        subcategory="COR",
        number=1,
        text=(
            "What is the Pearson correlation between the percentages of international "
            "(pct_international_students) and of female students (pct_female_students) over the yearly "
            "records (rows of university_year) from {year} or later of universities outside {country}?"
        ),
        query=_records(
            COUNTRY,
            filters=(Filter(column="record.year", op=">=", parameter="year"), NOT_COUNTRY),
            want=Correlation(
                Measure(column="record.pct_international_students"),
                Measure(column="record.pct_female_students"),
            ),
        ),
        parameters=(Parameter(name="year", column="record.year", kind="threshold"), OF_COUNTRY),
    ),
    Template(
        database="university",
        subcategory="COR",
        number=2,
        text=(
            "What is the Pearson correlation between year (year) and score (score) over the ranking scores "
            "(rows of university_ranking_year) of all ranking systems but {system} and all criteria "
            "(criteria_name) but {criterion}?"
        ),
        query=_ranks(
            SYSTEM,
            filters=(
                Filter(column="system.system_name", op="<>", parameter="system"),
                Filter(column="criterion.criteria_name", op="<>", parameter="criterion"),
            ),
            want=Correlation(Measure(column="rank.year"), SCORE),
        ),
        parameters=(OF_SYSTEM, OF_CRITERION),
    ),
)
