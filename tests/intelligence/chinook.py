"""A small shop with the tables of Chinook that its example reads, so that the example runs everywhere."""

import random
import sqlite3
from datetime import date, timedelta
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "chinook"
REAL = Path(__file__).parents[3] / "shared" / "data" / "sqlite" / "chinook.sqlite"

SCHEMA = """
CREATE TABLE Employee (EmployeeId INTEGER PRIMARY KEY, LastName NVARCHAR(20) NOT NULL);
CREATE TABLE Customer (CustomerId INTEGER PRIMARY KEY, Country NVARCHAR(40),
  SupportRepId INTEGER REFERENCES Employee (EmployeeId));
CREATE TABLE Genre (GenreId INTEGER PRIMARY KEY, Name NVARCHAR(120));
CREATE TABLE MediaType (MediaTypeId INTEGER PRIMARY KEY, Name NVARCHAR(120));
CREATE TABLE Track (TrackId INTEGER PRIMARY KEY, Name NVARCHAR(200) NOT NULL,
  MediaTypeId INTEGER NOT NULL REFERENCES MediaType (MediaTypeId),
  GenreId INTEGER REFERENCES Genre (GenreId));
CREATE TABLE Invoice (InvoiceId INTEGER PRIMARY KEY,
  CustomerId INTEGER NOT NULL REFERENCES Customer (CustomerId), InvoiceDate DATETIME NOT NULL,
  BillingCountry NVARCHAR(40));
CREATE TABLE InvoiceLine (InvoiceLineId INTEGER PRIMARY KEY,
  InvoiceId INTEGER NOT NULL REFERENCES Invoice (InvoiceId),
  TrackId INTEGER NOT NULL REFERENCES Track (TrackId),
  UnitPrice NUMERIC(10,2) NOT NULL, Quantity INTEGER NOT NULL);
"""

COUNTRIES = ("USA", "USA", "USA", "Canada", "Canada", "France", "Brazil", "Germany", "Norway")
GENRES = ("Rock", "Latin", "Metal", "Jazz", "TV Shows")
TYPES = ("MPEG audio file", "Protected AAC audio file", "Protected MPEG-4 video file")
AGENTS = ("Peacock", "Park", "Johnson")


def write_chinook(path: Path, seed: int = 7, customers: int = 45, invoices: int = 500) -> Path:
    """Write the database as a SQLite file: five years of invoices, 2021 to 2025."""
    rng = random.Random(f"{seed}:chinook")  # noqa: S311
    homes = [rng.choice(COUNTRIES) for _ in range(customers)]
    tracks = []
    for number in range(1, 121):
        video = rng.random() < 0.15
        kind = 3 if video else rng.choice((1, 1, 1, 2))
        tracks.append((number, f"Track {number}", kind, 5 if video else rng.randint(1, 4)))
    sold, lines = [], []
    for number in range(1, invoices + 1):
        buyer = min(customers, 1 + int(rng.expovariate(0.07)))
        day = date(2021, 1, 1) + timedelta(days=rng.randrange(5 * 365))
        sold.append((number, buyer, f"{day} 00:00:00", homes[buyer - 1]))
        for track in rng.sample(tracks, rng.randint(1, 9)):
            price = 1.99 if track[2] == 3 else 0.99
            lines.append((len(lines) + 1, number, track[0], price, rng.choice((1, 1, 1, 2))))
    with sqlite3.connect(path) as connection:
        connection.executescript(SCHEMA)
        for table, rows in (
            ("Employee", list(enumerate(AGENTS, 3))),
            ("Customer", [(n, home, 3 + n % 3) for n, home in enumerate(homes, 1)]),
            ("Genre", list(enumerate(GENRES, 1))),
            ("MediaType", list(enumerate(TYPES, 1))),
            ("Track", tracks),
            ("Invoice", sold),
            ("InvoiceLine", lines),
        ):
            marks = ", ".join("?" * len(rows[0]))
            connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608
    connection.close()
    return path
