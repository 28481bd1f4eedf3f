"""A small SQLite database, its catalog, and random queries over it that are valid by construction."""

import sqlite3
from pathlib import Path

from hypothesis import strategies as st

from warebench.catalog.model import Catalog, Column, Table

DDL = """
CREATE TABLE Singer (id INTEGER PRIMARY KEY, name TEXT, country TEXT, age INT, "group" TEXT);
CREATE TABLE concert (id INTEGER PRIMARY KEY, title TEXT, singer_id INT, year INT, price REAL);
CREATE TABLE "Stadium Hall" ("Hall ID" INT, name TEXT, capacity REAL);
CREATE TABLE award (singer_id INT, year INT, prize TEXT, PRIMARY KEY (singer_id, year));
INSERT INTO Singer VALUES (1,'Ana','Chile',30,'a'),(2,'Bo','Ghana',NULL,'b'),(3,'Cy','Chile',41,NULL);
INSERT INTO concert VALUES (1,'Up',1,2014,9.5),(2,'Down',1,2015,NULL),(3,'Out',3,2014,3.25);
INSERT INTO concert VALUES (4,'In',NULL,2016,1);
INSERT INTO "Stadium Hall" VALUES (7,'Ana',100.5),(8,'Dome',2000),(8,NULL,30);
INSERT INTO award VALUES (1,2014,'gold'),(1,2015,'tin'),(3,2014,NULL);
"""

CATALOG = Catalog(
    name="music",
    tables=tuple(
        Table(
            name=name,
            database="music",
            columns=tuple(Column(name=column, type=kind) for column, kind in columns),
            primary_key=key,
        )
        for name, key, columns in [
            (
                "Singer",
                ("id",),
                [("id", "INTEGER"), ("name", "TEXT"), ("country", "TEXT"), ("age", "INT"), ("group", "TEXT")],
            ),
            (
                "concert",
                ("id",),
                [
                    ("id", "INTEGER"),
                    ("title", "TEXT"),
                    ("singer_id", "INT"),
                    ("year", "INT"),
                    ("price", "REAL"),
                ],
            ),
            ("Stadium Hall", (), [("Hall ID", "INT"), ("name", "TEXT"), ("capacity", "REAL")]),
            ("award", ("singer_id", "year"), [("singer_id", "INT"), ("year", "INT"), ("prize", "TEXT")]),
        ]
    ),
)


def write_database(folder: Path) -> Path:
    """Return a new database file of the schema."""
    path = folder / "music.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript(DDL)
    connection.commit()
    connection.close()
    return path


def run(connection: sqlite3.Connection, sql: str) -> list | str:
    """Return the rows of a query, or the error's text."""
    try:
        return connection.execute(sql).fetchall()
    except (sqlite3.Error, sqlite3.Warning) as error:
        return str(error)


NAMES = {table.name: [column.name for column in table.columns] for table in CATALOG.tables}


def spell(draw, name: str) -> str:
    """Return a name in one of the ways SQLite reads it."""
    plain = name.isidentifier() and name != "group"
    ways = ['"{}"', "[{}]", "`{}`"] + (["{}"] * 5 if plain else [])
    cased = draw(st.sampled_from([name, name.lower(), name.upper()]))
    return draw(st.sampled_from(ways)).format(cased)


def distinct(columns: list[str]) -> bool:
    """Return whether names differ regardless of case."""
    return len({column.lower() for column in columns}) == len(columns)


