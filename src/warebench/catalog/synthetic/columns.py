"""Columns, primary keys and foreign key columns of a drafted silo."""

import random
from collections.abc import Mapping

from warebench.catalog.model import Column, ForeignKey, Table
from warebench.catalog.synthetic.draft import DraftTable, Role, Silo
from warebench.catalog.synthetic.words import ROLES

SAME_NAME = 0.7
"""Chance that a foreign key column is called as the key it references."""


def _columns(spelled: str) -> tuple[Column, ...]:
    return tuple(Column(name=n, type=t) for n, _, t in (word.partition(":") for word in spelled.split()))


ATTRIBUTES: Mapping[Role, tuple[Column, ...]] = {
    "raw": _columns(
        "payload_hash:VARCHAR(64) external_ref:VARCHAR(40) event_time:TIMESTAMP quantity_text:VARCHAR(20) "
        "amount_text:VARCHAR(20) currency_text:VARCHAR(3) status_text:VARCHAR(20) file_name:VARCHAR(200)"
    ),
    "staging": _columns(
        "external_ref:VARCHAR(40) event_date:DATE quantity:DECIMAL(12,2) amount:DECIMAL(14,2) "
        "currency_code:CHAR(3) status:VARCHAR(20) is_duplicate:BOOLEAN dq_score:INTEGER"
    ),
    "dimension": _columns(
        "valid_from:DATE valid_to:DATE is_current:BOOLEAN description:VARCHAR(200) country_code:CHAR(2) "
        "status:VARCHAR(20) sort_order:INTEGER created_on:DATE"
    ),
    "fact": _columns(
        "event_date:DATE quantity:DECIMAL(12,2) amount:DECIMAL(14,2) discount_amount:DECIMAL(14,2) "
        "tax_amount:DECIMAL(14,2) duration_minutes:INTEGER is_late:BOOLEAN status:VARCHAR(20)"
    ),
    "mart": _columns(
        "period_start:DATE period_end:DATE row_count:INTEGER total_amount:DECIMAL(16,2) average_value:DOUBLE "
        "change_pct:DOUBLE rank_no:INTEGER target_value:DOUBLE"
    ),
    "record": _columns(
        "title:VARCHAR(120) status:VARCHAR(20) created_at:TIMESTAMP updated_at:TIMESTAMP "
        "owner_name:VARCHAR(80) remark:VARCHAR(400) amount:DECIMAL(12,2) is_active:BOOLEAN"
    ),
}
"""Columns a table of a role draws from."""

LAST: Mapping[Role, tuple[Column, ...]] = {
    "raw": _columns("source_system:VARCHAR(20) ingested_at:TIMESTAMP"),
    "staging": _columns("loaded_at:TIMESTAMP"),
}
"""Columns every table of a role ends with."""


def dress(silo: Silo, rng: random.Random) -> tuple[list[Table], list[ForeignKey]]:
    """Return the silo's tables with columns and its foreign keys with column names.

    Keys are single columns. A foreign key column is mostly called as the key it references, else with a role
    before it ("billing_carrier_key"), always so for a second key to the same table.
    """
    key_of = {table.name: _key(table) for table in silo.tables}
    references: dict[str, dict[str, str]] = {}
    keys: list[ForeignKey] = []
    for child, parent in silo.foreign_keys:
        column = _reference_name(key_of[parent], key_of[child], references.setdefault(child, {}), rng)
        references[child][column] = parent
        keys.append(
            ForeignKey(child=child, parent=parent, child_columns=(column,), parent_columns=(key_of[parent],))
        )
    tables = [_dress_table(table, key_of, references.get(table.name, {}), rng) for table in silo.tables]
    return tables, keys


def _key(table: DraftTable) -> str:
    match table.role:
        case "dimension" | "fact":
            return f"{table.noun}_key"
        case "record":
            return f"{table.noun}_id"
        case _:
            return "snapshot_id" if table.role == "mart" else "record_id"


def _reference_name(key: str, own_key: str, taken: Mapping[str, str], rng: random.Random) -> str:
    if key != own_key and key not in taken and rng.random() < SAME_NAME:
        return key
    role = rng.choice(ROLES)
    name, number = f"{role}_{key}", 1
    while name in taken:
        number += 1
        name = f"{role}_{key}_{number}"
    return name


def _dress_table(
    table: DraftTable, key_of: Mapping[str, str], references: Mapping[str, str], rng: random.Random
) -> Table:
    key = key_of[table.name]
    columns = [Column(name=key, type="BIGINT", nullable=False)]
    if table.role == "dimension":
        columns += _columns(f"{table.noun}_code:VARCHAR(20) {table.noun}_name:VARCHAR(80)")
    columns += [Column(name=name, type="BIGINT") for name in references]
    columns += rng.sample(ATTRIBUTES[table.role], rng.randint(2, 4))
    columns += LAST.get(table.role, ())
    return Table(name=table.name, columns=tuple(columns), primary_key=(key,))
