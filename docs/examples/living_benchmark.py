"""Edit one rule of the bundled shop and build its set again: `warebench diff` then says what changed.

python docs/examples/living_benchmark.py FOLDER, about four minutes on two busy cores
"""

import shutil
import sys
from pathlib import Path

from warebench.questions.store import write_questions
from warebench.tracks.intelligence.build import Options, build
from warebench.tracks.intelligence.sources import bundled_folder
from warebench.worlds import make_world

TRUTH = ((" > 60\n", " > 45\n"), ("answer: 60\n", "answer: 45\n"))
PROSE = (
    ("**60 calendar days**", "**45 calendar days**"),
    ("exactly 60 days", "exactly 45 days"),
    ("took 61 days", "took 46 days"),
)
"""Rule BR-01: an order that took longer than so many days is an outlier."""


def edit(path: Path, changes: tuple[tuple[str, str], ...]) -> None:
    """Replace the first occurrence of each text in a file."""
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        if old not in text:
            raise SystemExit(f"{path} does not hold {old!r}")
        text = text.replace(old, new, 1)
    path.write_text(text, encoding="utf-8")


def main(folder: Path) -> None:
    """Write the knowledge base and the sets before and after the edit."""
    rows = make_world("ecommerce", seed=42, scale=0.05)
    knowledge = shutil.copytree(bundled_folder("ecommerce"), folder / "knowledge")
    options = Options(knowledge=str(knowledge), size=20)
    write_questions(build([rows], options), folder / "before")
    edit(knowledge / "truth.yaml", (*TRUTH, PROSE[0]))
    edit(knowledge / "rules" / "br-01-delivery-outliers.md", PROSE)
    write_questions(build([rows], options), folder / "after")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
