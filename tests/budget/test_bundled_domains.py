"""Texts of the bundled domains: the grammar, and that every name and question fits its schema."""

import re
from itertools import product

import duckdb
import pytest

from warebench.errors import BuildError
from warebench.queries.model import Top
from warebench.worlds.organisations.domain import Domain
from warebench.worlds.organisations.grammar import DOMAINS, find_domain, read_domain
from warebench.worlds.organisations.layout import MARK
from warebench.worlds.organisations.naming import SPELLERS
from warebench.worlds.organisations.plural import singular
from warebench.worlds.organisations.recipes import RECIPES

PLACEHOLDER = re.compile(r"\{(\w+)\}")
NESTED = {"above": set(), "never": set(), "both": {"a", "b"}, "atleast": {"n"}, "perparent": set()}

KENNEL = """
# a comment
@ the {place} kennel = {place}_kennel
owners / keepers : 20
  owner_name : people
dogs : 40
  > owners
  > owners as walker ?0.25
  weight_kg / mass : measure 1 9 80 ?0.1
? how heavy are the dogs of {name}?
! what is the average [dogs.weight_kg] of {name}?
= mean dogs.weight_kg of dogs owners:owner_id where owners.owner_name = {name}
? who has no dog?
! which [owners] have no [dogs]?
~ never owners.owner_name dogs
"""


def test_a_text_becomes_a_domain() -> None:
    domain = read_domain("kennel", KENNEL)
    assert domain.titles == (("the {place} kennel", "{place}_kennel"),)
    assert list(domain.tables) == ["owners", "dogs"]
    assert domain.tables["owners"].others == ("keepers",)
    dogs = domain.tables["dogs"]
    assert (dogs.key, dogs.rows) == ("dog_id", 40)
    assert [(c.name, c.parent, c.missing) for c in dogs.references] == [
        ("owner_id", "owners", 0.0),
        ("walker_id", "owners", 0.25),
    ]
    assert (dogs.columns[-1].recipe, dogs.columns[-1].missing) == (("measure", "1", "9", "80"), 0.1)
    assert domain.families[0].query.joins[0].on == (("dogs.owner_id", "owner_id"),)
    assert (domain.nested[0].kind, domain.nested[0].parts) == ("never", ("owners.owner_name", "dogs"))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("~ never", "~ seldom", "no nested question `seldom`"),
        ("> owners as", "> cats as", "references cats"),
        ("weight_kg / mass :", "weight_kg / mass", "lacks `:`"),
        ("= mean", "= median", "no aggregate `median"),
        ("dogs owners:owner_id", "owners dogs:vet_id", "no foreign key joins dogs"),
        ("= {name}", "= name", "a filter cannot be read"),
        (" of dogs owners:owner_id", "", "a query cannot be read"),
        ("kennel = ", "kennel ", "lacks `=`"),
    ],
)
def test_a_text_that_breaks_the_grammar(old: str, new: str, said: str) -> None:
    assert old in KENNEL
    with pytest.raises(BuildError, match=said) as caught:
        read_domain("kennel", KENNEL.replace(old, new))
    assert "kennel.txt, line " in str(caught.value)
    assert "fix: " in str(caught.value)


JOINS = """
@ the {place} x = {place}_x
as : 5
  x : int 1 9
bs : 5
  > as
  x : int 1 9
cs : 5
  > bs
  y : int 1 9
? which {p}?
! which {p}?
"""


@pytest.mark.parametrize(
    ("tables", "joins"),
    [
        ("bs as", [("as", ("bs.a_id", "a_id"))]),
        ("as bs", [("bs", ("as.a_id", "a_id"))]),
        ("cs bs as", [("bs", ("cs.b_id", "b_id")), ("as", ("bs.a_id", "a_id"))]),
        ("bs as:a_id", [("as", ("bs.a_id", "a_id"))]),
    ],
)
def test_tables_join_along_foreign_keys(tables: str, joins: list[tuple[str, tuple[str, str]]]) -> None:
    domain = read_domain("x", f"{JOINS}= count of {tables} where {tables[:2]}.x = {{p}}")
    assert [(join.table, join.on[0]) for join in domain.families[0].query.joins] == joins


