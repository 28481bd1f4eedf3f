"""The eight tables as published; what is blank or empty in the files is null here."""

from warebench.engine.synthetic.schema import describe, table

DISTRICT = table(
    "district",
    key="A1",
    columns="""
    A1: INTEGER
    A2: VARCHAR
    A3: VARCHAR
    A4: INTEGER
    A5: INTEGER
    A6: INTEGER
    A7: INTEGER
    A8: INTEGER
    A9: INTEGER
    A10: DOUBLE
    A11: INTEGER
    A12: DOUBLE?
    A13: DOUBLE
    A14: INTEGER
    A15: DOUBLE?
    A16: INTEGER
    """,
)
ACCOUNT = table(
    "account",
    key="account_id",
    columns="""
    account_id: INTEGER
    district_id: INTEGER
    frequency: VARCHAR
    date: INTEGER
    """,
)
CLIENT = table(
    "client",
    key="client_id",
    columns="""
    client_id: INTEGER
    birth_number: INTEGER
    district_id: INTEGER
    """,
)
DISP = table(
    "disp",
    key="disp_id",
    columns="""
    disp_id: INTEGER
    client_id: INTEGER
    account_id: INTEGER
    type: VARCHAR
    """,
)
ORDER = table(
    "order",
    key="order_id",
    columns="""
    order_id: INTEGER
    account_id: INTEGER
    bank_to: VARCHAR
    account_to: VARCHAR
    amount: DOUBLE
    k_symbol: VARCHAR?
    """,
)
TRANS = table(
    "trans",
    key="trans_id",
    columns="""
    trans_id: INTEGER
    account_id: INTEGER
    date: INTEGER
    type: VARCHAR
    operation: VARCHAR?
    amount: DOUBLE
    balance: DOUBLE
    k_symbol: VARCHAR?
    bank: VARCHAR?
    account: VARCHAR?
    """,
)
LOAN = table(
    "loan",
    key="loan_id",
    columns="""
    loan_id: INTEGER
    account_id: INTEGER
    date: INTEGER
    amount: INTEGER
    duration: INTEGER
    payments: DOUBLE
    status: VARCHAR
    """,
)
CARD = table(
    "card",
    key="card_id",
    columns="""
    card_id: INTEGER
    disp_id: INTEGER
    type: VARCHAR
    issued: VARCHAR
    """,
)

BANKING = describe(
    "banking",
    (DISTRICT, ACCOUNT, CLIENT, DISP, ORDER, TRANS, LOAN, CARD),
    (
        "account(district_id) -> district(A1)",
        "client(district_id) -> district(A1)",
        "disp(client_id) -> client(client_id)",
        "disp(account_id) -> account(account_id)",
        "order(account_id) -> account(account_id)",
        "trans(account_id) -> account(account_id)",
        "loan(account_id) -> account(account_id)",
        "card(disp_id) -> disp(disp_id)",
    ),
    "synthetic twin of the Berka bank (PKDD'99)",
)
"""The catalog of the twin and of the real data."""
