"""Random cases: small tables with gaps, ties and unmatched keys; metrics, rules and slices."""

import random
from datetime import date, datetime, timedelta

import pyarrow as pa
from tests.intelligence import chance as st

from warebench.catalog.model import Catalog, Column, ForeignKey, Table
from warebench.engine.database import Database
from warebench.tracks.intelligence.knowledge.model import (
    Dimension,
    Entity,
    Exclude,
    Filter,
    Join,
    Knowledge,
    Measure,
    Metric,
    Override,
    Relation,
    Rule,
    Threshold,
    Weight,
)
from warebench.tracks.intelligence.slice import Slice, Window

DAYS = [date(1997, 1, 1) + timedelta(days=9 * step) for step in range(50)]
MOMENTS = [datetime(day.year, day.month, day.day) + timedelta(hours=7 * n) for n, day in enumerate(DAYS)]  # noqa: DTZ001
CODES = [(day.year - 1900) * 10000 + day.month * 100 + day.day for day in DAYS]
QUARTERS = [n / 4 for n in range(-8, 9)]
"""Numbers whose sums and products are exact: comparisons of them have one outcome."""

CATALOG = Catalog(
    name="random",
    tables=(
        Table(
            name="p",
            primary_key=("id",),
            columns=(
                Column(name="id", type="BIGINT"), Column(name="kind", type="VARCHAR"),
                Column(name="size", type="BIGINT"), Column(name="since", type="DATE"),
                Column(name="good", type="BOOLEAN"),
            ),
        ),
        Table(
            name="f",
            primary_key=("id",),
            columns=(
                Column(name="id", type="BIGINT"), Column(name="p_id", type="BIGINT"),
                Column(name="label", type="VARCHAR"), Column(name="n", type="BIGINT"),
                Column(name="x", type="DOUBLE"), Column(name="t", type="TIMESTAMP"),
                Column(name="d", type="DATE"), Column(name="c", type="BIGINT"),
            ),
        ),
    ),
    foreign_keys=(ForeignKey(child="f", parent="p", child_columns=("p_id",), parent_columns=("id",)),),
)  # fmt: skip


@st.composite
def databases(draw):
    """Tables by a seed: cells drawn one by one would leave Hypothesis no room for rules."""
    rng = random.Random(draw(st.integers(0, 2**32)))  # noqa: S311
    parents, rows = draw(
        st.sampled_from([(4, 40), (4, 60), (3, 25), (4, 40), (4, 8), (4, 30), (0, 10), (2, 0)])
    )

    def column(kind, size, cells):
        return pa.array([None if rng.random() < 0.15 else rng.choice(cells) for _ in range(size)], kind)

    return Database(
        catalog=CATALOG,
        tables={
            "p": pa.table(
                {
                    "id": pa.array(range(parents), pa.int64()),
                    "kind": column(pa.string(), parents, ["a", "b", "B", "é"]),
                    "size": column(pa.int64(), parents, [-2, 0, 1, 3]),
                    "since": column(pa.date32(), parents, DAYS),
                    "good": column(pa.bool_(), parents, [True, False]),
                }
            ),
            "f": pa.table(
                {
                    "id": pa.array(range(rows), pa.int64()),
                    "p_id": column(pa.int64(), rows, [0, 1, 2, 3, 9]),
                    "label": column(pa.string(), rows, ["u", "v", "uv", ""]),
                    "n": column(pa.int64(), rows, [-7, -1, 0, 1, 2, 5]),
                    "x": column(pa.float64(), rows, QUARTERS),
                    "t": column(pa.timestamp("us"), rows, MOMENTS),
                    "d": column(pa.date32(), rows, DAYS),
                    "c": column(pa.int64(), rows, CODES),
                }
            ),
        },
    )


WHOLES = st.sampled_from(["f.n", "f.n", "p.size", "2", "3", "-1", "0", "f.c % 100", "f.c // 10000"])
TEXTS = st.sampled_from(["f.label", "p.kind", "'u'", "'b'", "COALESCE(f.label, p.kind)", "NULL"])
DAYS_SQL = st.sampled_from(
    ["f.t", "f.d", "p.since", "DATE '1997-05-07'", "CAST(f.t AS DATE)", "COALESCE(f.d, p.since)"]
)
COLUMNS = st.sampled_from(["f.n", "f.x", "f.label", "f.t", "p.kind", "p.good", "p.size"])
COMPARE = st.sampled_from(["=", "<>", "<", "<=", ">", ">="])


def _format(pattern, *parts):
    return st.tuples(*parts).map(lambda found: pattern.format(*found))


