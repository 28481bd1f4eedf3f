"""From a slice to its rows: by SQL, and again without it."""
