"""Score table in, report out: tables, figures, comparison of models."""
