"""The artifact linkage graph: tables, metrics, rules and dimensions, and what depends on what."""
