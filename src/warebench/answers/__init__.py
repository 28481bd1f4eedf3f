"""Typed answers: what a model said, and whether it is right."""