@pytest.fixture(params=DOMAINS)
def domain(request: pytest.FixtureRequest) -> Domain:
    return find_domain(request.param)


def test_titles_hold_the_place_once(domain: Domain) -> None:
    assert len(domain.titles) >= 2
    for title, name in domain.titles:
        assert title.count("{place}") == 1
        assert re.fullmatch(r"\{place\}(_[a-z]+)+", name)


def test_questions_fit_the_schema(domain: Domain) -> None:
    known = {f"{table.name}.{column.name}" for table in domain.tables.values() for column in table.columns}
    known |= set(domain.tables)
    plain = [*(family.plain for family in domain.families), *(family.plain for family in domain.nested)]
    assert {mark for text in plain for mark in MARK.findall(text)} <= known
    for family in domain.families:
        assert set(family.query.columns) <= known
        parameters = {parameter.name for parameter in family.parameters}
        assert set(PLACEHOLDER.findall(family.text)) == parameters
        assert set(PLACEHOLDER.findall(family.plain)) == parameters
    for nested in domain.nested:
        assert set(nested.parts) <= known
        assert set(PLACEHOLDER.findall(nested.text)) == NESTED[nested.kind]
        assert set(PLACEHOLDER.findall(nested.plain)) == NESTED[nested.kind]


def test_the_least_is_asked_of_those_that_have_any(domain: Domain) -> None:
    for family in domain.families:
        if isinstance(family.query.want, Top) and not family.query.want.highest:
            assert "of those" in family.text
            assert "of those that have any" in family.plain


def test_names_differ_and_recipes_are_known(domain: Domain) -> None:
    tables = [name for table in domain.tables.values() for name in (table.name, *table.others)]
    assert len(tables) >= len(domain.tables) * 2
    for table in domain.tables.values():
        assert all(column.recipe[0] in RECIPES for column in table.columns)
        names = [column.name for column in table.columns]
        assert len(set(names)) == len(names)
        assert len({table.name, *table.others}) == 1 + len(table.others)


def test_sql_takes_every_name_without_quotes(domain: Domain) -> None:
    rows = duckdb.sql("SELECT keyword_name, keyword_category FROM duckdb_keywords()").fetchall()
    kept = {word for word, category in rows if category != "unreserved"}
    for table, speller in product(domain.tables.values(), SPELLERS.values()):
        names = (table.name, *table.others)
        spelled = {speller.table(name, linked) for name in names for linked in (True, False)}
        for column in table.columns:
            spelled |= {speller.column(name) for name in (column.name, *column.others)}
        for name in spelled:
            assert re.fullmatch(r"[A-Za-z]\w*", name)
            assert name.casefold() not in kept


@pytest.mark.parametrize(
    ("plural", "one"),
    [
        ("orders", "order"),
        ("categories", "category"),
        ("branches", "branch"),
        ("order_entries", "order_entry"),
        ("glasses", "glass"),
        ("boxes", "box"),
        ("courses", "course"),
        ("purchases", "purchase"),
        ("staff", "staff"),
        ("payroll", "payroll"),
        ("campus", "campus"),
        ("services", "service"),
    ],
)
def test_singular(plural: str, one: str) -> None:
    assert singular(plural) == one


@pytest.mark.parametrize(
    ("convention", "table", "column"),
    [
        ("plural", "order_items", "customer_id"),
        ("singular", "order_item", "customer_id"),
        ("camel", "OrderItems", "CustomerID"),
        ("camel_singular", "OrderItem", "CustomerID"),
        ("tbl", "tbl_order_items", "customer_id"),
        ("star", "fct_order_item", "customer_key"),
        ("short", "ord_itm", "cust_id"),
        ("upper", "ORDER_ITEM", "CUSTOMER_ID"),
    ],
)
def test_conventions(convention: str, table: str, column: str) -> None:
    spellers = {str(name): speller for name, speller in SPELLERS.items()}
    assert spellers[convention].table("order_items", True) == table
    assert spellers[convention].column("customer_id") == column


def test_words_that_sql_keeps_stay_plural() -> None:
    assert SPELLERS["singular"].table("orders", False) == "orders"
    assert SPELLERS["star"].table("orders", False) == "dim_orders"
