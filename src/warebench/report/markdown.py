"""A report as Markdown (GitHub tables)."""

from collections.abc import Iterator

from warebench.report.content import Content, Section
from warebench.report.remarks import METHOD
from warebench.report.table import Table
from warebench.report.wording import Cell, View, count, shown


def markdown(content: Content) -> str:
    """Return the report as Markdown: summary, details, failures, method."""
    return "\n".join(_lines(content)).rstrip() + "\n"


def _lines(content: Content) -> Iterator[str]:
    yield f"# warebench: {_safe(content.title)}\n"
    for text in (*content.caveats, *content.notes):
        yield f"> {_safe(text)}\n"
    if len(content.standings.frame):
        yield from _table(content.standings)
    for text in content.steps:
        yield f"- {_safe(text)}"
    yield ""
    for section in content.sections:
        yield from _section(section)
    yield "## How it was computed\n"
    for text in METHOD:
        yield f"- {text}"


def _section(section: Section) -> Iterator[str]:
    yield f"## {_safe(section.track)}\n"
    yield f"{_safe(section.lede)} {_safe(section.result)}".rstrip() + "\n"
    for text in section.remarks:
        yield f"> {_safe(text)}\n"
    for table in (section.tables["overview"], *section.details, *section.trouble, section.sets):
        yield from _table(table)


def _table(table: Table) -> Iterator[str]:
    yield f"### {table.title}\n"
    yield f"{table.caption}\n"
    view = shown(table)
    if not view.rows:
        yield "None.\n"
        return
    yield from _grid(view)
    if view.note:
        yield f"\n{_safe(view.note)}"
    if view.hidden:
        yield f"\n{count(view.hidden)} more rows in the CSV."
    yield ""


def _grid(view: View) -> Iterator[str]:
    yield _row([_safe(column.label) for column in view.columns])
    yield _row(["---:" if column.number else "---" for column in view.columns])
    for row in view.rows:
        yield _row([_cell(cell) for cell in row])


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: Cell) -> str:
    text = f"**{_safe(cell.text)}**" if cell.best else _safe(cell.text)
    return f"{text} ({cell.interval})" if cell.interval else text


def _safe(text: str) -> str:
    """Return text that cannot leave its table cell nor become markup."""
    flat = " ".join(text.split())
    for char, stand_in in (
        ("&", "&amp;"),
        ("<", "&lt;"),
        ("|", "\\|"),
        ("*", "\\*"),
        ("`", "\\`"),
        ("[", "\\["),
    ):
        flat = flat.replace(char, stand_in)
    return flat
