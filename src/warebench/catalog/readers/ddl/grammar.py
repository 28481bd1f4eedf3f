"""Read CREATE TABLE and ALTER TABLE: only names, columns, types and keys; the rest is let pass.

sqlglot stands no chance here: it refuses 29 of the 71 tables of Microsoft's own AdventureWorks script
(user types, computed columns, XML collections) and keeps other statements as opaque commands, so a
key could be lost without notice. See the check in `_refuse_lost_keys`.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from warebench.catalog.assemble import TableName
from warebench.catalog.readers.ddl.elements import Definition, read_element, read_elements
from warebench.catalog.readers.ddl.parts import Tokens, fault, group, is_open, skip, table_name
from warebench.catalog.readers.ddl.statements import Statement
from warebench.catalog.readers.ddl.tokens import Script, Token, split_at

WITHOUT_LIST = frozenset({"AS", "LIKE", "PARTITION", "USING", "CLONE", "SELECT", "SHALLOW", "DEEP"})
"""Words by which a CREATE TABLE does without a column list."""
ALTER_VERBS = frozenset(
    re.findall(
        r"\w+",
        """DROP ALTER MODIFY CHANGE RENAME SET RESET ENABLE DISABLE OWNER VALIDATE CHECK NOCHECK SWITCH
        REBUILD ATTACH DETACH CLUSTER REPLICA FORCE NO COMMENT ENGINE AUTO_INCREMENT CONVERT TRUNCATE
        INHERIT""",
    )
)
"""Words that begin an action of ALTER TABLE other than ADD."""
CHECK_CHOICES = (["WITH", "CHECK"], ["WITH", "NOCHECK"])


def read_create(statement: Statement, script: Script) -> Definition:
    """Return what a CREATE TABLE says.

    Raises:
        SourceError: It cannot be read; the error names file, line and table.
    """
    name, rest = table_name(skip(statement.tokens, "IF", "NOT", "EXISTS"), script, statement.start)
    empty = Definition(name=name, where=script.at(statement.start))
    if rest and is_open(rest[0]):
        body, tail = group(rest, script, name)
        if body and body[0].word in {"SELECT", "WITH"}:
            return empty
        definition = read_elements(empty, body, script)
        _refuse_lost_keys(definition, body, script)
        return replace(definition, copies=(*definition.copies, *_inherited(tail, script)))
    if not any(token.word in WITHOUT_LIST for token in rest):
        raise fault("this CREATE TABLE has no column list", script, statement.start, name)
    return _copied(empty, rest, script)


def read_alter(statement: Statement, script: Script) -> Definition:
    """Return what an ALTER TABLE adds, or drops of what was added.

    Raises:
        SourceError: It adds a key that cannot be read, or renames or drops what keys may rest on.
    """
    tokens = skip(skip(skip(statement.tokens, "IF", "EXISTS"), "ONLY"), "IF", "EXISTS")
    name, rest = table_name(tokens, script, statement.start)
    definition = Definition(name=name, where=script.at(statement.start))
    adding = False
    for action in split_at(rest, ","):
        action = _without_check(action)
        verb = action[0].word if action else ""
        if verb == "ADD":
            adding, action = True, skip(skip(action[1:], "COLUMN"), "IF", "NOT", "EXISTS")
        elif verb in ALTER_VERBS:
            adding = False
        if adding and not action:
            raise fault("an ADD names nothing", script, statement.start, name)
        if adding:
            definition = _added(definition, action, script)
        elif [token.word for token in action[:2]] == ["ATTACH", "PARTITION"] and _names_table(action):
            part, _ = table_name(action[2:], script, statement.start)
            definition = replace(definition, parts=(*definition.parts, part))
        elif verb in {"DROP", "RENAME"}:
            definition = replace(definition, dropped=(*definition.dropped, *_dropped(action, script, name)))
    _refuse_lost_keys(definition, rest, script)
    return definition


def read_drop(statement: Statement, script: Script) -> list[TableName]:
    """Return the tables a DROP TABLE names.

    Raises:
        SourceError: It names none.
    """
    listed = split_at(skip(statement.tokens, "IF", "EXISTS"), ",")
    return [table_name(part, script, statement.start)[0] for part in listed]


def _names_table(action: Tokens) -> bool:
    """Tell whether a table is attached; ClickHouse attaches a part by its value, as in `PARTITION 201902`."""
    return len(action) > 2 and action[2].kind in {"word", "quoted"} and action[2].word not in {"ID", "ALL"}


def _without_check(action: Tokens) -> Tokens:
    """Drop T-SQL's WITH CHECK or WITH NOCHECK before ADD."""
    return action[2:] if [token.word for token in action[:2]] in CHECK_CHOICES else action


def _added(definition: Definition, action: Tokens, script: Script) -> Definition:
    if is_open(action[0]):
        body, _ = group(action, script, definition.name)
        return read_elements(definition, body, script)
    return read_element(definition, action, script)


def _dropped(action: Tokens, script: Script, name: TableName) -> tuple[str, ...]:
    """Return the constraint an action drops; renames and lost columns would falsify the catalog."""
    words = [token.word for token in action]
    if words[0] == "RENAME" and words[1:2] not in (["CONSTRAINT"], ["INDEX"], ["KEY"]):
        raise fault("ALTER TABLE ... RENAME is not followed", script, action[0].start, name)
    if words[0] == "RENAME":
        return ()
    target = skip(skip(skip(action[1:], "CONSTRAINT"), "FOREIGN", "KEY"), "IF", "EXISTS")
    if len(target) < len(action) - 1 or words[1:2] in (["INDEX"], ["KEY"], ["PARTITION"], ["CHECK"]):
        return tuple(token.text for token in target[:1])
    if words[1:3] == ["PRIMARY", "KEY"]:
        return ()
    raise fault("ALTER TABLE ... DROP of a column is not followed", script, action[0].start, name)


def _inherited(tail: Tokens, script: Script) -> tuple[TableName, ...]:
    for position, token in enumerate(tail[:-1]):
        if token.word == "INHERITS":
            body, _ = group(tail[position + 1 :], script, TableName("", "", ""))
            return tuple(table_name(part, script, token.start)[0] for part in split_at(body, ","))
    return ()


def _copied(empty: Definition, rest: Tokens, script: Script) -> Definition:
    """Return the definition of `LIKE t`, `CLONE t` or `PARTITION OF t`.

    The first two take over the primary key, as MySQL's and Snowflake's do, and no foreign key.
    """
    for opener in (["LIKE"], ["CLONE"], ["SHALLOW", "CLONE"], ["DEEP", "CLONE"], ["PARTITION", "OF"]):
        behind = skip(rest, *opener)
        if len(behind) < len(rest):
            model, _ = table_name(behind, script, rest[0].start)
            if opener[0] == "PARTITION":
                return replace(empty, part_of=model)
            return replace(empty, copies=(model,), key_of=model)
    return empty


def _refuse_lost_keys(definition: Definition, tokens: Sequence[Token], script: Script) -> None:
    """Refuse a statement in which REFERENCES stands more often than keys were read."""
    written = [token for token in tokens if token.word == "REFERENCES"]
    if len(written) > len(definition.keys):
        raise fault("a foreign key cannot be read", script, written[-1].start, definition.name)
