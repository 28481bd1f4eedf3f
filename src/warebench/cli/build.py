"""`warebench build`: catalogs to question sets."""

from collections import Counter
from pathlib import Path
from typing import Any, Literal

import click

from warebench.catalog.bundled import BUNDLED
from warebench.catalog.select import Selection
from warebench.catalog.synthetic import PRESETS
from warebench.cli.command import Command, table_or_json
from warebench.cli.options import select_options, take_selection
from warebench.cli.output import say, show, show_json, table
from warebench.cli.progress import progress_bar
from warebench.cli.sources import attach, find_source
from warebench.cli.values import Pair
from warebench.errors import BuildError
from warebench.questions.model import QuestionSet
from warebench.questions.store import write_questions
from warebench.questions.track import Source, Track
from warebench.tracks import TRACKS, find_track
from warebench.tracks.dispatch import (
    build_questions,
    find_twin,
    obfuscate_questions,
    remark_questions,
)

EXAMPLE = """
warebench build topology --source shop.duckdb --size 20 --seed 7 --out sets/shop
warebench build topology --profile paper --obfuscate tables --out sets/paper
warebench build topology --source omop_cdm --param fk_direction=child_to_parent --dry-run
warebench build multitable --param windows=8K,16K --param databases=airline,movie --out sets/tables
warebench build multitable --source shop.duckdb --size 2
warebench build topology --source spider:FOLDER --size 1"""

FLAGGED = ("profile", "size", "seed", "subtypes")
"""Options of tracks that have a flag of their own."""

MOST_COLUMNS = 12
"""Catalogs that are counted apart; of a pool there may be thousands."""

Level = Literal["tables", "columns"]


@click.command(cls=Command, example=EXAMPLE)
@click.argument("track", default=TRACKS[0].name, type=click.Choice([track.name for track in TRACKS]))
@click.option("--source", multiple=True, help="As for `warebench catalog`, or a collection; repeatable.")
@select_options
@click.option("--profile", default="default", show_default=True, help="default: balanced. paper: its counts.")
@click.option(
    "--size", type=int, help="Questions per subtype and catalog (20), or template and instance (1)."
)
@click.option("--seed", type=int, help="Of every random choice; 7, for intelligence 42.")
@click.option("--subtype", multiple=True, help="Ask only this subtype; repeatable.")
@click.option(
    "--param",
    multiple=True,
    type=Pair(),
    help="A choice that changes gold, or an option of the track; repeatable.",
)
@click.option(
    "--examples",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Budget: your questions with SQL in CSV, JSON or YAML, instead of composed ones.",
)
@click.option("--preset", type=click.Choice(list(PRESETS)), help="Of syn_logistics; profile paper: released.")
@click.option(
    "--obfuscate",
    multiple=True,
    type=click.Choice(["tables", "columns"]),
    help="Write the twin too, as OUT-tables or OUT-columns; repeatable.",
)
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder; else sets/TRACK.")
@click.option("--dry-run", is_flag=True, help="Build and count, but write nothing.")
@table_or_json
def command(
    track: str, out: Path | None, dry_run: bool, format: str, obfuscate: tuple[Level, ...], **asked: Any
) -> None:
    """Build a question set from catalogs.

    Every answer is found by two methods that share no code; a disagreement refuses the set. Equal sources,
    options and seed give equal bytes.

    A collection is a folder of database files, spider:FOLDER or bird:FOLDER. Without a source, questions are
    about what is bundled.
    """
    if obfuscate:
        find_twin(track)  # before the work: some tracks have none
    made = _build(track, asked)
    for finding in remark_questions(made):
        say(f"{finding.severity}: {finding.where}: {finding.code} {finding.message}")
    for missing in made.manifest.left_out or ():
        say(f"{missing.catalog}: {missing}")
    target = out or Path("sets") / track
    written = []
    if not dry_run:
        written.append(_write(made, target))
        for level in obfuscate:
            beside = target.parent / f"{target.resolve().name}-{level}"
            if target.resolve() == Path.cwd():
                beside = target.resolve().with_name(beside.name)
            written.append(_write(obfuscate_questions(made, level), beside))
    if format == "json":
        show_json(_as_json(made, written))
    else:
        _show_counts(made)


