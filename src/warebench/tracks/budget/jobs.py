"""The examples of a collection by database, and those that cannot even be tried."""

from warebench.engine.collection import Collection, Example
from warebench.tracks.budget.ask import word
from warebench.tracks.budget.left_out import LeftOut, leave_out


def sort_examples(collection: Collection) -> tuple[dict[str, list[Example]], list[LeftOut]]:
    """Return the examples of each database, by its name, and those that cannot be asked."""
    readable = {database.catalog.name for database in collection.databases}
    known = {catalog.name for catalog in collection.catalogs}
    jobs: dict[str, list[Example]] = {}
    refused: list[LeftOut] = []
    seen: set[tuple[str, str]] = set()
    for example in collection.examples:
        keys = {(example.database, word(example)), ("", example.id)}
        if not example.sql.strip():
            refused.append(leave_out(example, "no sql"))
        elif not example.question.strip():
            refused.append(leave_out(example, "no question"))
        elif example.database not in readable:
            refused.append(leave_out(example, "no rows" if example.database in known else "unknown database"))
        elif keys & seen:
            refused.append(leave_out(example, "asked twice" if ("", example.id) not in seen else "duplicate"))
        else:
            jobs.setdefault(example.database, []).append(example)
            seen |= keys
    return {name: jobs[name] for name in sorted(jobs)}, refused
