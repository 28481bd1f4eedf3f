"""Text-to-SQL when the schema does not fit in the prompt (BudgetSchemaBench, arXiv 2610.00092)."""
