"""Intervals, paired tests and power: numbers in, numbers out."""
