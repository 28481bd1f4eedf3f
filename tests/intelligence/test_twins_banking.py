"""The bank behaves like the real one: balances add up, codes and dates are as published."""

import pytest
from tests.intelligence.twin_samples import BERKA, ask, assert_near, connection, needs_data

from warebench.engine.load import read_database
from warebench.tracks.intelligence.sources import Source
from warebench.worlds import make_world

NAME = "banking"

SHARES = {
    "statements": (
        "SELECT frequency, count(*) FROM account GROUP BY 1",
        {"POPLATEK MESICNE": 92.6, "POPLATEK TYDNE": 5.3, "POPLATEK PO OBRATU": 2.1},
    ),
    "years of opening": (
        "SELECT date // 10000, count(*) FROM account GROUP BY 1",
        {93: 25.3, 94: 9.8, 95: 14.7, 96: 30.3, 97: 20.0},
    ),
    "dispositions": ("SELECT type, count(*) FROM disp GROUP BY 1", {"OWNER": 83.8, "DISPONENT": 16.2}),
    "cards": ("SELECT type, count(*) FROM card GROUP BY 1", {"classic": 73.9, "junior": 16.3, "gold": 9.9}),
    "loans": (
        "SELECT status, count(*) FROM loan GROUP BY 1",
        {"A": 29.8, "B": 4.5, "C": 59.1, "D": 6.6},
    ),
    "standing orders": (
        "SELECT coalesce(k_symbol, ''), count(*) FROM \"order\" GROUP BY 1",
        {"SIPO": 54.1, "": 21.3, "UVER": 11.1, "POJISTNE": 8.2, "LEASING": 5.3},
    ),
    "women": (
        "SELECT birth_number // 100 % 100 > 50, count(*) FROM client GROUP BY 1",
        {True: 49.3, False: 50.7},
    ),
}
"""Shares (%) of the real data."""

LEDGER = {
    "types": (
        "SELECT type, count(*) FROM trans GROUP BY 1",
        {"PRIJEM": 38.3, "VYDAJ": 60.1, "VYBER": 1.6},
    ),
    "operations": (
        "SELECT coalesce(operation, ''), count(*) FROM trans GROUP BY 1",
        {
            "VYBER": 41.2, "PREVOD NA UCET": 19.7, "": 17.3, "VKLAD": 14.8, "PREVOD Z UCTU": 6.2,
            "VYBER KARTOU": 0.8,
        },
    ),
    "symbols": (
        "SELECT coalesce(k_symbol, ''), count(*) FROM trans GROUP BY 1",
        {
            "": 50.7, "UROK": 17.3, "SLUZBY": 14.8, "SIPO": 11.2, "DUCHOD": 2.9, "POJISTNE": 1.75,
            "UVER": 1.3, "SANKC. UROK": 0.15,
        },
    ),
}  # fmt: skip
"""Shares (%) of the whole real ledger."""


@pytest.mark.parametrize("what", SHARES)
def test_shares_are_near_the_real_ones(what):
    query, expected = SHARES[what]
    found = dict(connection(NAME).execute(query).fetchall())
    assert set(found) == set(expected)
    assert_near(found, expected, slack=0.8)


@pytest.mark.parametrize("what", LEDGER)
def test_the_ledger_is_near_the_real_one(what):
    query, expected = LEDGER[what]
    found = dict(connection(NAME).execute(query).fetchall())
    assert set(found) == set(expected)
    total = sum(found.values())
    for value, share in expected.items():
        assert 100 * found[value] / total == pytest.approx(share, rel=0.12, abs=0.5), value


def test_all_codes_are_present_at_any_scale():
    small = make_world("banking", seed=5, scale=0.01).connect()
    for query, expected in [*SHARES.values(), *LEDGER.values()]:
        assert {value for value, _ in small.execute(query).fetchall()} >= set(expected)


def test_balances_add_up():
    wrong = ask(
        NAME,
        """WITH booked AS (
            SELECT balance, lag(balance, 1, 0.0) OVER ledger AS before,
                CASE type WHEN 'PRIJEM' THEN amount ELSE -amount END AS change
            FROM trans WINDOW ledger AS (PARTITION BY account_id ORDER BY trans_id)
        ) SELECT count(*) FROM booked WHERE abs(before + change - balance) > 1e-6""",
    )
    assert wrong == 0


