"""Invented organisations: what sixteen kinds of them keep, in schemas that are alike and seldom equal."""