def wholes(parameters):
    leaves = st.one_of(WHOLES, WHOLES, *([st.sampled_from(parameters)] if parameters else []))
    return st.one_of(
        leaves,
        _format("({} {} {})", leaves, st.sampled_from("+-*"), leaves),
        _format("({} {} {})", WHOLES, st.sampled_from(["//", "%"]), WHOLES),
        _format("DATE_DIFF('day', {}, {})", DAYS_SQL, DAYS_SQL),
        _format("EXTRACT({} FROM {})", st.sampled_from(["YEAR", "QUARTER", "MONTH", "DAY", "DOW"]), DAYS_SQL),
        st.just("EXTRACT(HOUR FROM f.t)"),
    )


def numbers(parameters):
    """Numbers that are exact: no division but by powers of two."""
    leaves = st.one_of(wholes(parameters), st.sampled_from(["f.x", "f.x", "0.25", "f.n / 2", "f.x / f.x"]))
    return st.one_of(
        leaves,
        leaves,
        _format("({} {} {})", leaves, st.sampled_from("+-*"), leaves),
        _format("ABS({})", leaves),
        _format("-{}", st.sampled_from(["f.x", "f.n"])),
        _format("COALESCE({}, {})", leaves, leaves),
        _format("NULLIF({}, {})", leaves, leaves),
        _format("{}({}, {}, {})", st.sampled_from(["LEAST", "GREATEST"]), leaves, leaves, leaves),
        _format("CASE WHEN {} THEN {} WHEN {} THEN {} END", truths(parameters), leaves, truths(()), leaves),
        _format("CASE f.n WHEN {} THEN {} ELSE {} END", leaves, leaves, leaves),
    )


def truths(parameters):
    whole = wholes(parameters)
    leaves = st.one_of(
        _format("{} {} {}", whole, COMPARE, whole),
        _format("{} {} {}", TEXTS, COMPARE, TEXTS),
        _format("{} {} {}", DAYS_SQL, COMPARE, DAYS_SQL),
        _format("f.x {} {}", COMPARE, whole),
        _format("{} IS NULL", COLUMNS),
        _format("{} IS NOT NULL", COLUMNS),
        _format("f.n {} (0, 2, -7)", st.sampled_from(["IN", "NOT IN"])),
        _format("p.kind {} ('a', 'B')", st.sampled_from(["IN", "NOT IN"])),
        _format("{} {} {} AND {}", whole, st.sampled_from(["BETWEEN", "NOT BETWEEN"]), whole, whole),
        _format(
            "f.label {} {}", st.sampled_from(["LIKE", "NOT LIKE"]), st.sampled_from(["'u%'", "'_'", "'%v'"])
        ),
        st.sampled_from(["p.good", "TRUE", "NOT p.good", "NULL"]),
    )
    return st.one_of(
        leaves,
        leaves,
        _format("({}) AND ({})", leaves, leaves),
        _format("({}) OR ({})", leaves, leaves),
        _format("NOT ({})", leaves),
        _format("NOT (({}) {} ({}))", leaves, st.sampled_from(["AND", "OR"]), leaves),
    )


def _measure(value, where):
    return st.one_of(
        st.builds(Measure, aggregate=st.just("count"), where=st.one_of(st.just(""), where)),
        st.builds(
            Measure,
            aggregate=st.sampled_from(["count_distinct", "sum", "avg", "min", "max", "stddev"]),
            value=value,
            where=st.one_of(st.just(""), st.just(""), where),
        ),
    )


RELATION = st.builds(
    Relation,
    table=st.just("f"),
    joins=st.just((Join(table="p"),)),
    where=st.one_of(
        st.sampled_from([(), (), ("f.n IS NOT NULL",), ("f.n > :k - 3", "f.x > -2 OR p.good")]),
        truths((":k",)).map(lambda text: (text,)),
    ),
)
TIMES = st.sampled_from([("f.t", "timestamp"), ("f.d", "date"), ("f.c", "yymmdd"), ("p.since", "date")])
FORMULAS = st.sampled_from(
    ["a", "a + b", "a / 3", "a * w - b", "COALESCE(a, w)", "CASE WHEN w > 1 THEN a ELSE b END"]
)


@st.composite
def metrics(draw, name):
    time, calendar = draw(TIMES)
    shared = {
        "id": name, "name": name, "tier": "L2", "description": "", "unit": "", "time": time,
        "calendar": calendar, "relation": draw(RELATION), "parameters": {"k": 1.0, "w": 2.0},
        "formula": draw(FORMULAS),
    }  # fmt: skip
    row = _measure(numbers((":k",)), truths((":k",)))
    if draw(st.booleans()):
        return Metric(**shared, measures={"a": draw(row), "b": draw(row)})
    exact = st.one_of(
        st.builds(Measure, aggregate=st.just("count"), where=st.one_of(st.just(""), truths((":k",)))),
        st.builds(
            Measure, aggregate=st.sampled_from(["sum", "min", "max", "count_distinct"]), value=wholes((":k",))
        ),
    )
    unit = _measure(
        st.sampled_from(["r", "s", "r + s", "r * w"]), st.sampled_from(["r > w", "s IS NULL", "r <= s"])
    )
    return Metric(
        **shared,
        entity=Entity(
            key=draw(st.sampled_from([("f.p_id",), ("f.label",), ("f.p_id", "f.label"), ("p.good",)])),
            measures={"r": draw(exact), "s": draw(exact)},
            keep=draw(st.sampled_from(["", "r >= w", "s > 0", "r IS NOT NULL AND s < :w"])),
        ),
        measures={"a": draw(unit), "b": draw(unit)},
    )


