"""What makes a query right: its result, where it reads, and both on perturbed rows."""

import hashlib

import msgspec
import pytest
from tests.budget.mini import ASKED, SHOP_ROWS, mini_set

from warebench.engine.run import QueryLimits
from warebench.errors import SetError
from warebench.sql.namespace import to_bare
from warebench.tracks.budget.scoring.bench import Bench, gold_sql
from warebench.tracks.budget.scoring.judge import Judge, gold_table, rows_f1
from warebench.tracks.budget.settings import Settings
from warebench.tracks.budget.subject import open_subject

DIALECTS = ("sqlite", "duckdb")
OSLO, CITIES, TOTALS, INSURANCE = range(4)
COUNT = sum(city == "Oslo" for _, _, city in SHOP_ROWS["customers"])
TIGHT = QueryLimits(seconds=1, rows=1_000)
CONSTANT = f"SELECT {COUNT} FROM shop.customers LIMIT 1"  # noqa: S608
ENDLESS = (
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
    ' SELECT count(*) FROM n, "shop"."customers" WHERE i < 0'
)


@pytest.fixture(scope="module", params=DIALECTS)
def subject(request):
    return open_subject(mini_set(request.param))


def make_judge(subject, limits=TIGHT, **settings):
    made = Settings(**settings)
    return Judge(subject=subject, settings=made, bench=Bench(subject, made.variants, limits))


@pytest.fixture(scope="module")
def judge(subject):
    return make_judge(subject)


@pytest.mark.parametrize("number", range(len(ASKED)))
@pytest.mark.parametrize("compare", ["strict", "bird"])
@pytest.mark.parametrize("names", ["prefixed", "unprefixed"])
def test_gold_is_right(subject, number, compare, names):
    judge = make_judge(subject, compare=compare, names=names)
    question = subject.question_set.questions[number]
    sql = gold_sql(question)
    judged = judge.judge(
        question, sql if names == "prefixed" else to_bare(sql, subject.bare_names, subject.dialect)
    )
    assert (judged.correct, judged.reason, judged.f1) == (True, "equal", 1.0)
    assert judged.measures["result_only"] == judged.measures["in_namespace"] == 1.0
    assert judged.measures.get("variants") == (2.0 if compare == "strict" else None)


@pytest.mark.parametrize("number", [OSLO, CITIES, TOTALS])
def test_the_same_rows_of_another_database_are_wrong(subject, judge, number):
    question = subject.question_set.questions[number]
    judged = judge.judge(question, gold_sql(question).replace('"shop"', '"store"'))
    assert (judged.correct, judged.reason, judged.f1) == (False, "wrong namespace", 0.0)
    assert judged.measures == {"in_namespace": 0.0, "result_only": 1.0}
    assert "read from store, not from shop" in judged.explanation


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        (f"SELECT {COUNT}", "wrong namespace"),
        (CONSTANT, "accidental match"),
        ('SELECT count(*) FROM "shop"."customers" WHERE id % 3 = 1', "accidental match"),
        (
            'SELECT count(*) FROM "shop"."customers" c, "store"."customers" d'
            " WHERE c.id = d.id AND d.city = 'Oslo'",
            "wrong namespace",
        ),
        ("SELECT count(*) + 1 FROM shop.customers", "values"),
        ("SELECT city FROM shop.customers", "row count"),
        ("SELECT id, city FROM shop.customers WHERE id = 1", "column count"),
        ("SELECT count(*) FROM customers WHERE city = 'Oslo'", "unqualified"),
        ("SELECT count(*) FROM shop.clients", "unknown table"),
        ("SELECT count(*) FROM mall.customers", "unknown table"),
        ("SELECT count(missing.x) FROM shop.customers", "execution"),
        ("SELECT count(* FROM shop.customers", "unparsable"),
        ("", "unparsable"),
        ("DROP TABLE shop.customers", "forbidden"),
        ("DELETE FROM shop.customers", "forbidden"),
        ("SELECT 1; SELECT 2", "forbidden"),
        ("SELECT * FROM read_csv('/etc/passwd')", "forbidden"),
        ("SELECT count(*) FROM archive.box_1", "execution"),
        (ENDLESS, "timeout"),
        ("SELECT 1 FROM shop.customers a, shop.customers b, shop.customers c", "too many rows"),
    ],
)
def test_wrong_queries_have_a_reason(subject, judge, sql, reason):
    judged = judge.judge(subject.question_set.questions[OSLO], sql)
    assert (judged.correct, judged.reason) == (False, reason), judged.explanation
    assert judged.explanation


