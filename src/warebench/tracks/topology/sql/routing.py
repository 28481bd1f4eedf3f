"""Second method for the routing subtypes: walks of length 1, 2, 3, ... from both ends, in SQL."""

from warebench.tracks.topology.sql.asked import Board

HOPS = {
    "undirected": "SELECT child, parent FROM fk UNION SELECT parent, child FROM fk",
    "parent_to_child": "SELECT parent, child FROM fk",
    "child_to_parent": "SELECT child, parent FROM fk",
    "downstream": "SELECT up, down FROM lin",
}


def direct(board: Board) -> dict[int, int]:
    """Return 1 where b holds a foreign key that references a, else 0."""
    return board.values("SELECT q, CAST(EXISTS (FROM fk WHERE parent = a AND child = b) AS INT) FROM asked")


def lengths(board: Board, edges: str) -> dict[int, int]:
    """Return the least number of edges on a path from a to b; no entry where there is no path.

    Args:
        board: The database.
        edges: A key of HOPS.

    Leaves the table `ahead(q, name, step)`: the first step at which each table is reached from a.
    """
    board.connection.execute(f"CREATE OR REPLACE TABLE hop(here, there) AS {HOPS[edges]}")
    _reach(board, "ahead", "a", "here", "there")
    return board.values("SELECT q, step FROM ahead JOIN asked USING (q) WHERE name = b")


def steps(board: Board) -> dict[int, tuple[tuple[str, str], ...]]:
    """Return every step on any shortest path, sorted; needs `lengths` to have run."""
    _reach(board, "behind", "b", "there", "here")
    rows = board.connection.execute(
        """
        SELECT hop.here, hop.there, ahead.q
        FROM hop
        JOIN ahead ON ahead.name = hop.here
        JOIN behind ON behind.name = hop.there AND behind.q = ahead.q
        JOIN asked ON asked.q = ahead.q
        JOIN ahead AS whole ON whole.q = ahead.q AND whole.name = asked.b
        WHERE ahead.step + 1 + behind.step = whole.step
        ORDER BY ALL
        """
    ).fetchall()
    found: dict[int, tuple[tuple[str, str], ...]] = {}
    for here, there, q in rows:
        found[q] = (*found.get(q, ()), (here, there))
    return found


def _reach(board: Board, table: str, start: str, here: str, there: str) -> None:
    # USING KEY keeps one row for each (q, name); the anti-join lets only new ones in, so cycles end.
    board.connection.execute(
        f"""
        CREATE OR REPLACE TABLE {table} AS
        WITH RECURSIVE walk(q, name, step) USING KEY (q, name) AS (
            SELECT q, {start}, 0 FROM asked
            UNION
            SELECT walk.q, hop.{there}, min(walk.step) + 1
            FROM walk JOIN hop ON hop.{here} = walk.name
            WHERE walk.step < {board.semantics.max_hops} AND NOT EXISTS (
                FROM recurring.walk AS old WHERE old.q = walk.q AND old.name = hop.{there}
            )
            GROUP BY ALL
        )
        SELECT q, name, step FROM walk
        """  # noqa: S608 - built from our own words
    )
