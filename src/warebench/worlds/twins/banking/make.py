"""From a plan to the bank."""

from collections.abc import Iterable

from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.synthetic.schema import Columns
from warebench.worlds.twins.banking.cards import make_cards
from warebench.worlds.twins.banking.districts import make_districts
from warebench.worlds.twins.banking.holders import make_accounts, make_clients
from warebench.worlds.twins.banking.ledger import make_transactions
from warebench.worlds.twins.banking.loans import make_loans
from warebench.worlds.twins.banking.months import make_months
from warebench.worlds.twins.banking.standing import make_orders


def make_banking(plan: Plan) -> Iterable[tuple[str, Columns]]:
    """Draw a bank with the schema and the habits of Berka's; the 77 districts always are.

    Balances add up: ordered by `trans_id`, each of an account is the one before plus or minus the amount.
    Two departures from the real data: fees rise in January 1996, and some districts have hardly an account.

    Source: DI-Bench (arXiv 2609.05776), section 4; schema and shares of Berka (PKDD'99 discovery challenge).
    """
    accounts, account_columns = make_accounts(plan)
    holders, clients, dispositions = make_clients(plan, accounts)
    loans, loan_columns = make_loans(plan, accounts)
    orders, order_columns = make_orders(plan, accounts, loans)
    cards, card_columns = make_cards(plan, accounts, holders)
    months = make_months(plan, accounts, loans)
    return {
        "district": make_districts(plan),
        "account": account_columns,
        "client": clients,
        "disp": dispositions,
        "order": order_columns,
        "trans": make_transactions(plan, accounts, months, orders, cards),
        "loan": loan_columns,
        "card": card_columns,
    }.items()
