"""The second method: every gold once more, in SQL, from the catalog's edges alone.

Shares no code with `warebench.graph` nor with the candidates; knows a question only by its subtype,
variant, subjects and the set's semantics.
"""
