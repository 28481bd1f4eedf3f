"""Propose links from rule documents to metrics, try them on the data, and write those that change an answer.

    python scripts/link_rules.py FOLDER DATABASE [--model MODEL] [--out FILE]

Without a model, operations are those in the front matter of the documents. What is confirmed goes to FILE
(`truth.yaml` of the folder where there is none yet); what became of every link is printed.
"""

import argparse
from pathlib import Path

from warebench.engine.database import Database
from warebench.engine.load import read_database
from warebench.errors import UserError
from warebench.tracks.intelligence.knowledge.check import check_knowledge
from warebench.tracks.intelligence.knowledge.model import Knowledge
from warebench.tracks.intelligence.knowledge.read import read_knowledge
from warebench.tracks.intelligence.link.confirm import confirm_links
from warebench.tracks.intelligence.link.extract import extract_links
from warebench.tracks.intelligence.link.model import Proposal
from warebench.tracks.intelligence.link.propose import propose_links, read_documents, stored_values
from warebench.tracks.intelligence.link.truth import describe_links, write_truth
from warebench.tracks.intelligence.replies import open_model


def main() -> None:
    """Link the rules of one knowledge base."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("database")
    parser.add_argument("--model", help="any model of Inspect, such as openai/gpt-5-mini")
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    try:
        print(link(asked.folder, asked.database, asked.model, asked.out))
    except UserError as error:
        parser.exit(2, f"{error}\n")


def link(folder: Path, source: str, model: str | None, out: Path | None) -> str:
    """Return what became of every link, after writing the confirmed ones."""
    target = out or folder / "truth.yaml"
    if target.exists():
        raise UserError("this file is there already", where=str(target), fix="give another by --out")
    database = read_database(source)
    knowledge = read_knowledge(folder, database.catalog)
    check_knowledge(knowledge, database.catalog)
    found = confirm_links(knowledge, database, _proposals(knowledge, folder, database, model))
    target.write_text(write_truth(found), encoding="utf-8")
    return f"{describe_links(found)}\nwrote {len(found.confirmed)} links to {target}"


def _proposals(
    knowledge: Knowledge, folder: Path, database: Database, model: str | None
) -> tuple[Proposal, ...]:
    documents = read_documents(folder)
    if model is None:
        return propose_links(knowledge, documents, stored_values(knowledge, database))
    extraction = extract_links(knowledge, documents, open_model(model))
    for item in extraction.disbelieved:
        print(f"disbelieved  {item.document}: {item.reason}")
    said = {item.rule.document for item in extraction.proposals}
    for path in sorted(set(documents) - said - {item.document for item in extraction.disbelieved}):
        print(f"no link      {path}: the model names no metric")
    return extraction.proposals


if __name__ == "__main__":
    main()