def test_a_query_over_more_memory_than_it_may_use_is_refused(subject):
    judge = make_judge(subject, QueryLimits(memory_bytes=16 * 1024 * 1024, seconds=20))
    sql = "SELECT length(randomblob(200000000)) FROM shop.customers"
    if subject.dialect == "duckdb":
        tables = ", ".join(f"shop.customers t{number}" for number in range(5))
        sql = f"SELECT length(string_agg(t1.name || t2.name || '{'x' * 40}', ',')) FROM {tables}"  # noqa: S608
    assert judge.judge(subject.question_set.questions[OSLO], sql).reason == "memory"


def test_nothing_is_changed_by_queries(subject, judge):
    path = subject.files.find("shop")
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    for sql in ("DROP TABLE shop.customers", "SELECT * FROM shop.customers", "ATTACH 'x' AS y"):
        judge.judge(subject.question_set.questions[OSLO], sql)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before


def test_order_counts_where_gold_is_ordered(subject, judge):
    question = subject.question_set.questions[CITIES]
    judged = judge.judge(question, "SELECT DISTINCT city FROM shop.customers ORDER BY city DESC")
    assert judged.reason == "order"
    assert judged.f1 == 1.0
    bird = make_judge(subject, compare="bird")
    assert bird.judge(question, "SELECT city FROM shop.customers").correct


def test_columns_may_be_permuted_and_rows_are_counted(subject, judge):
    question = subject.question_set.questions[TOTALS]
    sql = (
        'SELECT sum(o.amount), c.city FROM shop.customers c JOIN shop."order lines" o ON o.customer_id = c.id'
        " GROUP BY 2 ORDER BY 1"
    )
    assert judge.judge(question, sql).correct
    assert judge.judge(question, sql + " LIMIT 2").f1 == 0.0  # columns as they stand
    gold = gold_table(question).rows
    assert rows_f1(gold, gold[:2]) == pytest.approx(0.8)
    assert rows_f1((), ()) == 1.0


def test_a_query_that_a_key_makes_equal_is_no_accident(subject, judge):
    # Every order line has a customer, so the join can be left out: the variants keep the key.
    question = subject.question_set.questions[TOTALS]
    sql = (
        'SELECT c.city, sum(o.amount) FROM shop."order lines" o LEFT JOIN shop.customers c'
        " ON o.customer_id = c.id GROUP BY c.city"
    )
    assert judge.judge(question, sql).correct


def test_no_value_is_said_by_no_row_and_by_null():
    asked = (
        (
            "lookup",
            "clinic",
            "What is the insurance of customer 3?",
            "SELECT DISTINCT insurance FROM customers WHERE id = 3 AND insurance IS NOT NULL",
        ),
    )
    subject = open_subject(mini_set("sqlite", asked))
    question = subject.question_set.questions[0]
    judge = make_judge(subject, perturbed=20)
    assert any(not run.straight for run in judge.bench.gold_runs(question))
    null = "SELECT max(insurance) FROM clinic.customers WHERE id = 3"
    assert judge.judge(question, null).correct


def test_without_variants_an_accident_passes(subject):
    judge = make_judge(subject, perturbed=0)
    judged = judge.judge(subject.question_set.questions[OSLO], CONSTANT)
    assert judged.correct
    assert "variants" not in judged.measures


