"""The database files of a set, made where they lie in memory."""

from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

from warebench.engine.run import write_file
from warebench.engine.worker import Dialect
from warebench.questions.model import QuestionSet


def sqlite_file(database: str) -> str:
    """Return the path of a database's SQLite file in a set."""
    return f"databases/{database}.sqlite"


class PoolFiles:
    """One file a database, made when it is first asked for; those made here go away with this object.

    Args:
        question_set: A set of this track.
        dialect: Of its databases.
    """

    def __init__(self, question_set: QuestionSet, dialect: Dialect) -> None:
        self._set = question_set
        self._folder = TemporaryDirectory(prefix="pool-")
        self._found: dict[str, Path | None] = {}
        self._lock = Lock()
        self.dialect: Dialect = dialect

    def find(self, database: str) -> Path | None:
        """Return the file of a database, or None where the set has its schema only."""
        with self._lock:
            if database not in self._found:
                self._found[database] = self._make(database)
            return self._found[database]

    def _make(self, database: str) -> Path | None:
        path = Path(self._folder.name) / f"{len(self._found)}.{self.dialect}"
        if self.dialect == "duckdb":
            rows = self._set.databases.get(database)
            if rows is None:
                return None
            write_file(rows, path)
            return path
        content = self._set.files.get(sqlite_file(database))
        if isinstance(content, bytes):
            path.write_bytes(content)
            return path
        return content
