"""Music tracker: releases (torrents) and the tags they carry.

A release has several tags but none twice, so quantities of releases are added up for one tag at a time;
over several tags, only different releases or different tags are counted.
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

RELEASE = Join(table="torrents", alias="release", on=(("tagged.id", "id"),))

WITH_TAG = Filter(column="tagged.tag", op="=", parameter="tag")
OF_TYPE = Filter(column="release.releaseType", op="=", parameter="type")
NOT_TYPE = Filter(column="release.releaseType", op="<>", parameter="type")
NOT_ARTIST = Filter(column="release.artist", op="<>", parameter="artist")
NOT_YEAR = Filter(column="release.groupYear", op="<>", parameter="year")
SINCE = Filter(column="release.groupYear", op=">=", parameter="year")
SNATCHED_FROM = Filter(column="release.totalSnatched", op=">=", parameter="times")

TAG = Parameter(name="tag", column="tagged.tag")
TYPE = Parameter(name="type", column="release.releaseType")
ARTIST = Parameter(name="artist", column="release.artist")
YEAR = Parameter(name="year", column="release.groupYear")
FIRST_YEAR = Parameter(name="year", column="release.groupYear", kind="threshold")
TIMES = Parameter(name="times", column="release.totalSnatched", kind="threshold")

SNATCHED = Measure(column="release.totalSnatched")
RELEASED = Measure(column="release.groupYear")


def _tagged(*, filters: tuple[Filter, ...], want: Want) -> Query:
    return Query(table="tags", alias="tagged", joins=(RELEASE,), filters=filters, want=want)


TEMPLATES: tuple[Template, ...] = (
    Template(
        database="music_tracker",
        subcategory="EL",
        number=1,
        text="Which artist (artist) made the release of {year} (groupYear) that carries the tag {tag}?",
        query=_tagged(
            filters=(Filter(column="release.groupYear", op="=", parameter="year"), WITH_TAG),
            want=Value("release.artist"),
        ),
        parameters=(YEAR, TAG),
    ),
    Template(
        database="music_tracker",
        subcategory="EL",
        number=2,
        text="Which tag does the release {release} (groupName) by {artist} carry?",
        query=_tagged(
            filters=(
                Filter(column="release.groupName", op="=", parameter="release"),
                Filter(column="release.artist", op="=", parameter="artist"),
            ),
            want=Value("tagged.tag"),
        ),
        parameters=(Parameter(name="release", column="release.groupName"), ARTIST),
    ),
    Template(
        database="music_tracker",
        subcategory="TS",
        number=1,
        text=(
            "Over the releases that carry the tag {tag}, which release type (releaseType) has the largest "
            "total number of snatches (totalSnatched)?"
        ),
        query=_tagged(filters=(WITH_TAG,), want=Top("release.releaseType", Total(SNATCHED))),
        parameters=(TAG,),
    ),
    Template(
        database="music_tracker",
        subcategory="TS",
        number=2,
        text=(
            "Considering only releases of the type {type} (releaseType) from {year} (groupYear) or later, "
            "for which tag have the releases that carry it been snatched most often in total "
            "(totalSnatched)?"
        ),
        query=_tagged(filters=(OF_TYPE, SINCE), want=Top("tagged.tag", Total(SNATCHED))),
        parameters=(TYPE, FIRST_YEAR),
    ),
    Template(
        database="music_tracker",
        subcategory="CNT",
        number=1,
        text=(
            "How many different artists (artist) have a release that carries the tag {tag} and is not from "
            "the year {year} (groupYear)?"
        ),
        query=_tagged(filters=(WITH_TAG, NOT_YEAR), want=Count("release.artist")),
        parameters=(TAG, YEAR),
        unit="artists",
    ),
    Template(
        database="music_tracker",
        subcategory="CNT",
        number=2,
        text=(
            "How many different tags are carried by at least one release of the type {type} (releaseType) "
            "that was snatched at least {times} times (totalSnatched)?"
        ),
        query=_tagged(filters=(OF_TYPE, SNATCHED_FROM), want=Count("tagged.tag")),
        parameters=(TYPE, TIMES),
        unit="tags",
    ),
    Template(
        database="music_tracker",
        subcategory="SUM",
        number=1,
        text=(
            "Leaving out releases by the artist {artist}, how many times in total (totalSnatched) were the "
            "releases with the tag {tag} snatched?"
        ),
        query=_tagged(filters=(NOT_ARTIST, WITH_TAG), want=Total(SNATCHED)),
        parameters=(ARTIST, TAG),
        unit="snatches",
    ),
    Template(
        database="music_tracker",
        subcategory="SUM",
        number=2,
        text=(
            "What is the total number of snatches (totalSnatched) of the releases with the tag {tag} whose "
            "release type (releaseType) is not {type}?"
        ),
        query=_tagged(filters=(WITH_TAG, NOT_TYPE), want=Total(SNATCHED)),
        parameters=(TAG, TYPE),
        unit="snatches",
    ),
    Template(
        database="music_tracker",
        subcategory="AVG",
        number=1,
        text=(
            "Leaving out releases from the year {year} (groupYear), how often was a release with the tag "
            "{tag} snatched on average (totalSnatched)?"
        ),
        query=_tagged(filters=(NOT_YEAR, WITH_TAG), want=Mean(SNATCHED)),
        parameters=(YEAR, TAG),
        unit="snatches",
    ),
    Template(
        database="music_tracker",
        subcategory="AVG",
        number=2,
        text=(
            "What is the average year (groupYear) of the releases with the tag {tag} that are not by the "
            "artist {artist}?"
        ),
        query=_tagged(filters=(WITH_TAG, NOT_ARTIST), want=Mean(RELEASED)),
        parameters=(TAG, ARTIST),
        unit="calendar years",
    ),
    Template(
        database="music_tracker",
        subcategory="CC",
        number=1,
        text=(
            "How many more different artists (artist) have a release of the type {a} (releaseType) with a "
            "tag other than {tag} than have a release of the type {b} with a tag other than {tag} (negative "
            "if fewer)?"
        ),
        query=_tagged(
            filters=(OF_TYPE, Filter(column="tagged.tag", op="<>", parameter="tag")),
            want=Count("release.artist"),
        ),
        parameters=(TYPE, TAG),
        contrast="type",
        unit="artists",
    ),
    Template(
        database="music_tracker",
        subcategory="CC",
        number=2,
        text=(
            "Considering only releases from {year} (groupYear) or later, how many more different tags are "
            "carried by releases of the type {a} (releaseType) than by releases of the type {b} (negative if "
            "fewer)?"
        ),
        query=_tagged(filters=(SINCE, OF_TYPE), want=Count("tagged.tag")),
        parameters=(FIRST_YEAR, TYPE),
        contrast="type",
        unit="tags",
    ),
    Template(
        database="music_tracker",
        subcategory="COR",
        number=1,
        text=(
            "What is the Pearson correlation between year (groupYear) and number of snatches (totalSnatched) "
            "over the releases with the tag {tag} that are not by the artist {artist}?"
        ),
        query=_tagged(filters=(WITH_TAG, NOT_ARTIST), want=Correlation(RELEASED, SNATCHED)),
        parameters=(TAG, ARTIST),
    ),
    Template(
        database="music_tracker",
        subcategory="COR",
        number=2,
        text=(
            "What is the Pearson correlation between number of snatches (totalSnatched) and year (groupYear) "
            "over the releases from {year} or later that carry the tag {tag}?"
        ),
        query=_tagged(filters=(SINCE, WITH_TAG), want=Correlation(SNATCHED, RELEASED)),
        parameters=(FIRST_YEAR, TAG),
    ),
)
