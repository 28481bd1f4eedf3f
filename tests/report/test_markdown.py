from tests.report.tables_at import FIXTURES, small

from warebench.report.content import build_content
from warebench.report.markdown import markdown

SNAPSHOT = FIXTURES / "small.md"


def test_snapshot():
    """Delete the file to write it anew, then read what changed."""
    text = markdown(build_content(small(), ["A note of the user."]))
    if not SNAPSHOT.exists():
        SNAPSHOT.write_text(text, encoding="utf-8")
        raise AssertionError(f"{SNAPSHOT.name} was missing and has been written: review it")
    assert text == SNAPSHOT.read_text(encoding="utf-8")


def test_names_cannot_break_out_of_their_cell():
    scores = small().assign(method="a|b `c` <b> [x](y) *z*\nnext")
    scores = scores.drop_duplicates(["model", "obfuscation", "question_id"])
    text = markdown(build_content(scores))
    assert "a\\|b \\`c\\` &lt;b> \\[x](y) \\*z\\* next" in text
    assert "<b>" not in text
    widths = {
        block.count("\n| ")
        and tuple(line.replace("\\|", "").count("|") for line in block.strip().split("\n"))
        for block in text.split("\n\n")
        if block.startswith("| ")
    }
    assert all(len(set(counts)) == 1 for counts in widths)
