"""Metric files that companies already have, as knowledge; what would lose meaning is refused."""
