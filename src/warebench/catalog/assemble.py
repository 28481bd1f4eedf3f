"""Turn what a reader found into a catalog: resolve references, qualify names, leave out what cannot stand."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from warebench.catalog.drafts import DEFAULT_SCHEMAS, KeyDraft, TableDraft, TableName, label_tables
from warebench.catalog.model import Catalog, ForeignKey, LeftOut, LineageEdge, Table
from warebench.catalog.references import References, primary_key
from warebench.catalog.spelling import canonical
from warebench.catalog.validate import name_fault, validate

__all__ = ["DEFAULT_SCHEMAS", "KeyDraft", "TableDraft", "TableName", "assemble", "label_tables"]


def assemble(
    drafts: Sequence[TableDraft], *, name: str, source: str, left_out: Sequence[LeftOut] = ()
) -> Catalog:
    """Return a valid catalog of the drafts, less what cannot stand, and with the word of what that is.

    Names are matched exactly first and then without regard to case. They are qualified with their schema when
    more than one schema holds tables, and with their database when there are several. Left out are tables
    with a fault, or with names that cannot be shown or told apart; columns of such names; keys and edges that
    name an unknown or ambiguous table or column.

    Args:
        drafts: The tables in source order.
        name: Name of the catalog.
        source: Where it was read from, in words.
        left_out: What the reader left out before.

    Raises:
        CatalogError: The name cannot be shown.
    """
    drafts = _unify_schemas(drafts)
    labels = label_tables(draft.name for draft in drafts)
    lost: list[LeftOut] = []
    drafts = [_drop_columns(draft, labels[draft.name], lost) for draft in drafts]
    kept, gone = _part(drafts, labels)
    references = References(drafts, labels, {draft.name: why for draft, why in gone})
    lost += [
        LeftOut(
            kind="column",
            what=f"primary key ({', '.join(draft.primary_key)})",
            where=labels[draft.name],
            why="the table has no such column",
        )
        for draft in kept
        if draft.primary_key and not primary_key(draft)
    ]
    keys: list[ForeignKey] = []
    lineage: list[LineageEdge] = []
    for draft in kept:
        found = references.resolve(draft)
        keys += found[0]
        lineage += found[1]
    lost += [_leave(draft, why, labels, references) for draft, why in gone]
    catalog = Catalog(
        name=name,
        tables=tuple(
            Table(
                name=labels[draft.name],
                database=draft.name.database,
                columns=draft.columns,
                primary_key=primary_key(draft),
                kind=draft.kind,
            )
            for draft in kept
        ),
        # The same unnamed key declared twice is one key: SQLite, for one, reports each declaration.
        foreign_keys=tuple(dict.fromkeys(keys)),
        lineage=tuple(dict.fromkeys(lineage)),
        source=source,
        left_out=(*left_out, *lost, *references.left),
    )
    return validate(catalog, where=source)


def _unify_schemas(drafts: Sequence[TableDraft]) -> list[TableDraft]:
    """Spell each schema as it is spelled first; no schema is the default one where that occurs."""
    spelling: dict[str, str] = {}
    for draft in drafts:
        spelling.setdefault(draft.name.schema.casefold(), draft.name.schema)
    spelling[""] = next((spelling[default] for default in DEFAULT_SCHEMAS if default in spelling), "")
    return [
        replace(draft, name=draft.name._replace(schema=spelling[draft.name.schema.casefold()]))
        for draft in drafts
    ]


def _drop_columns(draft: TableDraft, label: str, lost: list[LeftOut]) -> TableDraft:
    """Return a table without the columns whose names cannot be shown, or stand twice."""
    kept: dict[str, object] = {}
    for column in draft.columns:
        fault = name_fault(column.name) or ("stands twice" if column.name in kept else "")
        if fault:
            what = f"column {column.name!r}"
            lost.append(LeftOut(kind="column", what=what, where=_shown(label), why=f"its name {fault}"))
        else:
            kept[column.name] = column
    if len(kept) == len(draft.columns):
        return draft
    columns = tuple(column for column in draft.columns if kept.get(column.name) is column)
    return replace(draft, columns=columns, fault=draft.fault or ("" if columns else "it has no other column"))


def _part(
    drafts: Sequence[TableDraft], labels: Mapping[TableName, str]
) -> tuple[list[TableDraft], list[tuple[TableDraft, str]]]:
    """Return the tables that a catalog can hold, and the others with the reason."""
    kept: dict[str, TableDraft] = {}
    gone = []
    for draft in drafts:
        label = labels[draft.name]
        # Answers are compared in this form, so two tables that share it could not be told apart.
        form = canonical(label)
        why = draft.fault
        if not why and (fault := name_fault(label)):
            why = f"its name {fault}"
        if not why and form in kept:
            why = f"its name cannot be told from {labels[kept[form].name]!r}"
        if why:
            gone.append((draft, why))
        else:
            kept[form] = draft
    return list(kept.values()), gone


def _leave(draft: TableDraft, why: str, labels: Mapping[TableName, str], references: References) -> LeftOut:
    label = _shown(labels[draft.name])
    what = "view" if draft.kind == "view" else "table"
    return LeftOut(kind="table", what=what, where=label, why=why, touches=references.neighbours(draft))


def _shown(name: str) -> str:
    return repr(name) if name_fault(name) else name
