"""Time of ranking and packing in the budget track, as the catalog grows.

    python benchmarks/budget_ranking.py                        catalogs of 1,000, 10,000 and 100,000 tables
    python benchmarks/budget_ranking.py --tables 10000 --rankers lexical expanded --questions 200

The catalog is synthetic: databases of ten tables of six to fourteen columns, names of one to three words out
of a vocabulary of 3,000. A question asks for words of one table among words of no table. `index` is the time
to make texts and tokens of all tables in two representations and the ranker's index; `rank`, `pack` are those
of all questions, packed into 10 percent of the rich catalog. Seconds on the clock; one process, whose peak of
memory is the last column.
"""

import argparse
import random
import resource
import time

from warebench.catalog.model import Catalog, Column, ForeignKey, Table
from warebench.tracks.budget.conditions import choose
from warebench.tracks.budget.rank.rankers import RANKERS, Ranked, find_ranker
from warebench.tracks.budget.represent import make_texts, prefixed
from warebench.tracks.budget.schema import PoolSchema, pool_schema

SEED, TABLES_EACH, WORDS, BUDGET = 1, 10, 3_000, 0.1
HEADS = ("tables", "ranker", "questions", "index s", "rank s", "pack s", "tables shown", "peak MB")


def main() -> None:
    arguments = parse()
    print("| " + " | ".join(HEADS) + " |\n|" + "---|" * len(HEADS))
    for size in arguments.tables:
        schema = make_schema(size)
        questions = make_questions(schema, arguments.questions)
        for ranker in arguments.rankers:
            print("| " + " | ".join(measure(schema, ranker, questions)) + " |", flush=True)


def parse() -> argparse.Namespace:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--tables", nargs="+", type=int, default=[1_000, 10_000, 100_000])
    parser.add_argument("--rankers", nargs="+", choices=RANKERS, default=["lexical"])
    parser.add_argument("--questions", type=int, default=1_000)
    return parser.parse_args()


def measure(schema: PoolSchema, name: str, questions: list[str]) -> list[str]:
    begin = time.perf_counter()
    raw, rich = (make_texts(schema, form, prefixed, {}) for form in ("raw", "enriched"))
    ranker = find_ranker(name)(Ranked(schema=schema, texts=raw.texts))
    indexed = time.perf_counter()
    orders = [0.0, 0.0]
    shown = 0
    for question in questions:
        start = time.perf_counter()
        order = ranker(question)
        ranked = time.perf_counter()
        shown += len(choose("end_to_end", order, [], raw.tokens, int(rich.total * BUDGET)).tables)
        orders[0] += ranked - start
        orders[1] += time.perf_counter() - ranked
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    seconds = (indexed - begin, *orders)
    return [
        f"{len(schema.tables):,}",
        name,
        f"{len(questions):,}",
        *(f"{value:.1f}" for value in seconds),
        f"{shown / len(questions):,.0f}",
        f"{peak:,.0f}",
    ]


def make_schema(size: int) -> PoolSchema:
    draw = random.Random(SEED)
    vocabulary = [made_word(draw) for _ in range(WORDS)]
    return pool_schema(make_catalog(number, draw, vocabulary) for number in range(size // TABLES_EACH))


def make_catalog(number: int, draw: random.Random, vocabulary: list[str]) -> Catalog:
    tables = [
        Table(
            name=f"{made_name(draw, vocabulary)}_{place}",
            columns=(
                Column(name="id", type="INTEGER"),
                Column(name="parent_id", type="INTEGER"),
                *(
                    Column(name=f"{made_name(draw, vocabulary)}_{at}", type="VARCHAR")
                    for at in range(draw.randint(4, 12))
                ),
            ),
            primary_key=("id",),
        )
        for place in range(TABLES_EACH)
    ]
    keys = tuple(
        ForeignKey(
            child=child.name,
            parent=tables[place // 2].name,
            child_columns=("parent_id",),
            parent_columns=("id",),
        )
        for place, child in enumerate(tables)
        if place
    )
    return Catalog(name=f"database_{number:05d}", tables=tuple(tables), foreign_keys=keys)


def make_questions(schema: PoolSchema, count: int) -> list[str]:
    draw = random.Random(f"{SEED}:questions")
    asked = [draw.choice(schema.tables).table for _ in range(count)]
    return [
        f"What is the {table.columns[2].name} of every {table.name} whose {table.columns[-1].name} is high?"
        for table in asked
    ]


def made_name(draw: random.Random, vocabulary: list[str]) -> str:
    return "_".join(draw.choices(vocabulary, k=draw.randint(1, 3)))


def made_word(draw: random.Random) -> str:
    return "".join(draw.choice("bdfglmnprt") + draw.choice("aeiou") for _ in range(draw.randint(2, 4)))


if __name__ == "__main__":
    main()
