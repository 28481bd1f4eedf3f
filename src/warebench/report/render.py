"""Write a report: HTML that works from a file without network, Markdown, CSV and JSON."""

import json
import math
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import pandas as pd
import plotly.io
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from plotly.offline import get_plotlyjs

from warebench._version import __version__
from warebench.errors import UserError, did_you_mean
from warebench.report.content import Content, Section, build_content
from warebench.report.figures import MODELS_DRAWN, build_figures
from warebench.report.markdown import markdown
from warebench.report.pairing import MARGIN
from warebench.report.palette import Figure
from warebench.report.remarks import METHOD
from warebench.report.summary import model_note
from warebench.report.table import Table
from warebench.report.wording import shown

FORMAT: Final = 1
"""Version of report.json."""


def write_report(
    scores: pd.DataFrame,
    out_dir: Path | str,
    *,
    formats: Sequence[str] = ("html", "md", "csv", "json"),
    notes: Sequence[str] = (),
    margin: float = MARGIN,
) -> tuple[Path, ...]:
    """Write a report about a score table. Equal scores and notes give equal bytes.

    Args:
        scores: One row per (model, method, question, epoch).
        out_dir: Directory to write to; made when missing, files of the same name are replaced.
        formats: Any of `html` (index.html), `md` (report.md), `csv` (tables/TRACK/TABLE.csv) and
            `json` (report.json).
        notes: Sentences shown at the top, for example how the run was limited.
        margin: Largest difference of EM that does not matter, above 0 and below 1.

    Returns:
        The files written, in the order of `formats`.

    Raises:
        UserError: A format is unknown, the margin is out of range, the table cannot be reported, or the
            directory cannot be written.
    """
    for name in formats:
        if name not in WRITERS:
            raise UserError(f"Unknown report format `{name}`", fix=did_you_mean(name, WRITERS))
    if not 0 < margin < 1:
        raise UserError(f"No difference of EM is {margin}", fix="Give a margin above 0 and below 1: 0.03.")
    content = build_content(scores, notes, margin)
    try:
        return tuple(path for name in formats for path in WRITERS[name](content, Path(out_dir)))
    except OSError as error:
        raise UserError(
            f"The report cannot be written: {error.strerror}",
            where=str(error.filename),
            fix="Give a folder you may write to, with --out.",
        ) from error


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


def _write_html(content: Content, out_dir: Path) -> list[Path]:
    template = _environment().get_template("report.html.j2")
    sections = [{"content": section, "figures": _figures(section)} for section in content.sections]
    page = template.render(
        report=content,
        sections=sections,
        method=METHOD,
        models_drawn=MODELS_DRAWN,
        plotly_js=Markup(get_plotlyjs()),  # noqa: S704  a library's own file, not input
        version=__version__,
    )
    return [_write(out_dir / "index.html", page)]


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("warebench.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["shown"] = shown
    environment.filters["model_note"] = model_note
    environment.filters["slug"] = slug
    return environment


def _figures(section: Section) -> list[dict[str, Any]]:
    return [_figure(figure, slug(section.track)) for figure in build_figures(section.tables)]


def _figure(figure: Figure, track: str) -> dict[str, Any]:
    panels = [
        {
            "id": f"plot-{track}-{figure.name}-{number}",
            "subtitle": subtitle,
            "json": _plot_json(plot),
            "height": height,
        }
        for number, (subtitle, plot) in enumerate(figure.panels)
        if (height := plot.layout.height)
    ]
    return {"figure": figure, "panels": panels}


def _plot_json(plot: Any) -> Markup:
    """Return a plot as JSON that cannot end the script element it stands in."""
    text: str = plotly.io.to_json(plot, engine="json")
    for char in "<>&":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Markup(text)  # noqa: S704  escaped above


def slug(name: str) -> str:
    """Return a name that can be a file name and an HTML id."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "track"


def _write_markdown(content: Content, out_dir: Path) -> list[Path]:
    return [_write(out_dir / "report.md", markdown(content))]


def _write_csv(content: Content, out_dir: Path) -> list[Path]:
    paths = []
    for section in content.sections:
        for table in _all_tables(section):
            text = table.frame.to_csv(index=False, float_format="%.6g", lineterminator="\n")
            paths.append(_write(out_dir / "tables" / slug(section.track) / f"{table.name}.csv", text))
    return paths


def _write_json(content: Content, out_dir: Path) -> list[Path]:
    document = {
        "format": FORMAT,
        "warebench": __version__,
        "caveats": content.caveats,
        "notes": content.notes,
        "next": content.steps,
        "method": METHOD,
        "tracks": [_json_section(section) for section in content.sections],
    }
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
    return [_write(out_dir / "report.json", text)]


def _json_section(section: Section) -> dict[str, Any]:
    return {
        "track": section.track,
        "run": section.lede,
        "result": section.result,
        "remarks": section.remarks,
        "tables": [_json_table(table) for table in _all_tables(section)],
    }


def _json_table(table: Table) -> dict[str, Any]:
    rows = [
        {str(name): _json_value(value) for name, value in row.items()}
        for row in table.frame.to_dict("records")
    ]
    return {"name": table.name, "title": table.title, "caption": table.caption, "rows": rows}


def _json_value(value: Any) -> Any:
    """Return a plain value; a number that does not exist becomes null."""
    return None if isinstance(value, float) and math.isnan(value) else value


def _all_tables(section: Section) -> Iterable[Table]:
    return (*section.tables.values(), section.sets)


WRITERS: Final[dict[str, Callable[[Content, Path], list[Path]]]] = {
    "html": _write_html,
    "md": _write_markdown,
    "csv": _write_csv,
    "json": _write_json,
}
"""One writer per format."""
