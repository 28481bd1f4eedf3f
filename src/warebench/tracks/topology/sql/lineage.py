"""Second method for the lineage subtypes: recursive SQL over the lineage edges."""

from warebench.tracks.topology.sql.asked import Board

CLOSURE = """
WITH RECURSIVE closure(q, name) AS (
    SELECT q, down FROM asked JOIN lin ON up = a
    UNION  -- not UNION ALL: rows are distinct, so a cycle ends
    SELECT q, down FROM closure JOIN lin ON up = name
)
SELECT q, name FROM closure JOIN asked USING (q) WHERE name <> a
"""


def targets(board: Board) -> dict[int, tuple[str, ...]]:
    """Return the tables that derive directly from each asked table."""
    return board.names("SELECT q, down FROM asked JOIN lin ON up = a")


def sources(board: Board) -> dict[int, tuple[str, ...]]:
    """Return the tables each asked table derives from directly."""
    return board.names("SELECT q, up FROM asked JOIN lin ON down = a")


def closure(board: Board) -> dict[int, tuple[str, ...]]:
    """Return the tables that derive from each asked table over one or more edges."""
    return board.names(CLOSURE)


def impact(board: Board) -> dict[int, tuple[str, ...]]:
    """Return closure and foreign-key dependents of each asked table, as the semantics say."""
    rules = board.semantics
    start = "UNION SELECT q, a FROM asked" if rules.impact_fk_from_table else ""
    back = "UNION ALL SELECT child, parent FROM fk" if rules.impact_fk_direction == "undirected" else ""
    depth = rules.impact_fk_depth
    step, stop = ("", "") if depth is None else (", step + 1", f"WHERE step < {depth}")
    first, column = ("", "") if depth is None else (", 0", ", step")
    return board.names(
        f"""
        WITH RECURSIVE
        hop(here, there) AS (SELECT parent, child FROM fk {back}),
        derived AS MATERIALIZED ({CLOSURE}),
        spread(q, name{column}) AS (
            SELECT q, name{first} FROM (SELECT q, name FROM derived {start})
            UNION
            SELECT q, there{step} FROM spread JOIN hop ON here = name {stop}
        )
        SELECT q, name FROM spread JOIN asked USING (q) WHERE name <> a
        """  # noqa: S608 - built from our own words
    )
