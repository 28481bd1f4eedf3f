"""Filters of dbt metrics: SQL with references in Jinja, such as `{{ Dimension('order__status') }} = 'paid'`.

The template is never run: references are parsed as calls with constant arguments, anything else is refused.
"""

import ast
import re
from dataclasses import dataclass
from typing import Any

from warebench.tracks.intelligence.readers.datasets import (
    Link,
    Widened,
    parse_sql,
    to_text,
    with_days,
)
from warebench.tracks.intelligence.readers.model import Lost

REFERENCE = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
GRAINS = (
    "nanosecond", "microsecond", "millisecond", "second", "minute", "hour",
    "day", "week", "month", "quarter", "year",
)  # fmt: skip
METRIC_TIME = "metric_time"
SEPARATOR = "__"


@dataclass(frozen=True, slots=True)
class Reference:
    """What a call names."""

    kind: str
    path: tuple[str, ...]
    """Entities on the way."""
    name: str
    grain: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """What references of a filter are looked up in."""

    relation: Widened
    time: str
    """The metric's time as `alias.column`; empty where it has none."""
    entities: dict[str, dict[str, str]]
    """Dataset to its entities and their columns."""
    primary: dict[str, str]
    """Dataset to its primary entity."""


def read_filter(text: str, frame: Frame) -> str:
    """Return a filter as a condition over the metric's relation.

    Raises:
        Lost: It uses something else than dimensions, entities and times by day; or what it names is
            nowhere, or in several places.
    """
    if "{%" in text or "{#" in text:
        raise Lost("Jinja statement", f"`{text}` is more than SQL with references")
    plain = REFERENCE.sub(lambda found: f"({_resolve(parse_reference(found[1]), frame)})", text)
    return to_text(with_days(parse_sql(plain, "duckdb"), frame.relation))


def parse_reference(text: str) -> Reference:
    """Return what a call such as `TimeDimension('order__day', 'month')` names.

    Raises:
        Lost: It is no such call.
    """
    try:
        call = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise Lost("Jinja expression", f"`{text.strip()}` is no reference") from error
    grain = ""
    while isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
        if call.func.attr != "grain" or len(call.args) != 1:
            raise Lost(f".{call.func.attr}()", f"`{text.strip()}` changes what the reference means")
        grain = str(_constant(call.args[0], text))
        call = call.func.value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise Lost("Jinja expression", f"`{text.strip()}` is no reference")
    given = [_constant(item, text) for item in call.args]
    named = {item.arg: _constant(item.value, text) for item in call.keywords}
    return _reference(call.func.id, given, named, grain)


def _reference(kind: str, given: list[Any], named: dict[str | None, Any], grain: str) -> Reference:
    if kind not in ("Dimension", "TimeDimension", "Entity"):
        raise Lost(
            f"{kind}() in a filter", "only Dimension, TimeDimension and Entity name something of a row"
        )
    words = (
        ["name", "time_granularity_name", "entity_path"]
        if kind == "TimeDimension"
        else ["name", "entity_path"]
    )
    values = dict(zip(words, given, strict=False)) | named
    if odd := sorted(str(key) for key in values if key not in words):
        raise Lost(f"{odd[0]} in a filter", f"{kind} is not known with it")
    *path, name = str(values.get("name", "")).lower().split(SEPARATOR)
    if kind != "Entity" and name in GRAINS and (len(path) > 1 or path == [METRIC_TIME]):
        grain, name = grain or name, path.pop()
    before = tuple(str(item).lower() for item in values.get("entity_path") or ())
    return Reference(
        kind, (*before, *path), name, (grain or str(values.get("time_granularity_name") or "")).lower()
    )


def _constant(node: ast.expr, text: str) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError as error:
        raise Lost("Jinja expression", f"`{text.strip()}` has arguments that are no constants") from error


def _resolve(reference: Reference, frame: Frame) -> str:
    if reference.grain not in ("", "day"):
        raise Lost(f"grain {reference.grain} in a filter", "moments are compared by day only")
    sql = _column(reference, frame)
    return f"CAST({sql} AS DATE)" if reference.grain else sql


def _column(reference: Reference, frame: Frame) -> str:
    if reference.name == METRIC_TIME and not reference.path:
        if not frame.time:
            raise Lost(METRIC_TIME, "the metric has no time")
        return frame.time
    way = _way(reference, frame)
    end = frame.relation.end(way)
    if reference.kind == "Entity":
        return frame.relation.sql(way, frame.entities[end.name][reference.name])
    found = end.fields[reference.name]
    if found.lost:
        raise Lost(found.lost, f"`{reference.name}` has not one value for a row at all times")
    return frame.relation.sql(way, found.sql)


def _way(reference: Reference, frame: Frame) -> tuple[Link, ...]:
    base = frame.relation.base
    if reference.path in ((), (frame.primary.get(base.name, ""),)) and _has(reference, base.name, frame):
        if not reference.path and reference.kind != "Entity":
            raise Lost("reference", f"`{reference.name}` names no entity")
        return ()
    ways: list[tuple[Link, ...]] = [()]
    for entity in reference.path:
        ways = [(*way, link) for way in ways for link in frame.relation.end(way).links if link.name == entity]
    ways = [way for way in ways if _has(reference, frame.relation.end(way).name, frame)]
    spoken = SEPARATOR.join((*reference.path, reference.name))
    if len(ways) != 1 or not reference.path:
        many = f"{len(ways)} ways lead" if ways else "no way leads"
        raise Lost("reference", f"{many} from `{base.name}` to `{spoken}`")
    return ways[0]


def _has(reference: Reference, dataset: str, frame: Frame) -> bool:
    if reference.kind == "Entity":
        return reference.name in frame.entities[dataset]
    return reference.name in frame.relation.datasets[dataset].fields
