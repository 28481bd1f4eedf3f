"""What docs/multitable.md prints works as printed."""

import re
from pathlib import Path

from warebench.catalog.model import ForeignKey
from warebench.engine.load import read_database
from warebench.tracks.multitable.build import Options, build

DOCUMENT = Path(__file__).parents[2] / "docs" / "multitable.md"


def test_the_keys_beside_csv_files_are_read(tmp_path):
    blocks = re.findall(r"```json\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    (keys,) = [block for block in blocks if "foreign_keys" in block]
    (tmp_path / "catalog.json").write_text(keys, encoding="utf-8")
    customers = [f"{number},city {chr(97 + number % 7)}" for number in range(40)]
    orders = [f"{number},{number * 7 % 40},{number * 37 % 991}.5" for number in range(900)]
    (tmp_path / "customers.csv").write_text("\n".join(["id,city", *customers]), encoding="utf-8")
    (tmp_path / "orders.csv").write_text("\n".join(["id,customer,amount", *orders]), encoding="utf-8")
    database = read_database(tmp_path)
    assert database.catalog.foreign_keys == (
        ForeignKey(child="orders", child_columns=("customer",), parent="customers", parent_columns=("id",)),
    )
    made = build([database], Options(windows=("8K",), instances=1))
    assert {question.catalog for question in made.questions} == {"shop"}