def _build(name: str, asked: dict[str, Any]) -> QuestionSet:
    track = find_track(name)
    selection = take_selection(asked)
    options = _options(track, asked)
    track.read_options(options)  # before the sources are read, which can take minutes
    sources = _sources(track, asked, selection)
    with progress_bar("building", len(sources) or None) as progress:
        return build_questions(name, sources, progress=progress, **options)


def _sources(track: Track[Any], asked: dict[str, Any], selection: Selection) -> list[Source]:
    makes_its_own = track.rows or track.collections
    if makes_its_own and asked["preset"]:
        raise BuildError(f"the {track.name} track has no catalog `syn_logistics`", fix="Leave out --preset.")
    preset = asked["preset"] or ("released" if asked["profile"] == "paper" else "default")
    sources = asked["source"] or (() if makes_its_own else BUNDLED)
    found = [find_source(source, track, preset, selection) for source in sources]
    if not asked["examples"]:
        return found
    if not track.collections or not found:
        raise BuildError(
            "examples are about databases of the budget track", fix="Build budget, with --source."
        )
    (gathered,) = track.gather(found)
    return [attach(gathered, asked["examples"])]


def _options(track: Track[Any], asked: dict[str, Any]) -> dict[str, object]:
    """Return the options of a track: its flags that were given, and what --param says."""
    given = {name: asked[name] for name in ("profile", "size", "seed") if asked[name] is not None}
    if asked["subtype"]:
        if "subtypes" not in track.options.__struct_fields__:
            raise BuildError(f"the {track.name} track asks all of its subtypes", fix="Leave out --subtype.")
        given["subtypes"] = asked["subtype"]
    words = dict(asked["param"])
    for name in words:
        if name in FLAGGED:
            raise BuildError(f"`{name}` has a flag of its own", fix=f"Give --{name.removesuffix('s')}.")
    if "parameters" in track.options.__struct_fields__:
        return given | {"parameters": words}
    return given | track.read_words(words)


def _write(question_set: QuestionSet, folder: Path) -> str:
    write_questions(question_set, folder)
    say(f"Wrote {len(question_set.questions)} questions to {folder}")
    return str(folder)


def _show_counts(made: QuestionSet) -> None:
    counts = Counter((question.subtype, question.catalog) for question in made.questions)
    catalogs = [name for name in made.catalogs if any(where == name for _, where in counts)]
    kinds = [kind.name for kind in find_track(made.manifest.track).subtypes]
    grid = {kind: [counts[kind, name] for name in catalogs] for kind in kinds}
    asked = {kind: row for kind, row in grid.items() if any(row)}
    asked["total"] = [sum(column) for column in zip(*asked.values(), strict=True)]
    apart = len(catalogs) <= MOST_COLUMNS
    columns = ("subtype", *(catalogs if apart else ()), "total")
    show(table(columns, [(kind, *(row if apart else ()), sum(row)) for kind, row in asked.items()]))
    if not apart:
        show(
            f"\nabout {len(catalogs)} of {len(made.catalogs)} databases; --format json counts them one by one"
        )
    short = made.manifest.shortfalls
    if short:
        show("\nfewer questions than asked for:")
        columns = ("catalog", "subtype", "asked", "made", "reason")
        show(table(columns, [(s.catalog, s.subtype, s.asked, s.made, s.reason) for s in short]))


def _as_json(made: QuestionSet, written: list[str]) -> dict[str, object]:
    counts: dict[str, dict[str, int]] = {name: {} for name in made.catalogs}
    for question in made.questions:
        row = counts[question.catalog]
        row[question.subtype] = row.get(question.subtype, 0) + 1
    short = made.manifest.shortfalls
    return {
        "track": made.manifest.track,
        "profile": made.manifest.profile,
        "seed": made.manifest.seed,
        "parameters": made.manifest.parameters,
        "questions": len(made.questions),
        "questions_sha256": made.manifest.questions_sha256,
        "written": written,
        "counts": counts,
        "shortfalls": [
            {"catalog": s.catalog, "subtype": s.subtype, "asked": s.asked, "made": s.made, "reason": s.reason}
            for s in short
        ],
    }
