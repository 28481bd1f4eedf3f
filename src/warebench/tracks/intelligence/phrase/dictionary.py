"""Pages of the data dictionary: where a dimension is stored, and what readers call its stored values."""

from warebench.tracks.intelligence.knowledge.model import Dimension


def dictionary_page(dimension: Dimension) -> str:
    """Return the Markdown page of a dimension, without which nobody could tell what `cash debit` is."""
    title = f"{dimension.label[:1].upper()}{dimension.label[1:]}"
    head = f"# {title}\n\n- Column: {dimension.table}.{dimension.column}\n\n## Values\n\n"
    if not dimension.values:
        return f"{head}Values are called as they are stored.\n"
    rows = "".join(f"| {stored} | {name} |\n" for stored, name in dimension.values.items())
    rest = "Values that are not listed are called as they are stored."
    return f"{head}{rest}\n\n| Stored | Called |\n|---|---|\n{rows}"


def dictionary_path(dimension: Dimension) -> str:
    """Return the path of a dimension's page among the documents."""
    return f"dimensions/{dimension.id.lower().replace('_', '-')}.md"
