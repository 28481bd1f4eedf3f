"""What finds nothing in the data is named, when a set is built and when it is checked."""

from collections.abc import Mapping

import msgspec
import pytest
from tests.intelligence import shop

from warebench.engine.database import Database
from warebench.errors import BuildError
from warebench.questions.check import Finding
from warebench.tracks.dispatch import check_questions, remark_questions
from warebench.tracks.intelligence.build import Options, build
from warebench.tracks.intelligence.compute.rows import Store
from warebench.tracks.intelligence.emptiness import find_voids, refuse_empty
from warebench.tracks.intelligence.knowledge.check import check_knowledge
from warebench.tracks.intelligence.knowledge.model import Knowledge
from warebench.tracks.intelligence.knowledge.read import parse_knowledge

METRICS, TRUTH = "metrics.yaml", "truth.yaml"
OUTLIERS = (
    "{}, metrics: [MV-DEL-001, MV-DEL-002],\n"
    "         where: \"DATE_DIFF('day', o.purchased, o.delivered) {}\""
)
VOIDS = [
    (METRICS, "where: [\"o.status <> 'canceled'\"]", "where: [\"o.status = 'lost'\"]",
     {"metric MV-REV-001, relation": "no row passes the filter `o.status = 'lost'`"}),
    (METRICS, "where: [\"o.status <> 'canceled'\"]", "where: [\"o.status <> 'x'\", \"o.status = 'x'\"]",
     {"metric MV-REV-001, relation": "no row passes the filter `o.status = 'x'`"}),
    (METRICS, "value: i.price + i.freight", "value: CASE WHEN i.price < 0 THEN i.price END",
     {"metric MV-REV-001, measure revenue": "`CASE WHEN i.price < 0 THEN i.price END` is NULL in every row"}),
    (METRICS, "o.delivered) > :grace_days", "o.delivered) > 9999",
     {"metric MV-DEL-002, measure late": "no row passes its filter `DATE_DIFF('day', o.promised"}),
    (METRICS, "minimum_orders: 1", "minimum_orders: 1000",
     {"metric MV-CUS-001, entity.keep": "no unit passes `placed >= :minimum_orders`"}),
    (METRICS, "100 * late / delivered", "100 * late / (delivered - delivered)",
     {"metric MV-DEL-002, formula": "a division by zero", "metric MV-FUL-001": "as MV-DEL-002 finds"}),
    (TRUTH, "c.state = 'SP'", "c.state = 'ZZ'",
     {"rule BR-04, operation 1": "no row of MV-REV-001 is in its scope `c.state = 'ZZ'`"}),
    (TRUTH, "o.delivered) > 30", "o.delivered) > 3000",
     {"rule BR-02, operation 1": "> 3000` excludes no row of MV-DEL-001"}),
    (TRUTH, "o.delivered) > 30", "o.delivered) > -1",
     {"rule BR-02, operation 1": "> -1` excludes every row of MV-DEL-001"}),
    (TRUTH, OUTLIERS.format("exclude", "> 30"), OUTLIERS.format("filter", "< 3000"),
     {"rule BR-02, operation 1": "< 3000` keeps every row of MV-DEL-001"}),
    (TRUTH, "effective_from: 2018-04-01", "effective_from: 2031-04-01",
     {"rule BR-07, operation 1": "it holds on no day of a row of MV-DEL-002"}),
]  # fmt: skip


def _knowledge(file: str, old: str, new: str) -> Knowledge:
    files = {**shop.FILES, **shop.DOCUMENTS}
    assert old in files[file]
    return parse_knowledge({**files, file: files[file].replace(old, new, 1)})


def test_the_shop_has_none() -> None:
    assert list(find_voids(shop.make_knowledge(), Store(shop.make_database()))) == []


@pytest.mark.parametrize(("file", "old", "new", "wanted"), VOIDS, ids=[next(iter(v[3])) for v in VOIDS])
def test_voids(file: str, old: str, new: str, wanted: Mapping[str, str]) -> None:
    knowledge = _knowledge(file, old, new)
    check_knowledge(knowledge, shop.CATALOG)  # right in form: nothing but the data tells
    found = list(find_voids(knowledge, Store(shop.make_database())))
    assert {void.where for void in found} >= set(wanted)
    for where, what in wanted.items():
        assert any(what in void.what for void in found if void.where == where), found
    assert all(void.fix for void in found)


def _emptied(*tables: str) -> Database:
    made = shop.make_database()
    return Database(
        catalog=made.catalog,
        tables={name: rows.slice(0, 0) if name in tables else rows for name, rows in made.tables.items()},
    )


def test_a_table_without_rows() -> None:
    found = {void.where: void.what for void in find_voids(shop.make_knowledge(), Store(_emptied("items")))}
    assert found["metric MV-REV-001, relation"] == "table `items` has no rows"
    assert found["dimension item_category"] == "no row has a value of items.category"
    assert not any("MV-DEL" in where for where in found)


def test_a_join_that_finds_nothing() -> None:
    found = {
        void.where: void.what for void in find_voids(shop.make_knowledge(), Store(_emptied("customers")))
    }
    assert found["metric MV-DEL-002, relation"] == "the join to `c` finds no row"


def test_an_empty_database_is_refused() -> None:
    empty = _emptied("customers", "orders", "items")
    with pytest.raises(BuildError, match="no metric of shop has a value") as caught:
        refuse_empty(shop.make_knowledge(), Store(empty))
    assert "table `orders` has no rows" in caught.value.what
    assert caught.value.fix
    refuse_empty(shop.make_knowledge(), Store(_emptied("items")))


def test_building_and_checking_tell_them(tmp_path) -> None:
    folder = shop.write_folder(tmp_path / "knowledge")
    text = shop.METRICS_YAML.replace("\"o.status <> 'canceled'\"", "\"o.status = 'lost'\"")
    (folder / METRICS).write_text(text, encoding="utf-8")
    options = Options(knowledge=str(folder), size=1, target=8, minimum=0)
    made = build([shop.make_database()], options)
    (remark, *_) = remark_questions(made)
    assert remark == Finding(
        code="WB012",
        where="shop: metric MV-REV-001, relation",
        message="no row passes the filter `o.status = 'lost'`; compare with values that the column holds",
        severity="warning",
    )
    assert [item for item in check_questions(made) if item.code == "WB012"] == remark_questions(made)
    with pytest.raises(BuildError, match="nothing can be asked about rows"):
        build([_emptied("customers", "orders", "items")], msgspec.structs.replace(options, minimum=1))