FORBIDDEN = {
    "numbers that go back in time": "SELECT 1 FROM (SELECT date < lag(date) OVER "
    "(PARTITION BY account_id ORDER BY trans_id) AS back FROM trans) WHERE back",
    "an entry before the account": "FROM trans JOIN account USING (account_id) WHERE trans.date < "
    "account.date",
    "an account that does not begin with a deposit": "FROM (FROM trans QUALIFY row_number() OVER "
    "(PARTITION BY account_id ORDER BY trans_id) = 1) WHERE operation IS DISTINCT FROM 'VKLAD'",
    "a date that is none": "FROM trans WHERE try_strptime('19' || date, '%Y%m%d') IS NULL",
    "a birth number that is none": "FROM client WHERE try_strptime('19' || lpad(CASE WHEN "
    "birth_number // 100 % 100 > 50 THEN birth_number - 5000 ELSE birth_number END::VARCHAR, 6, "
    "'0'), '%Y%m%d') "
    "IS NULL",
    "an entry without amount": "FROM trans WHERE amount <= 0",
    "amounts of more than two decimals": "FROM trans WHERE amount <> round(amount, 2) OR balance <> "
    "round(balance, 2)",
    "an account without owner": "FROM account ANTI JOIN (FROM disp WHERE type = 'OWNER') USING (account_id)",
    "two owners": "SELECT account_id FROM disp WHERE type = 'OWNER' GROUP BY 1 HAVING count(*) > 1",
    "a card of a second user": "FROM card JOIN disp USING (disp_id) WHERE disp.type <> 'OWNER'",
    "two cards of one disposition": "SELECT disp_id FROM card GROUP BY 1 HAVING count(*) > 1",
    "a card spelled otherwise": r"FROM card WHERE NOT regexp_full_match(issued, '9\d{5} 00:00:00')",
    "two loans of one account": "SELECT account_id FROM loan GROUP BY 1 HAVING count(*) > 1",
    "a loan before the account": "FROM loan JOIN account USING (account_id) WHERE loan.date <= account.date",
    "payments that do not pay the loan": "FROM loan WHERE payments * duration <> amount",
    "a status that the dates deny": "FROM loan WHERE (status IN ('A', 'B')) <> "
    "(strptime('19' || date, '%Y%m%d') + to_months(duration) <= TIMESTAMP '1998-12-31')",
    "a loan without standing order": "FROM loan ANTI JOIN (FROM \"order\" WHERE k_symbol = 'UVER') o "
    "ON loan.account_id = o.account_id AND loan.payments = o.amount",
    "cash with a partner": "FROM trans WHERE operation IN ('VKLAD', 'VYBER', 'VYBER KARTOU') AND "
    "bank IS NOT NULL",
    "a transfer without one": "FROM trans WHERE operation LIKE 'PREVOD%' AND (bank IS NULL OR "
    "account IS NULL)",
    "a month without interest": "FROM (SELECT account_id, date // 100 AS month, count(*) FILTER "
    "(k_symbol = 'UROK') AS n FROM trans GROUP BY ALL) WHERE n <> 1",
    "sanctions of those in credit": "FROM trans WHERE k_symbol = 'SANKC. UROK' AND balance >= 0",
    "a wrong fee": "FROM trans JOIN account USING (account_id) WHERE k_symbol = 'SLUZBY' AND amount "
    "<> CASE frequency "
    "WHEN 'POPLATEK MESICNE' THEN CASE WHEN trans.date < 960101 THEN 12.4 ELSE 14.6 END "
    "WHEN 'POPLATEK TYDNE' THEN CASE WHEN trans.date < 960101 THEN 25 ELSE 30 END "
    "ELSE CASE WHEN trans.date < 960101 THEN 80 ELSE 100 END END",
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_rows_do_not_contradict_each_other(what):
    assert ask(NAME, f"SELECT count(*) FROM ({FORBIDDEN[what]})") == 0  # noqa: S608


def test_the_ledger_covers_six_years():
    assert ask(NAME, "SELECT min(date) // 10000 FROM trans") == 93
    assert ask(NAME, "SELECT max(date) FROM trans") == 981231


def test_bad_loans_lie_with_accounts_that_run_dry():
    overdrawn = dict(
        connection(NAME)
        .execute(
            "SELECT status IN ('B', 'D'), avg((balance < 0)::INT) FROM trans JOIN loan USING "
            "(account_id) GROUP BY 1"
        )
        .fetchall()
    )
    assert overdrawn[True] > 0.1
    assert overdrawn[False] < 0.01


def test_bad_loans_miss_payments():
    missed = """SELECT avg(n / due) FROM (
        SELECT account_id, count(*) AS n FROM trans WHERE k_symbol = 'UVER' GROUP BY 1
    ) JOIN (
        SELECT account_id, least(duration, date_diff('month', strptime('19' || date, '%Y%m%d'),
            TIMESTAMP '1998-12-31')) AS due FROM loan WHERE status IN ({})
    ) USING (account_id)"""
    assert ask(NAME, missed.format("'A', 'C'")) == 1
    assert ask(NAME, missed.format("'B', 'D'")) == pytest.approx(0.85, abs=0.06)


def test_cards_suit_their_holders():
    born = dict(
        connection(NAME)
        .execute(
            "SELECT card.type, min(birth_number // 10000) FROM card JOIN disp USING (disp_id) "
            "JOIN client USING (client_id) GROUP BY 1"
        )
        .fetchall()
    )
    assert born["junior"] > max(born["classic"], born["gold"])


def test_full_scale_is_the_size_of_the_real_bank_and_hardly_present_in_some_districts():
    made = make_world("banking", seed=7).tables
    assert made["account"].num_rows == 4_500
    assert made["trans"].num_rows == pytest.approx(1_056_320, rel=0.04)
    counts = [count["counts"] for count in made["account"]["district_id"].value_counts().to_pylist()]
    assert sum(count < 15 for count in counts) >= 5
    assert sum(count >= 30 for count in counts) > 55


@needs_data
def test_shares_of_the_real_bank_agree():
    real = Source("banking", read_database(BERKA)).read(0, 1.0)[1].connect()
    for query, expected in SHARES.values():
        found = dict(real.execute(query).fetchall())
        assert_near(found, expected, slack=0.1)
