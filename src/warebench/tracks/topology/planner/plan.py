"""Which tools to call for a question, and what their results say."""

from collections.abc import Callable, Mapping
from typing import Any

from warebench.harness.models.policy import Call
from warebench.tracks.topology.planner.reading import Asked

EVERY_DEPTH = 1_000_000
"""A depth no chain of foreign keys exceeds."""

Result = Mapping[str, Any]
Known = Mapping[str, Result]
"""Results of the calls made so far, by `label`."""


class NeedCalls(Exception):
    """The plan cannot go on before these calls are made."""

    def __init__(self, calls: list[Call]) -> None:
        self.calls = calls
        super().__init__(", ".join(call.tool for call in calls))


class CutShort(Exception):
    """A result lists only part of what the plan needs."""


def label(tool: str, arguments: Mapping[str, Any]) -> str:
    """Return the key of a call in `Known`."""
    return f"{tool}({', '.join(f'{name}={arguments[name]!r}' for name in sorted(arguments))})"


def follow(asked: Asked, known: Known, budget: int) -> Any:
    """Return the answer that the results so far prove, as JSON data; None when no tool can tell.

    Args:
        asked: What is asked.
        known: Results so far. The plan is followed from its start each time, so it needs no memory.
        budget: Calls there are in all; decides between two plans for combined_impact.

    Raises:
        NeedCalls: Further calls are needed first.
    """
    try:
        return PLANS[asked["kind"]]({**asked, "budget": budget}, known)
    except CutShort:
        return None


def _use(known: Known, tool: str, **arguments: Any) -> Result:
    return _use_all(known, [Call(tool=tool, arguments=arguments)])[0]


def _use_all(known: Known, calls: list[Call]) -> list[Result]:
    missing = [call for call in calls if label(call.tool, call.arguments) not in known]
    if missing:
        raise NeedCalls(missing)
    return [known[label(call.tool, call.arguments)] for call in calls]


def _targets(asked: Asked, known: Known) -> Any:
    return _listed(_use(known, "get_lineage_forward", table=asked["tables"][0]))


def _sources(asked: Asked, known: Known) -> Any:
    return _listed(_use(known, "get_lineage_reverse", table=asked["tables"][0]))


def _closure(asked: Asked, known: Known) -> Any:
    found = _use(known, "transitive_lineage", table=asked["tables"][0], direction="downstream")
    return _flat(found)


def _impact(asked: Asked, known: Known) -> Any:
    table, derived = asked["tables"][0], _closure(asked, known)
    starts = [table, *derived] if asked["from_table"] else derived
    # Without limit one call may do for many starts, so there it is worth trying whatever the budget.
    if _is_unlimited(asked) or 1 + len(starts) <= asked["budget"]:
        reached = _ask_starts(asked, starts, known)
    else:
        reached = _ask_the_rest(asked, starts, [table, *derived], known)
    return sorted({*derived, *reached} - {table})


def _ask_starts(asked: Asked, starts: list[str], known: Known) -> list[str]:
    calls = _neighbour_calls(asked, starts, "children")
    if not _is_unlimited(asked):
        return [name for found in _use_all(known, calls) for name in _flat(found)]
    return sorted(_joined(calls, known))


def _ask_the_rest(asked: Asked, starts: list[str], done: list[str], known: Known) -> list[str]:
    """Ask every other table of the silo which of the starts it depends on."""
    silo = _silo(asked, known)
    if silo["edges"] != "fk+lineage" or "tables" not in silo:
        raise CutShort  # keys may lead out of it
    rest = sorted(set(silo["tables"]) - set(done))
    answers = _use_all(known, _neighbour_calls(asked, rest, "parents"))
    return [
        name for name, found in zip(rest, answers, strict=True) if not set(starts).isdisjoint(_flat(found))
    ]


def _neighbour_calls(asked: Asked, tables: list[str], direction: str) -> list[Call]:
    depth = EVERY_DEPTH if asked["depth"] is None else asked["depth"]
    way = direction if asked["direction"] == "children" else "both"
    return [
        Call(tool="get_fk_neighbors", arguments={"table": table, "direction": way, "depth": depth})
        for table in tables
    ]


def _is_unlimited(asked: Asked) -> bool:
    return asked["depth"] is None and asked["direction"] == "undirected"


def _joined(calls: list[Call], known: Known) -> set[str]:
    """Follow keys without end: one call shows all of a group, so its other tables need none."""
    reached: set[str] = set()
    for call in calls:
        start = call.arguments["table"]
        if start not in reached:
            reached |= {start, *_flat(_use(known, call.tool, **call.arguments))}
    return reached


def _direct_key(asked: Asked, known: Known) -> Any:
    parent, child = asked["tables"]
    return _use(known, "check_fk_adjacency", parent=parent, child=child)["child_references_parent"]


def _key_path(asked: Asked, known: Known) -> Any:
    start, end = asked["tables"]
    return _use(known, "shortest_path", start=start, end=end)["path"]


def _key_hops(asked: Asked, known: Known) -> Any:
    start, end = asked["tables"]
    return _use(known, "shortest_path", start=start, end=end)["length"]


def _lineage_hops(asked: Asked, known: Known) -> Any:
    start, end = asked["tables"]
    found = _use(known, "transitive_lineage", table=start, direction="downstream")
    distance = _distance(found, end)
    if distance is None and "omitted" in found:
        distance = _distance(_use(known, "transitive_lineage", table=end, direction="upstream"), start)
    return distance


def _silo_count(asked: Asked, known: Known) -> Any:
    found, least = _use(known, "connected_components"), asked["k"]
    if "components" in found:
        return sum(len(group) >= least for group in found["components"])
    return sum(row["components"] for row in found["sizes"] if row["tables"] >= least)


def _silo(asked: Asked, known: Known, position: int = 0) -> Result:
    return _use(known, "get_component_of", table=asked["tables"][position])


def _silo_size(asked: Asked, known: Known) -> Any:
    return _silo(asked, known)["size"]


def _isolated(asked: Asked, known: Known) -> Any:
    return _silo(asked, known)["size"] == 1


def _together(asked: Asked, known: Known) -> Any:
    found = _silo(asked, known)
    if "tables" in found:
        return asked["tables"][1] in found["tables"]
    return found["component"] == _silo(asked, known, 1)["component"]


def _members(asked: Asked, known: Known) -> Any:
    return _silo(asked, known).get("tables")


def _listed(found: Result) -> list[str]:
    if "omitted" in found:
        raise CutShort
    return list(found["tables"])


def _flat(found: Result) -> list[str]:
    if "omitted" in found:
        raise CutShort
    return [name for layer in found["tables_by_distance"].values() for name in layer]


def _distance(found: Result, table: str) -> int | None:
    layers = found["tables_by_distance"].items()
    return next((int(distance) for distance, layer in layers if table in layer), None)


PLANS: dict[str, Callable[[Asked, Known], Any]] = {
    "targets": _targets,
    "sources": _sources,
    "closure": _closure,
    "impact": _impact,
    "direct_key": _direct_key,
    "key_path": _key_path,
    "key_hops": _key_hops,
    "lineage_hops": _lineage_hops,
    "silo_count": _silo_count,
    "silo_size": _silo_size,
    "isolated": _isolated,
    "together": _together,
    "members": _members,
}
"""Plans by kind of question; the same kinds as in `compute.KINDS`."""
