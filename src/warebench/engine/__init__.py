"""Locked SQL execution."""
