"""A question set of five questions, one of each kind of answer, built by hand."""

from warebench.answers.model import Answer, Boolean, NameSet, Number, Path
from warebench.catalog.model import Catalog, ForeignKey, Table
from warebench.questions.model import Certificate, Manifest, Question, QuestionSet, digest

SHOP = Catalog(
    name="shop",
    tables=tuple(
        Table(name=name) for name in ("customers", "orders", "order lines", "products", "crm.notes")
    ),
    foreign_keys=(
        ForeignKey(child="orders", parent="customers"),
        ForeignKey(child="order lines", parent="orders"),
        ForeignKey(child="order lines", parent="products"),
    ),
)

_GOLD: dict[str, tuple[str, Answer]] = {
    "connected": ("Are customers and crm.notes connected?", Boolean(False)),
    "count": ("How many tables stand alone?", Number(1)),
    "direct_fk": ("Which tables reference orders?", NameSet(("order lines",))),
    "all": ("Which tables does order lines reference?", NameSet(("orders", "products"))),
    "join_path": (
        "What is the path from order lines to customers?",
        Path(("order lines", "orders", "customers")),
    ),
}


def tiny_question(name: str, text: str, gold: Answer) -> Question:
    return Question(
        id=f"q-{name}",
        pair_id=f"q-{name}",
        track="tiny",
        subtype=name,
        catalog="shop",
        text=text,
        gold=gold,
        certificate=Certificate(method="a", second_method="b", digest=digest(gold)),
        difficulty="easy",
        path_difficulty="medium",
        fact=f"fact-{name}",
        facets={"path_length": 2, "feasible": True} if name == "join_path" else {"feasible": False},
    )


def tiny_set() -> QuestionSet:
    questions = tuple(tiny_question(name, text, gold) for name, (text, gold) in _GOLD.items())
    return QuestionSet(
        manifest=Manifest(
            warebench="0",
            track="tiny",
            profile="default",
            seed=1,
            catalogs={"shop": SHOP.fingerprint},
            questions=len(questions),
            questions_sha256=digest(questions),
        ),
        questions=questions,
        catalogs={"shop": SHOP},
    )
