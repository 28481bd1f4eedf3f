"""Questions about invented organisations, with gold SQL: no download."""
