"""Print how often a paired rule changes an answer: graph, semantic and random pairing (DI-Bench, Table 8).

    python scripts/ablation.py SET [--per-link 3] [--seed 42]

SET is a set of the intelligence track. The first table is about its rule questions, which were kept because
their rules matter; the second about slices drawn for every link of the graph and not selected by anything.
"""

import argparse
from pathlib import Path

from warebench.errors import SetError, UserError
from warebench.questions.store import read_questions
from warebench.tracks.intelligence.compute.run import open_database
from warebench.tracks.intelligence.link.ablation import (
    Pairing,
    cases_of_graph,
    cases_of_set,
    choose_nearest,
    discriminative_validity,
    pair_rules,
    table_of,
)
from warebench.tracks.intelligence.stored import knowledge_name, stored_knowledge


def main() -> None:
    """Run the ablation on one set."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("set", type=Path)
    parser.add_argument("--per-link", type=int, default=3)
    parser.add_argument("--seed", type=int, default=42)
    asked = parser.parse_args()
    try:
        print_ablation(asked.set, asked.per_link, asked.seed)
    except UserError as error:
        parser.exit(2, f"{error}\n")


def print_ablation(folder: Path, per_link: int, seed: int) -> None:
    """Print both tables of one set."""
    words, nearest = choose_nearest()
    tasks: list[Pairing] = []
    drawn: list[Pairing] = []
    question_set = read_questions(folder)
    if question_set.manifest.track != "intelligence":
        raise SetError("this set has no rules", where=str(folder), fix="give a set of the intelligence track")
    bases = {knowledge_name(question): question.context for question in question_set.questions}
    for name, context in bases.items():
        knowledge = stored_knowledge(question_set, name)
        with open_database(question_set.databases[context]) as opened:
            cases = cases_of_set(question_set, name)
            tasks += pair_rules(knowledge, opened, cases, nearest=nearest, seed=seed)
            cases = cases_of_graph(knowledge, opened, per_link=per_link, seed=seed)
            drawn += pair_rules(knowledge, opened, cases, nearest=nearest, seed=seed)
    print(f"Semantic pairing by {words}.\n")
    print(f"Rule questions of {folder}:\n\n{table_of(discriminative_validity(tasks))}\n")
    print(f"Slices drawn for every link:\n\n{table_of(discriminative_validity(drawn))}")


if __name__ == "__main__":
    main()
