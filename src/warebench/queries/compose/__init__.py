"""Templates for any schema: the seven operators composed along foreign keys by column statistics."""

from warebench.queries.compose.compose import Composition, compose, compose_set

__all__ = ["Composition", "compose", "compose_set"]
