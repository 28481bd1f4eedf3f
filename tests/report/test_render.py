import hashlib
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from tests.report.synthetic import score_table
from tests.report.tables_at import FIXTURES, small

from warebench.errors import UserError
from warebench.report.render import slug, write_report

ONE = score_table({"m": 0.5}, ("flat_text",), per_subtype=1, levels=("none",)).head(1)
FEW = score_table({"m": 0.5}, ("flat_text",), per_subtype=2, levels=("none",))

EXTREMES = {
    "one of everything": ONE,
    "all errors": FEW.assign(outcome="error", em=0.0),
    "all unscored": FEW.assign(outcome="unscored", em=np.nan),
    "all facets missing": FEW.assign(path_length=np.nan, beyond_radius=None, feasible=None, subtype=None),
    "required columns only": FEW[["track", "question_id", "method", "model", "outcome", "em"]],
    "two tracks": pd.concat([FEW, FEW.assign(track="budget")]),
    "only obfuscated": score_table({"m": 0.5}, ("flat_text",), per_subtype=2, levels=("columns",)),
    "epochs": score_table({"m": 0.5}, ("flat_text",), per_subtype=2, epochs=3),
    "fifty models": score_table(
        {f"vendor/model-{number:02d}": number / 20 for number in range(50)},
        ("flat_text",),
        per_subtype=1,
        levels=("none",),
    ),
}


class Page(HTMLParser):
    """What a browser would load or run."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.ids += [value for name, value in attrs if name == "id"]


def page_of(folder: Path) -> str:
    """Return index.html without the plotting library."""
    text = (folder / "index.html").read_text(encoding="utf-8")
    return re.sub(r"<script>.*?plotly.*?</script>", "<script></script>", text, count=1, flags=re.DOTALL)


@pytest.mark.parametrize("scores", EXTREMES.values(), ids=EXTREMES.keys())
def test_renders_extremes(scores, tmp_path):
    paths = write_report(scores, tmp_path)
    assert {path.name for path in paths} >= {
        "index.html",
        "report.md",
        "report.json",
        "overview.csv",
        "sets.csv",
    }
    assert all(path.stat().st_size for path in paths)
    text = page_of(tmp_path)
    assert not re.search(r"\bnan\b", re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL), re.IGNORECASE)
    json.loads((tmp_path / "report.json").read_text(), parse_constant=pytest.fail)


def test_no_rows_is_a_user_error(tmp_path):
    with pytest.raises(UserError, match="no row"):
        write_report(small().head(0), tmp_path)
    assert not list(tmp_path.iterdir())


def test_nothing_is_loaded_from_elsewhere(tmp_path):
    write_report(small(), tmp_path, formats=["html"])
    page = Page(page_of(tmp_path))
    links = [value for _, attrs in page.tags for name, value in attrs.items() if name in ("src", "href")]
    assert links
    assert all(link.startswith(("#", "data:")) for link in links)
    assert all(link[1:] in page.ids for link in links if link.startswith("#"))
    assert len(page.ids) == len(set(page.ids))


def test_plotting_library_is_embedded_once(tmp_path):
    write_report(small(), tmp_path, formats=["html"])
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert text.count("plotly.js v") == 1
    assert len(re.findall(r'<script type="application/json" data-plot=', text)) >= 6


def test_plots_are_json_with_a_place_on_the_page(tmp_path):
    write_report(small(), tmp_path, formats=["html"])
    text = page_of(tmp_path)
    plots = re.findall(r'<script type="application/json" data-plot="([^"]+)">(.*?)</script>', text)
    for name, source in plots:
        assert f'id="{name}"' in text
        assert set(json.loads(source)) >= {"data", "layout"}


def test_markup_in_names_stays_text(tmp_path):
    evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"
    scores = (
        small()
        .assign(model=evil, reason=evil, catalog=evil)
        .drop_duplicates(["method", "obfuscation", "question_id"])
    )
    write_report(scores, tmp_path, formats=["html"], notes=[evil])
    page = Page(page_of(tmp_path))
    assert "img" not in [tag for tag, _ in page.tags]
    assert not [name for _, attrs in page.tags for name in attrs if name.startswith("on")]
    assert "alert(1)</script>" not in page_of(tmp_path)


def test_caveats_stand_in_every_document(tmp_path):
    write_report(small(), tmp_path, notes=["Limited to six questions."])
    for name in ("index.html", "report.md", "report.json"):
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert "near chance by design" in text
        assert "programs, not language models" in text
        assert "Limited to six questions." in text


def test_csv_holds_shares_and_empty_cells(tmp_path):
    write_report(small(), tmp_path, formats=["csv"])
    frame = pd.read_csv(tmp_path / "tables" / "topology" / "headline.csv")
    assert frame["micro_em"].between(0, 1).all()
    effort = pd.read_csv(tmp_path / "tables" / "topology" / "effort.csv")
    assert effort.loc[effort["model"] == "policy/planner", "input_tokens"].isna().all()


def test_json_has_null_for_nothing(tmp_path):
    write_report(small(), tmp_path, formats=["json"])
    (track,) = json.loads((tmp_path / "report.json").read_text())["tracks"]
    tables = {table["name"]: table["rows"] for table in track["tables"]}
    planner = [row for row in tables["effort"] if row["model"] == "policy/planner"]
    assert all(row["input_tokens"] is None for row in planner)


def test_unknown_format_is_refused_before_anything_is_written(tmp_path):
    with pytest.raises(UserError, match="Unknown report format `htm`\n  fix: Did you mean `html`"):
        write_report(small(), tmp_path, formats=["md", "htm"])
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("margin", [0, 1, -0.1, float("nan")])
def test_a_margin_that_is_none_is_refused(tmp_path, margin):
    with pytest.raises(UserError, match="No difference of EM is"):
        write_report(small(), tmp_path, margin=margin)
    assert not list(tmp_path.iterdir())


def test_unwritable_folder_is_a_user_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be written"):
        write_report(small(), tmp_path / "file", formats=["md"])


DIGESTS = """
import hashlib, sys
from pathlib import Path
import pandas as pd
from warebench.report.render import write_report
rows = pd.read_csv(sys.argv[1]).sample(frac=1, random_state=int(sys.argv[3]))
for path in sorted(write_report(rows, Path(sys.argv[2]))):
    print(path.name, hashlib.sha256(path.read_bytes()).hexdigest())
"""


def test_equal_scores_give_equal_bytes_under_any_hash_seed_and_row_order(tmp_path):
    seen = set()
    for seed in ("0", "1"):
        command = [sys.executable, "-c", DIGESTS, str(FIXTURES / "small.csv"), str(tmp_path / seed), seed]
        run = subprocess.run(
            command, env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        )
        seen.add(hashlib.sha256(run.stdout.encode()).hexdigest())
        assert "index.html" in run.stdout
    assert len(seen) == 1


@pytest.mark.parametrize(("name", "made"), [("topology", "topology"), ("A b/../c", "a-b-c"), ("..", "track")])
def test_slug(name, made):
    assert slug(name) == made