class Shape:
    """Draws one query; a relation is (name it is called by, its columns)."""

    def __init__(self, draw) -> None:
        self.draw = draw
        self.count = 0
        self.ctes: list[tuple[str, list[str]]] = []
        self.bare: set[str] = set()
        """Tables used without alias: once each, so that a qualifier means one of them."""

    def pick(self, options):
        return self.draw(st.sampled_from(options))

    def chance(self, one_in: int) -> bool:
        return self.draw(st.integers(1, one_in)) == 1

    def fresh(self, letter: str) -> str:
        self.count += 1
        return f"{letter}{self.count}"

    def statement(self) -> str:
        clauses = []
        for _ in range(self.draw(st.integers(0, 2))):
            sql, columns = self.query(1, [])
            # A CTE may bear a stored table's name, which then means the CTE.
            name = (
                self.pick([self.fresh("w"), self.fresh("w"), "award"]) if not self.ctes else self.fresh("w")
            )
            if name == "award" and "award" in sql.lower():
                continue
            named = [self.fresh("k") for _ in columns] if self.chance(2) else columns
            heading = f"({', '.join(named)})" if named is not columns else ""
            if not distinct(named):
                continue
            clauses.append(f"{name}{heading} AS ({sql})")
            self.ctes.append((name, named))
        body = self.query(2, [])[0]
        if self.chance(4):
            width = self.query(0, [], width=1)[0]
            body = f"{self.query(0, [], width=1)[0]} {self.pick(['UNION', 'UNION ALL', 'EXCEPT'])} {width}"
            body += self.pick(["", " ORDER BY 1"])
        return f"WITH {', '.join(clauses)} {body}" if clauses else body

    def source(self, depth: int) -> tuple[str, str, list[str]]:
        """Return text, name and columns of one relation."""
        kind = self.pick(["table"] * 4 + (["cte"] * 2 if self.ctes else []) + (["query"] if depth else []))
        if kind == "query":
            sql, columns = self.query(depth - 1, [])
            if distinct(columns):
                alias = self.fresh("q")
                return f"({sql}) AS {alias}", alias, columns
        if kind == "cte":
            name, columns = self.pick(self.ctes)
        else:
            name = self.pick([table for table in NAMES if table not in [cte for cte, _ in self.ctes]])
            columns = NAMES[name]
        prefix = "main." if name in NAMES and kind != "cte" and self.chance(6) else ""
        if name not in self.bare and self.chance(3):
            self.bare.add(name)
            return f"{prefix}{spell(self.draw, name)}", spell(self.draw, name), columns
        alias = self.fresh("t")
        return f"{prefix}{spell(self.draw, name)} {self.pick(['AS ', ''])}{alias}", alias, columns

    def column(self, scope) -> str:
        alias, columns = self.pick(scope)
        name = self.pick(columns)
        alone = sum(name.lower() in [c.lower() for c in others] for _, others in scope) == 1
        return spell(self.draw, name) if alone and self.chance(2) else f"{alias}.{spell(self.draw, name)}"

    def value(self, scope, outer, depth: int) -> str:
        kind = self.pick(["column"] * 5 + ["call", "sum", "case"] + (["query"] if depth else []))
        column = self.column(scope)
        match kind:
            case "call":
                return f"coalesce({column}, 'none')"
            case "sum":
                return f"{column} + {self.column(scope)}"
            case "case":
                return f'CASE WHEN {column} = "No Such" THEN 1 ELSE {self.column(scope)} END'
            case "query":
                return f"({self.query(depth - 1, [*outer, *scope], width=1)[0]} LIMIT 1)"
        return column

    def condition(self, scope, outer, depth: int) -> str:
        kind = self.pick(["compare"] * 3 + ["tie"] + (["in", "exists"] if depth else []))
        column = self.column(scope)
        match kind:
            case "tie":
                # Qualified: the inner query may know the bare name itself.
                alias, columns = self.pick([*outer, *scope])
                return f"{column} = {alias}.{spell(self.draw, self.pick(columns))}"
            case "in":
                return f"{column} NOT IN ({self.query(depth - 1, [*outer, *scope], width=1)[0]})"
            case "exists":
                return f"EXISTS ({self.query(depth - 1, [*outer, *scope])[0]})"
        operator, value = self.pick(["=", ">", "<>", "LIKE", "IS NOT"]), self.pick(["3", '"Ana"'])
        return f"{column} {operator} {value}"

    def query(self, depth: int, outer, width: int | None = None) -> tuple[str, list[str]]:
        """Return a SELECT and its output columns."""
        sources = [self.source(depth) for _ in range(self.draw(st.integers(1, 2 if depth else 1)))]
        scope = [(name, columns) for _, name, columns in sources]
        text = sources[0][0]
        for number, (source, _, _) in enumerate(sources[1:], start=2):
            join = self.pick([", ", " JOIN ", " LEFT JOIN "])
            on = "" if join == ", " else f" ON {self.condition(scope[:number], [], 0)}"
            text += f"{join}{source}{on}"
        grouped = self.column(scope) if self.chance(4) else ""
        items, columns = self.items(scope, outer, depth, width, grouped)
        distinct_rows = self.pick(["", "", "DISTINCT "])
        sql = f"SELECT {distinct_rows}{', '.join(items)} FROM {text}"  # noqa: S608 - drawn, not given
        if self.chance(2):
            sql += f" WHERE {self.condition(scope, outer, depth)} AND {self.condition(scope, outer, 0)}"
        if grouped:
            sql += f" GROUP BY {grouped}" + self.pick(
                ["", " HAVING count(*) >= 1", f" HAVING max({grouped}) > 0"]
            )
        if depth == 2 and self.chance(2):
            terms = [self.column(scope)] if self.chance(2) else [spell(self.draw, columns[0])]
            sql += f" ORDER BY {self.pick(['1', *terms])}, 1 DESC"
        return sql, columns

    def items(self, scope, outer, depth: int, width: int | None, grouped: str):
        if width is None and not grouped and self.chance(4):
            columns = [column for _, names in scope for column in names]
            return ["*"], columns
        items, columns = [], []
        for _ in range(width or self.draw(st.integers(1, 3))):
            alias = self.fresh("x")
            value = (
                f"count({self.pick(['*', self.column(scope)])})"
                if grouped
                else self.value(scope, outer, depth)
            )
            items.append(f"{value} AS {alias}")
            columns.append(alias)
        return items, columns


@st.composite
def queries(draw) -> str:
    """Draw a query."""
    return Shape(draw).statement()
