"""Which table and columns a reference means: a foreign key's, or what a view reads."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from warebench.catalog.drafts import DEFAULT_SCHEMAS, KeyDraft, TableDraft, TableName
from warebench.catalog.model import ForeignKey, LeftOut, LineageEdge
from warebench.errors import did_you_mean


class _BrokenError(Exception):
    """A reference that names nothing; its text is the reason, as a clause."""


class References:
    """Resolves what drafts refer to; what does not hold is kept in `left`."""

    def __init__(
        self, drafts: Sequence[TableDraft], labels: Mapping[TableName, str], gone: Mapping[TableName, str]
    ) -> None:
        """Take the tables of a source.

        Args:
            drafts: All of them, with column names that can be shown.
            labels: Their names in the catalog.
            gone: Those that the catalog leaves out, and why.
        """
        self._labels, self._gone = labels, gone
        self._by_name: dict[str, list[TableDraft]] = defaultdict(list)
        for draft in drafts:
            self._by_name[draft.name.table.casefold()].append(draft)
        self.left: list[LeftOut] = []

    def resolve(self, draft: TableDraft) -> tuple[list[ForeignKey], list[LineageEdge]]:
        """Return the keys and lineage edges of one table that hold."""
        keys, edges = [], []
        for key in draft.keys:
            try:
                keys.append(self._key(key, draft))
            except _BrokenError as why:
                what = f"foreign key ({', '.join(key.columns)}) -> {key.parent}"
                self._leave("key", what, why, draft, key.parent)
        for name in draft.upstream:
            try:
                upstream = self._labels[self._kept(name, draft).name]
            except _BrokenError as why:
                self._leave("edge", f"what it derives from `{name}`", why, draft, name)
                continue
            if upstream != self._labels[draft.name]:
                edges.append(
                    LineageEdge(downstream=self._labels[draft.name], upstream=upstream, evidence="declared")
                )
        return keys, edges

    def neighbours(self, draft: TableDraft) -> tuple[str, ...]:
        """Return the tables of the catalog that a table, itself left out, refers to."""
        names = [*(key.parent for key in draft.keys), *draft.upstream]
        return tuple(sorted({label for name in names for label in self._meant(name, draft)}))

    def _leave(self, kind: str, what: str, why: Exception, draft: TableDraft, other: TableName) -> None:
        here = self._labels[draft.name]
        self.left.append(
            LeftOut(
                kind="key" if kind == "key" else "edge",
                what=what,
                where=here,
                why=str(why),
                touches=tuple(sorted({here, *self._meant(other, draft)})),
            )
        )

    def _meant(self, name: TableName, child: TableDraft) -> list[str]:
        """Return the tables of the catalog that a name may mean."""
        found = self._find(name, child)
        return [self._labels[draft.name] for draft in found if draft.name not in self._gone]

    def _key(self, key: KeyDraft, child: TableDraft) -> ForeignKey:
        parent = self._kept(key.parent, child)
        parent_columns = key.parent_columns or _implied_columns(key, parent)
        if len(key.columns) != len(parent_columns):
            raise _BrokenError(
                f"it pairs {len(key.columns)} columns with {len(parent_columns)}"
                f" of table {self._labels[parent.name]!r}: ({', '.join(parent_columns)})"
            )
        return ForeignKey(
            child=self._labels[child.name],
            parent=self._labels[parent.name],
            child_columns=tuple(spell_column(column, child) for column in key.columns),
            parent_columns=tuple(spell_column(column, parent) for column in parent_columns),
            name=key.name,
        )

    def _kept(self, name: TableName, child: TableDraft) -> TableDraft:
        """Return the one table of the catalog that a reference means."""
        found = self._find(name, child)
        if len(found) > 1:
            raise _BrokenError(f"{len(found)} tables are called {str(name)!r}")
        if not found:
            known = sorted({draft.name.table for group in self._by_name.values() for draft in group})
            hint = did_you_mean(name.table, known)
            raise _BrokenError(
                f"there is no table {str(name)!r}" + (f" ({hint})" if hint.startswith("Did") else "")
            )
        if found[0].name in self._gone:
            raise _BrokenError(f"table {self._labels[found[0].name]!r} is left out")
        return found[0]

    def _find(self, name: TableName, child: TableDraft) -> Sequence[TableDraft]:
        """Return what a reference means: a table of its own schema, else the default's, else the only one."""
        namesakes = self._by_name.get(name.table.casefold(), ())
        schemas = [name.schema] if name.schema else [child.name.schema, *DEFAULT_SCHEMAS, ""]
        if name.schema.casefold() in DEFAULT_SCHEMAS:
            schemas.append("")
        found: Sequence[TableDraft] = ()
        for schema in schemas:
            found = [draft for draft in namesakes if draft.name.schema.casefold() == schema.casefold()]
            if found:
                break
        if not found and not name.schema:
            found = namesakes
        if len(found) > 1:
            found = [draft for draft in found if draft.name.table == name.table] or found
        return found


def _implied_columns(key: KeyDraft, parent: TableDraft) -> tuple[str, ...]:
    """Return the parent's primary key, which SQL means when a reference names no columns."""
    if parent.primary_key:
        return parent.primary_key
    raise _BrokenError(f"it names no column of {str(key.parent)!r}, which has no primary key")


def spell_column(name: str, table: TableDraft) -> str:
    """Return a column's real spelling; a table whose columns are unknown accepts any."""
    names = [column.name for column in table.columns]
    if not names or name in names:
        return name
    for known in names:
        if known.casefold() == name.casefold():
            return known
    hint = did_you_mean(name, names)
    raise _BrokenError(
        f"table {table.name.table!r} has no column {name!r}"
        + (f" ({hint})" if hint.startswith("Did") else "")
    )


def primary_key(draft: TableDraft) -> tuple[str, ...]:
    """Return the primary key as the columns are spelled; none where a column of it is not there."""
    try:
        found = tuple(spell_column(column, draft) for column in draft.primary_key)
    except _BrokenError:
        return ()
    return found if len(set(found)) == len(found) else ()
