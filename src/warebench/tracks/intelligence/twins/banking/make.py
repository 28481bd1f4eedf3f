"""From a seed and a scale to the bank."""

from warebench.engine.database import Database
from warebench.engine.synthetic.columns import to_table
from warebench.engine.synthetic.plan import Plan, check_scale
from warebench.tracks.intelligence.twins.banking.cards import make_cards
from warebench.tracks.intelligence.twins.banking.districts import make_districts
from warebench.tracks.intelligence.twins.banking.holders import make_accounts, make_clients
from warebench.tracks.intelligence.twins.banking.ledger import make_transactions
from warebench.tracks.intelligence.twins.banking.loans import make_loans
from warebench.tracks.intelligence.twins.banking.months import make_months
from warebench.tracks.intelligence.twins.banking.schema import BANKING
from warebench.tracks.intelligence.twins.banking.standing import make_orders

ACCOUNTS, FEWEST = 4_500, 100
"""At scale 1, and at any scale."""

ALL_ROWS = 1_080_000
"""Of all tables at scale 1, about."""


def make_banking(seed: int, scale: float = 1.0) -> Database:
    """Return a bank nobody has seen, with the schema and the habits of Berka's: same seed, same bytes.

    Balances add up: ordered by `trans_id`, each of an account is the one before plus or minus the amount.
    Two departures from the real data: fees rise in January 1996, and some districts have hardly an account.

    Args:
        seed: Of every random choice.
        scale: Accounts relative to the real data; at least 100 are made. The 77 districts always are.

    Raises:
        BuildError: The scale is not a positive number, or too large.

    Source: DI-Bench (arXiv 2609.05776), section 4; schema and shares of Berka (PKDD'99 discovery challenge).
    """
    check_scale(scale, ALL_ROWS)
    plan = Plan(twin="banking", seed=seed, rows={"account": max(FEWEST, round(ACCOUNTS * scale))})
    accounts, account_columns = make_accounts(plan)
    holders, clients, dispositions = make_clients(plan, accounts)
    loans, loan_columns = make_loans(plan, accounts)
    orders, order_columns = make_orders(plan, accounts, loans)
    cards, card_columns = make_cards(plan, accounts, holders)
    months = make_months(plan, accounts, loans)
    columns = {
        "district": make_districts(plan),
        "account": account_columns,
        "client": clients,
        "disp": dispositions,
        "order": order_columns,
        "trans": make_transactions(plan, accounts, months, orders, cards),
        "loan": loan_columns,
        "card": card_columns,
    }
    tables = {spec.name: to_table(spec, columns[spec.name]) for spec in BANKING.tables}
    return Database(catalog=BANKING, tables=tables)
