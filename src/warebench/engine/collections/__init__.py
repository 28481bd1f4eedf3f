"""Collections of databases with examples, one file for each layout."""
