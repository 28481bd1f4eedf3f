"""Candidates: what could be asked, in seeded order."""
