"""`warebench list`: what there is to choose from."""

from collections.abc import Callable

import click

from warebench.catalog.bundled import BUNDLED, load_bundled
from warebench.catalog.read import READERS
from warebench.cli.command import Command, table_or_json
from warebench.cli.output import show, show_json, table
from warebench.questions.check import CHECKS
from warebench.tracks import TRACKS

EXAMPLE = """
warebench list subtypes
warebench list methods --format json"""

Rows = list[dict[str, object]]

MODELS = {
    "policy/oracle": "answers with the gold: proves sets and scoring",
    "policy/random": "answers at random: the floor",
    "local/gemma-3-270m": "a small base model run here (extra `local`): proves the wire, scores near chance",
    "PROVIDER/MODEL": "any model Inspect knows, for example openai/..., anthropic/..., ollama/..., vllm/...",
}
"""Models for every track; each has policies of its own."""


def _tracks() -> Rows:
    return [{"track": track.name, "title": track.title} for track in TRACKS]


def _subtypes() -> Rows:
    return [
        {
            "track": track.name,
            "subtype": kind.name,
            "category": kind.category,
            "difficulty": kind.difficulty,
            "asks": kind.asks,
        }
        for track in TRACKS
        for kind in track.subtypes
    ]


def _methods() -> Rows:
    return [
        {"track": track.name, "method": name, "does": text}
        for track in TRACKS
        for name, text in track.methods.items()
    ]


def _experiments() -> Rows:
    return [
        {"track": track.name, "experiment": each.name, "runs": len(each.runs), "asks": each.asks}
        for track in TRACKS
        for each in track.experiments
    ]


def _models() -> Rows:
    every: Rows = [{"model": name, "track": "all", "is": text} for name, text in MODELS.items()]
    own: Rows = [
        {"model": f"policy/{name}", "track": track.name, "is": text}
        for track in TRACKS
        for name, text in track.policies.items()
    ]
    return [*own, *every]


def _catalogs() -> Rows:
    catalogs = [(name, load_bundled(name)) for name in BUNDLED]
    return [
        {
            "catalog": name,
            "tables": len(catalog.tables),
            "foreign_keys": len(catalog.foreign_keys),
            "foreign_key_columns": catalog.foreign_key_columns,
            "lineage": len(catalog.lineage),
        }
        for name, catalog in catalogs
    ]


LISTS: dict[str, Callable[[], Rows]] = {
    "tracks": _tracks,
    "subtypes": _subtypes,
    "methods": _methods,
    "experiments": _experiments,
    "readers": lambda: [{"reader": name} for name in READERS],
    "catalogs": _catalogs,
    "checks": lambda: [{"code": code, "finds": text} for code, text in CHECKS.items()],
    "models": _models,
}


@click.command(cls=Command, example=EXAMPLE)
@click.argument("what", type=click.Choice(list(LISTS)))
@table_or_json
def command(what: str, format: str) -> None:
    """List what there is to choose from."""
    rows = LISTS[what]()
    if format == "json":
        show_json(rows)
    else:
        show(table(list(rows[0]), [list(row.values()) for row in rows]))
