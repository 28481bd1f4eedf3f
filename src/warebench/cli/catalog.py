"""`warebench catalog`: what a source holds."""

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import msgspec

from warebench.catalog.model import Catalog
from warebench.catalog.read import READERS
from warebench.catalog.render import to_ddl, to_mermaid
from warebench.catalog.synthetic import PRESETS
from warebench.cli.command import Command, settings
from warebench.cli.options import select_options, take_selection
from warebench.cli.output import say, show, table, write_text
from warebench.cli.sources import find_catalog
from warebench.errors import UserError
from warebench.graph.build import build_graph
from warebench.graph.export import to_graphml
from warebench.graph.lineage import lineage_cycles
from warebench.graph.silos import silos

EXAMPLE = """
warebench catalog adventureworks
warebench catalog shop.duckdb --out shop.json --format json
warebench catalog schema.sql --dialect tsql --format mermaid"""


def _summary(catalog: Catalog) -> str:
    graph = build_graph(catalog)
    groups = silos(graph)
    evidence = Counter(key.evidence for key in catalog.foreign_keys)
    evidence.update(edge.evidence for edge in catalog.lineage)
    rows = [
        ("tables", len(catalog.tables)),
        ("columns", sum(len(item.columns) for item in catalog.tables)),
        ("foreign keys", len(catalog.foreign_keys)),
        ("foreign key columns", catalog.foreign_key_columns),
        ("lineage edges", len(catalog.lineage)),
        ("lineage cycles", len(lineage_cycles(graph))),
        ("silos", len(groups)),
        ("tables in the largest silo", max(map(len, groups), default=0)),
        ("databases", len(catalog.databases)),
        *((f"edges {kind}", number) for kind, number in sorted(evidence.items())),
    ]
    return f"{table(('catalog', catalog.name), rows)}\nfingerprint {catalog.fingerprint}\n"


def _json(catalog: Catalog) -> str:
    return msgspec.json.format(msgspec.json.encode(catalog), indent=2).decode() + "\n"


def _is_same(source: str, out: Path) -> bool:
    known = settings().sources
    place = known[source].resolve(source) if source in known else source
    try:
        return os.path.samefile(place, out)
    except (OSError, ValueError):  # one of them is no file
        return False


FORMATS: dict[str, Callable[[Catalog], str]] = {
    "table": _summary,
    "json": _json,
    "ddl": to_ddl,
    "mermaid": to_mermaid,
    "graphml": lambda catalog: to_graphml(build_graph(catalog), catalog.name),
}
"""`json` is what every command takes as a source again."""


@click.command(cls=Command, example=EXAMPLE)
@click.argument("source")
@click.option("--format", type=click.Choice(list(FORMATS)), default="table", show_default=True)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="File to write; else stdout.")
@click.option("--name", help="Name of the catalog; else the file's.")
@click.option("--reader", type=click.Choice(list(READERS)), help="Reader; else found from the content.")
@click.option("--dialect", help="SQL dialect of a script, for example tsql; else found from the text.")
@click.option("--preset", type=click.Choice(list(PRESETS)), default="default", help="Which syn_logistics.")
@select_options
def command(source: str, format: str, out: Path | None, **asked: Any) -> None:
    """Read a source and show or save its catalog.

    SOURCE is a DuckDB or SQLite file, a script of CREATE TABLE statements or a folder of them, a catalog
    JSON, the address of a server, a source named in the settings file, or a bundled catalog
    (`warebench list catalogs`).
    """
    if out is not None and _is_same(source, out):
        raise UserError(
            "the catalog would replace its source", where=str(out), fix="Give --out another file."
        )
    selection = take_selection(asked)
    catalog = find_catalog(source, **asked, selection=selection)
    text = FORMATS[format](catalog)
    if out is None:
        show(text.rstrip("\n"))
        return
    write_text(out, text)
    say(f"Wrote {out}")