@st.composite
def operations(draw, metric):
    names = (metric.id,)
    scope = draw(st.one_of(st.just(""), truths(())))
    kind = draw(
        st.sampled_from(["filter", "exclude", "threshold", "rows", "weight", "value", "where", "whole"])
    )
    inner = metric.entity.measures if metric.entity else metric.measures
    place = draw(st.sampled_from(sorted(inner)))
    match kind:
        case "filter":
            return Filter(metrics=names, where=draw(truths((":k",))), scope=scope)
        case "exclude":
            return Exclude(metrics=names, where=draw(truths((":k",))), scope=scope)
        case "threshold":
            return Threshold(
                metrics=names, parameter="k", value=draw(st.sampled_from([-1, 2, 3])), scope=scope
            )
        case "rows":
            return Threshold(metrics=names, parameter="minimum_rows", value=draw(st.integers(1, 3)))
        case "weight":
            return Threshold(metrics=names, parameter="w", value=draw(st.sampled_from([0.5, 1, 3])))
        case "value" if inner[place].value:
            return Override(
                metrics=names, target="value", measure=place, expression=draw(wholes((":k",))), scope=scope
            )
        case "whole":
            target = "keep" if metric.entity and draw(st.booleans()) else "formula"
            text = "r > :w" if target == "keep" else draw(FORMULAS)
            return Override(metrics=names, target=target, expression=text)
        case _:
            return Override(
                metrics=names, target="where", measure=place, expression=draw(truths((":k",))), scope=scope
            )


@st.composite
def rules(draw, number, metrics_):
    first, last = sorted(draw(st.tuples(st.sampled_from(DAYS), st.sampled_from(DAYS))))
    dated = draw(
        st.sampled_from([(False, False), (False, False), (True, False), (True, True), (False, True)])
    )
    chosen = [metric for metric in metrics_ if metric.relation and draw(st.sampled_from([True, True, False]))]
    found = [draw(operations(metric)) for metric in chosen for _ in range(draw(st.sampled_from([1, 2])))]
    if draw(st.booleans()):
        found.append(Weight(metrics=("M3",), parameter="share", value=draw(st.sampled_from([0.25, 0.75]))))
    return Rule(
        id=f"R{number}",
        title="",
        kind="override",
        document="rules/all.md",
        effective_from=first.isoformat() if dated[0] else "",
        effective_to=last.isoformat() if dated[1] else "",
        supersedes=tuple(f"R{n}" for n in range(number) if draw(st.sampled_from([True, True, False]))),
        operations=tuple(found),
    )


@st.composite
def knowledge_bases(draw):
    parts = [draw(metrics("M1")), draw(metrics("M2"))]
    whole = Metric(
        id="M3", name="M3", tier="L3", description="", unit="", components={"one": "M1", "two": "M2"},
        parameters={"share": 0.5},
        formula=draw(st.sampled_from(["share * one + two", "one / (two - share)", "one - share"])),
    )  # fmt: skip
    found = (*parts, whole)
    return Knowledge(
        name="random",
        company="",
        metrics=found,
        dimensions=(
            Dimension(id="label", table="f", column="label", kind="categorical", label="label"),
            Dimension(id="kind", table="p", column="kind", kind="spatial", label="kind"),
            Dimension(id="good", table="p", column="good", kind="categorical", label="good"),
            Dimension(id="number", table="f", column="n", kind="categorical", label="number"),
        ),
        rules=tuple(draw(rules(number, found)) for number in range(3)),
        documents={"rules/all.md": "M1 M2 M3"},
    )


@st.composite
def slices(draw, metric):
    first, last = sorted(draw(st.tuples(st.sampled_from(DAYS), st.sampled_from(DAYS))))
    filters = [("label", "u"), ("kind", "B"), ("good", "true"), ("number", "1")]
    return Slice(
        metric=metric,
        group=draw(st.samples(["label", "kind", "good", "number"], 2)),
        filters=draw(st.sampled_from([(), (), (), (), (), (), *((item,) for item in filters)])),
        window=draw(st.sampled_from([None, None, Window(first=first.isoformat(), last=last.isoformat())])),
        grain=draw(st.sampled_from(["", "", "month", "quarter", "year"])),
        rules=draw(st.sampled_from([("R0", "R1", "R2"), ("R2", "R1", "R0"), ("R1",)])),
        parameters=draw(st.sampled_from([(), (), (("k", 0.0),), (("w", 0.5), ("minimum_rows", 2.0))])),
    )
