"""Czech retail banking, 1993 to 1998: accounts, transactions, loans and cards; the Berka schema."""
