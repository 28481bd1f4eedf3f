"""From a name, a scale and a seed to a database."""

from collections.abc import Mapping

from warebench.engine.database import Database
from warebench.engine.synthetic.columns import to_table
from warebench.engine.synthetic.plan import Plan, check_scale
from warebench.errors import BuildError, did_you_mean
from warebench.tracks.multitable.twins.mess import add_mess
from warebench.tracks.multitable.twins.registry import TWINS

LOOKUP = 200
"""Tables of at most that many rows in the paper are code lists: no scale changes them."""

LEAST = 100
"""Rows other tables keep at any scale, enough to sample a prompt of 4,000 tokens from."""


def make_twin(name: str, *, scale: float | None = None, seed: int, mess: bool = False) -> Database:
    """Return a synthetic twin: same arguments, same bytes.

    Args:
        name: A key of `TWINS`.
        scale: Rows of every table relative to the paper's; the twin's own default when None. Code lists of
            at most 200 rows keep their size, other tables keep at least 100 rows.
        seed: Of every random choice: another seed gives other entities and other rows.
        mess: Add nulls, repeated names, ties, extreme values, noise of case and blanks, pipes and line breaks
            in cells, and steeper skew. Keys hold all the same. Without it, names are unique and nulls stand
            only where nothing happened (a cancelled flight has no delay).

    Raises:
        BuildError: No such twin, or a scale that is not a positive number, or too large.

    Reference: TQA-Bench, TABLE II.
    """
    if name not in TWINS:
        raise BuildError(f"no twin `{name}`", fix=did_you_mean(name, TWINS))
    twin = TWINS[name]
    rows = scaled_rows(twin.paper_rows, twin.scale if scale is None else scale)
    plan = Plan(twin=name, seed=seed, rows=rows, mess=mess)
    tables = {}
    for spec in twin.catalog.tables:
        made = to_table(spec, twin.makers[spec.name](plan))
        tables[spec.name] = add_mess(plan, twin, spec, made) if mess else made
    return Database(catalog=twin.catalog, tables=tables)


def scaled_rows(paper_rows: Mapping[str, int], scale: float) -> dict[str, int]:
    """Return the rows of each table at a scale.

    Raises:
        BuildError: The scale is not a positive number, or too large.
    """
    check_scale(scale, sum(paper_rows.values()))
    return {
        table: rows if rows <= LOOKUP else max(LEAST, round(rows * scale))
        for table, rows in paper_rows.items()
    }
