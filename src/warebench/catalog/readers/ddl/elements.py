"""Read the elements of a column list: columns and keys; indexes, checks and periods are let pass."""

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from warebench.catalog.assemble import KeyDraft, TableName
from warebench.catalog.model import Column
from warebench.catalog.readers.ddl.parts import (
    NAMES,
    Tokens,
    fault,
    first_list,
    is_open,
    name_text,
    table_name,
)
from warebench.catalog.readers.ddl.tokens import Script, split_at

AFTER_TYPE = frozenset(
    re.findall(
        r"\w+",
        """NOT NULL DEFAULT PRIMARY UNIQUE REFERENCES CHECK CONSTRAINT COLLATE IDENTITY AUTO_INCREMENT
        AUTOINCREMENT GENERATED AS COMMENT ROWGUIDCOL SPARSE ON ENCODE CHARSET KEY FOREIGN MASKED HIDDEN
        VISIBLE INVISIBLE VIRTUAL STORED STORAGE COMPRESSION DEFERRABLE OPTIONS PERSISTED FILESTREAM CODEC
        TTL DISTKEY SORTKEY ENFORCED""",
    )
)
"""Words that end a column's type."""
NAMELESS = frozenset({"PRIMARY", "FOREIGN", "UNIQUE", "CHECK"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Definition:
    """What one CREATE TABLE or ALTER TABLE ... ADD says about a table."""

    name: TableName
    where: str
    columns: tuple[Column, ...] = ()
    primary_key: tuple[str, ...] = ()
    keys: tuple[KeyDraft, ...] = ()
    copies: tuple[TableName, ...] = ()
    """Tables whose columns it takes over: LIKE, CLONE, INHERITS."""
    key_of: TableName | None = None
    """The one whose primary key it takes over too."""
    part_of: TableName | None = None
    """The table whose partition it is, and which it is no table beside."""
    parts: tuple[TableName, ...] = ()
    """Tables that ALTER TABLE makes its partitions."""
    dropped: tuple[str, ...] = ()
    """Constraints that ALTER TABLE drops."""


def read_elements(definition: Definition, body: Tokens, script: Script) -> Definition:
    """Return the definition with every element of a column list added.

    Raises:
        SourceError: An element cannot be read.
    """
    parts = list(split_at(body, ","))
    if not parts[-1]:
        parts.pop()  # T-SQL lets a comma end the list.
    for part in parts:
        if not part:
            raise fault("two commas follow each other", script, body[0].start, definition.name)
        for element in _apart(part):
            definition = read_element(definition, element, script)
    return definition


def _apart(part: Tokens) -> list[Tokens]:
    """Split table constraints with no comma between them, which SQLite lets pass."""
    if part[0].word not in {"CONSTRAINT", *NAMELESS}:
        return [part]
    after_name = 3 if part[0].word == "CONSTRAINT" else 1
    for position in range(after_name, len(part) - 1):
        pair = (part[position].word, part[position + 1].word)
        if pair[0] == "CONSTRAINT" or pair in {("FOREIGN", "KEY"), ("PRIMARY", "KEY")}:
            return [part[:position], *_apart(part[position:])]
    return [part]


def read_element(definition: Definition, part: Tokens, script: Script) -> Definition:
    """Return the definition with one element added: a column, a key, or nothing when it is neither.

    Raises:
        SourceError: The element cannot be read.
    """
    start = part[0].start
    name, part = _constraint_name(part)
    if not part:
        raise fault("a constraint says nothing", script, start, definition.name)
    word = part[0].word
    following = part[1].word if len(part) > 1 else ""
    if word == "PRIMARY" and following == "KEY":
        return replace(definition, primary_key=first_list(part, script, definition.name))
    if word == "FOREIGN" and following == "KEY":
        return _with_key(definition, _foreign_key(part, name, script, definition))
    if word == "LIKE":
        model, choices = table_name(part[1:], script, part[0].start)
        pairs = set(pairwise(token.word for token in choices))
        keyed = bool(pairs & {("INCLUDING", "ALL"), ("INCLUDING", "INDEXES")})
        copied = (*definition.copies, model)
        return replace(definition, copies=copied, key_of=model if keyed else definition.key_of)
    if name or _is_neither(part):
        return definition
    return _with_column(definition, part, script)


def _constraint_name(part: Tokens) -> tuple[str, Tokens]:
    if not part or part[0].word != "CONSTRAINT":
        return "", part
    if len(part) > 1 and part[1].word in NAMELESS:
        return "", part[1:]
    return (part[1].text if len(part) > 1 else ""), part[2:]


def _is_neither(part: Tokens) -> bool:
    """Tell whether an element is an index, a check or a period, none of which is a column or a key."""
    word, following = part[0].word, part[1] if len(part) > 1 else None
    if word in {"UNIQUE", "CHECK"}:
        return True
    if following is None:
        return False
    if word in {"PARTITION", "SUBPARTITION"} and _is_partition(part):
        return True
    if word in {"PERIOD", "EXCLUDE", "PARTITION", "FULLTEXT", "SPATIAL"}:
        return is_open(following) or following.word in {"FOR", "USING", "KEY", "INDEX"}
    if word not in {"KEY", "INDEX"}:
        return False
    # `KEY name (column)` is an index, `key varchar(10)` a column.
    inside = next((after for token, after in pairwise(part) if is_open(token)), None)
    return inside is not None and inside.kind in NAMES


def _is_partition(part: Tokens) -> bool:
    """Tell a partition that is added (`PARTITION p3 VALUES LESS THAN (9)`) from a column of that name."""
    return part[1].word == "PARTITIONS" or "VALUES" in [token.word for token in part[1:4]]


def _with_key(definition: Definition, key: KeyDraft) -> Definition:
    return replace(definition, keys=(*definition.keys, key))


def _foreign_key(part: Tokens, name: str, script: Script, definition: Definition) -> KeyDraft:
    words = [token.word for token in part]
    if "REFERENCES" not in words:
        raise fault("this FOREIGN KEY has no REFERENCES", script, part[0].start, definition.name)
    split = words.index("REFERENCES")
    columns = first_list(part[:split], script, definition.name)
    parent, parent_columns = _reference(part[split + 1 :], script, part[0].start)
    return KeyDraft(
        columns=columns,
        parent=parent,
        parent_columns=parent_columns,
        name=name,
        where=script.at(part[0].start),
    )


def _reference(tokens: Tokens, script: Script, start: int) -> tuple[TableName, tuple[str, ...]]:
    """Read `parent (column, ...)`; the columns may be left out."""
    parent, rest = table_name(tokens, script, start)
    if rest and is_open(rest[0]):
        return parent, first_list(rest, script, parent)
    return parent, ()


def _with_column(definition: Definition, part: Tokens, script: Script) -> Definition:
    if part[0].kind not in NAMES:
        raise fault(f"a column cannot begin with {part[0].text!r}", script, part[0].start, definition.name)
    end = next((n for n in range(1, len(part)) if _ends_type(part, n)), len(part))
    options = part[end:]
    words = _outer_words(options)
    pairs = list(pairwise(words))
    is_key = ("PRIMARY", "KEY") in pairs
    column = Column(
        name=name_text(part[0]),
        type=_type(part[1:end], script),
        nullable=not (is_key or ("NOT", "NULL") in pairs),
    )
    definition = replace(definition, columns=(*definition.columns, column))
    if is_key:
        definition = replace(definition, primary_key=(column.name,))
    if "REFERENCES" in words:
        definition = _with_key(definition, _inline_key(column.name, options, script))
    return definition


def _outer_words(options: Tokens) -> list[str]:
    """Return the words outside parentheses, nothing for what stands within: `CHECK (a IS NOT NULL)`."""
    words, depth = [], 0
    for token in options:
        depth += is_open(token)
        words.append("" if depth else token.word)
        depth -= token.kind == "symbol" and token.text == ")"
    return words


def _ends_type(part: Tokens, position: int) -> bool:
    token = part[position]
    following = part[position + 1].word if position + 1 < len(part) else ""
    return token.word in AFTER_TYPE or (token.word == "CHARACTER" and following == "SET")


def _inline_key(column: str, options: Tokens, script: Script) -> KeyDraft:
    words = _outer_words(options)
    position = words.index("REFERENCES")
    parent, parent_columns = _reference(options[position + 1 :], script, options[position].start)
    named = position >= 2 and words[position - 2] == "CONSTRAINT"
    return KeyDraft(
        columns=(column,),
        parent=parent,
        parent_columns=parent_columns,
        name=options[position - 1].text if named else "",
        where=script.at(options[position].start),
    )


def _type(tokens: Tokens, script: Script) -> str:
    """Return a type as it is spelled, without the quotes of its names and with single spaces."""
    text = ""
    end = tokens[0].start if tokens else 0
    for token in tokens:
        text += (" " if token.start > end else "") + token.text
        end = token.end
    return text
