"""Second method for the silo subtypes: least labels spread over edges until nothing changes, in SQL."""

from warebench.tracks.topology.sql.asked import Board

KEYS = "SELECT child AS one, parent AS other FROM fk"
LINEAGE = "SELECT down AS one, up AS other FROM lin"
EDGES = {"fk": KEYS, "lineage": LINEAGE, "fk+lineage": f"{KEYS} UNION {LINEAGE}"}

# One round of FastSV (Zhang, Azad and Hu 2020): a label takes the least grandlabel among its
# neighbours, hooks its root under it, and jumps to its own grandlabel. Chains of n tables need about
# log2(n) rounds; a plain spread of labels would need n.
ROUND = """
CREATE OR REPLACE TABLE label AS
WITH
grand AS (SELECT low.id, low.root, up.root AS top FROM label AS low JOIN label AS up ON low.root = up.id),
near AS (SELECT here AS id, min(top) AS least FROM joined JOIN grand ON grand.id = there GROUP BY here),
hook AS (SELECT root AS id, min(least) AS least FROM grand JOIN near USING (id) GROUP BY root)
SELECT id, least(grand.root, top, coalesce(near.least, top), coalesce(hook.least, top)) AS root
FROM grand LEFT JOIN near USING (id) LEFT JOIN hook USING (id)
"""


def _label(board: Board) -> None:
    """Make the table `silo(name, root)` once: tables of one silo, and only they, share a root."""
    run = board.connection.execute
    if run("FROM duckdb_tables() WHERE table_name = 'silo'").fetchall():
        return
    run("CREATE TABLE number AS SELECT name, row_number() OVER (ORDER BY name) AS id FROM tab")
    run(
        f"""
        CREATE TABLE joined AS
        WITH edge AS (
            SELECT x.id AS here, y.id AS there
            FROM ({EDGES[board.semantics.silo_edges]})
            JOIN number AS x ON x.name = one JOIN number AS y ON y.name = other
        )
        FROM edge UNION SELECT there, here FROM edge
        """  # noqa: S608 - built from our own words
    )
    run("CREATE TABLE label AS SELECT id, id AS root FROM number")
    before = -1
    while before != (total := _total(board)):
        before = total
        run(ROUND)
    run("CREATE TABLE silo AS SELECT name, root FROM number JOIN label USING (id)")


def _total(board: Board) -> int:
    # Labels only ever sink, so an unchanged sum means that nothing changed.
    ((total,),) = board.connection.execute("SELECT sum(root) FROM label").fetchall()
    return int(total or 0)


def count(board: Board) -> dict[int, int]:
    """Return the number of silos with at least k tables (k is 0 when all are asked for)."""
    _label(board)
    return board.values(
        """
        SELECT q, (SELECT count(*) FROM (SELECT count(*) AS size FROM silo GROUP BY root) WHERE size >= k)
        FROM asked
        """
    )


def size(board: Board) -> dict[int, int]:
    """Return the number of tables in the silo of a."""
    _label(board)
    return board.values(
        "SELECT q, count(*) FROM asked JOIN silo AS x ON x.name = a JOIN silo AS y USING (root) GROUP BY q"
    )


def together(board: Board) -> dict[int, int]:
    """Return 1 where a and b lie in one silo, else 0."""
    _label(board)
    return board.values(
        "SELECT q, CAST(x.root = y.root AS INT) "
        "FROM asked JOIN silo AS x ON x.name = a JOIN silo AS y ON y.name = b"
    )


def members(board: Board) -> dict[int, tuple[str, ...]]:
    """Return all tables of the silo of a."""
    _label(board)
    return board.names("SELECT q, y.name FROM asked JOIN silo AS x ON x.name = a JOIN silo AS y USING (root)")
