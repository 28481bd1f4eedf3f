"""Multitable: questions over several tables in one prompt (TQA-Bench)."""
