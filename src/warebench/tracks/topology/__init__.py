"""Track `topology`: questions about the graph of a warehouse schema (DW-Bench)."""
