"""How much of a gold query's schema a question names."""

from warebench.sql.labels import Labels
from warebench.tracks.budget.rank.words import words


def schema_words(labels: Labels) -> frozenset[str]:
    """Return the words of the names of gold's tables and columns, as a ranker of words sees them."""
    names = [*labels.tables, *(item.column for item in labels.columns)]
    return frozenset(word for name in names for word in words(name))


def overlap(text: str, labels: Labels) -> float:
    """Return the share of those words that a text has; four digits."""
    named = schema_words(labels)
    return round(len(named & set(words(text))) / len(named), 4) if named else 0.0
