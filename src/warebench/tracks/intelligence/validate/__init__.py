"""Validation of tasks before they become questions: programmatic checks, and the seam for a judge."""