def test_a_gold_that_is_tied_on_a_variant_judges_nobody():
    # Five cities of six customers: which comes first is the engine's choice, on variants as on the rows.
    asked = (
        (
            "lookup",
            "clinic",
            "Which diagnosis is the most frequent?",
            "SELECT diagnosis FROM visits GROUP BY diagnosis ORDER BY count(*) DESC LIMIT 1",
        ),
    )
    subject = open_subject(mini_set("sqlite", asked))
    question = subject.question_set.questions[0]
    value = gold_table(question).rows[0][0]
    judge = make_judge(subject, perturbed=6)
    runs = judge.bench.gold_runs(question)
    tied = sum(run.straight != run.backward for run in runs)
    judged = judge.judge(question, gold_sql(question))
    assert judged.correct
    assert judged.measures["variants"] == len(runs) - tied
    constant = f"SELECT '{value}' FROM clinic.visits LIMIT 1"  # noqa: S608
    assert judge.judge(question, constant).reason == "accidental match"


def test_removed_tables_that_are_named_are_measured(subject):
    judge = make_judge(subject, condition="remove_gold")
    question = subject.question_set.questions[OSLO]
    assert judge.judge(question, gold_sql(question)).measures["named_removed"] == 1.0
    assert "named_removed" not in judge.judge(question, "SELECT 3 FROM shop.customers").measures


def declaring(subject, number, **fields):
    """Return a question of the set that declares another comparison."""
    question = subject.question_set.questions[number]
    return msgspec.structs.replace(
        question, comparison=msgspec.structs.replace(question.comparison, **fields)
    )


CITY = "SELECT city FROM shop.customers"
TOTALS_TURNED = (
    'SELECT sum(o.amount), c.city FROM shop.customers c JOIN shop."order lines" o ON o.customer_id = c.id'
    " GROUP BY 2"
)


@pytest.mark.parametrize(
    ("number", "fields", "sql", "reasons"),
    [
        (CITIES, {"ordered": False}, f"{CITY} GROUP BY city ORDER BY city DESC", ("order", "equal")),
        (CITIES, {"duplicates": False}, f"{CITY} ORDER BY city", ("row count", "equal")),
        (TOTALS, {"columns": "given"}, TOTALS_TURNED, ("equal", "values")),
        (
            TOTALS,
            {"relative": 1e-6},
            TOTALS_TURNED.replace("sum(o.amount)", "sum(o.amount) * 1.0000001"),
            ("values", "equal"),
        ),
    ],
)
def test_what_a_question_declares_decides(subject, judge, number, fields, sql, reasons):
    questions = (subject.question_set.questions[number], declaring(subject, number, **fields))
    assert tuple(judge.judge(question, sql).reason for question in questions) == reasons
    bird = make_judge(subject, compare="bird")
    assert len({bird.judge(question, sql).reason for question in questions}) == 1


def test_null_is_the_empty_text_where_that_is_declared():
    sql = "SELECT DISTINCT CASE WHEN city = 'Oslo' THEN '' ELSE city END FROM customers"
    subject = open_subject(mini_set("sqlite", (("lookup", "shop", "Which cities but Oslo?", sql),)))
    judge = make_judge(subject)
    null = "SELECT DISTINCT nullif(city, 'Oslo') FROM shop.customers"
    questions = (subject.question_set.questions[0], declaring(subject, 0, nulls="blank"))
    assert [judge.judge(question, null).reason for question in questions] == ["values", "equal"]


def test_a_set_that_declares_nothing_is_refused():
    made = mini_set()
    first, *others = made.questions
    bare = msgspec.structs.replace(first, comparison=None)
    with pytest.raises(SetError, match=f"declares no comparison[^$]*{first.id}[^$]*Build the set again"):
        open_subject(msgspec.structs.replace(made, questions=(bare, *others)))
