"""The nine tools of tool_use (DW-Bench, section 4, Tool-Use), as a model sees them."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from inspect_ai.tool import Tool, ToolDef

from warebench.graph.lineage import Direction
from warebench.graph.neighbourhood import KeyDirection
from warebench.tracks.topology.methods import toolbox
from warebench.tracks.topology.methods.toolbox import Result, Toolbox, UnknownName
from warebench.tracks.topology.semantics import FK_STEPS, SILO_WORDS, Semantics


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolText:
    """What a model reads about one tool. `{steps}` and `{edges}` are the set's semantics in words."""

    does: str
    parameters: dict[str, str] = field(default_factory=dict)


_TABLE = {"table": "Name of a table."}

TOOLS: dict[str, ToolText] = {
    "shortest_path": ToolText(
        does=(
            "Find one shortest foreign-key path and its length in foreign keys; {steps}. "
            "Lineage does not count. Path and length are null if there is no such path."
        ),
        parameters={"start": "First table of the path.", "end": "Last table of the path."},
    ),
    "connected_components": ToolText(
        does=(
            "List the connected components of the schema graph ({edges}) with their tables; a table without "
            "edges is a component of its own. If they are too many or large, only how many have which size."
        )
    ),
    "get_component_of": ToolText(
        does="List all tables of the connected component ({edges}) that holds a table, that table included.",
        parameters=_TABLE,
    ),
    "get_fk_neighbors": ToolText(
        does=(
            "List the tables reached from a table over foreign keys, by distance in keys. "
            "A self reference does not count, and the table itself is left out."
        ),
        parameters={
            **_TABLE,
            "direction": (
                "parents: tables the table's keys reference; children: tables that hold a key to the table; "
                "both: keys followed either way. At a depth above 1 every step goes that way."
            ),
            "depth": "Largest distance, 1 or more{limit}.",
        },
    ),
    "get_lineage_forward": ToolText(
        does="List the tables that derive directly from a table (one lineage edge downstream).",
        parameters=_TABLE,
    ),
    "get_lineage_reverse": ToolText(
        does="List the tables that a table derives from directly (one lineage edge upstream).",
        parameters=_TABLE,
    ),
    "transitive_lineage": ToolText(
        does=(
            "List the tables reached from a table over any number of lineage edges, by distance in edges; "
            "the table itself is left out."
        ),
        parameters={
            **_TABLE,
            "direction": "downstream: tables that derive from the table; upstream: tables it derives from.",
        },
    ),
    "check_fk_adjacency": ToolText(
        does=(
            "Tell whether the child holds a foreign key that directly references the parent. "
            "Only this direction counts."
        ),
        parameters={"parent": "Table that is referenced.", "child": "Table that holds the foreign key."},
    ),
    "list_tables": ToolText(does="List the names of all tables."),
}
"""The tools by name, in the paper's order."""


def describe(name: str, semantics: Semantics) -> str:
    """Return the description of a tool under the semantics of a question set."""
    return TOOLS[name].does.format(
        steps=FK_STEPS[semantics.fk_direction], edges=SILO_WORDS[semantics.silo_edges]
    )


def describe_parameters(name: str, semantics: Semantics) -> dict[str, str]:
    """Return the descriptions of a tool's parameters under the semantics of a question set."""
    depth = semantics.impact_fk_depth
    limit = "; any number will do" if depth is None else f"; keys are followed no farther than {depth}"
    return {key: text.replace("{limit}", limit) for key, text in TOOLS[name].parameters.items()}


def make_tools(box: Toolbox) -> list[Tool]:
    """Return the nine tools over one catalog."""
    return [
        ToolDef(
            run,
            name=name,
            description=describe(name, box.semantics),
            parameters=describe_parameters(name, box.semantics),
        ).as_tool()
        for name, run in _functions(box).items()
    ]


def _functions(box: Toolbox) -> dict[str, Callable[..., Any]]:
    async def shortest_path(start: str, end: str) -> str:
        return _show(toolbox.shortest_path, box, start, end)

    async def connected_components() -> str:
        return _show(toolbox.connected_components, box)

    async def get_component_of(table: str) -> str:
        return _show(toolbox.get_component_of, box, table)

    async def get_fk_neighbors(table: str, direction: KeyDirection = "both", depth: int = 1) -> str:
        return _show(toolbox.get_fk_neighbors, box, table, direction, depth)

    async def get_lineage_forward(table: str) -> str:
        return _show(toolbox.get_lineage_forward, box, table)

    async def get_lineage_reverse(table: str) -> str:
        return _show(toolbox.get_lineage_reverse, box, table)

    async def transitive_lineage(table: str, direction: Direction = "downstream") -> str:
        return _show(toolbox.transitive_lineage, box, table, direction)

    async def check_fk_adjacency(parent: str, child: str) -> str:
        return _show(toolbox.check_fk_adjacency, box, parent, child)

    async def list_tables() -> str:
        return _show(toolbox.list_tables, box)

    return {
        "shortest_path": shortest_path,
        "connected_components": connected_components,
        "get_component_of": get_component_of,
        "get_fk_neighbors": get_fk_neighbors,
        "get_lineage_forward": get_lineage_forward,
        "get_lineage_reverse": get_lineage_reverse,
        "transitive_lineage": transitive_lineage,
        "check_fk_adjacency": check_fk_adjacency,
        "list_tables": list_tables,
    }


def _show(run: Callable[..., Result], box: Toolbox, *arguments: str | int) -> str:
    try:
        result = run(box, *arguments)
    except UnknownName as unknown:
        result = unknown.result
    return json.dumps(result, ensure_ascii=False)
