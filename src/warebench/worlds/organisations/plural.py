"""English nouns of table names, in singular."""

IRREGULAR = {
    "people": "person",
    "staff": "staff",
    "series": "series",
    "species": "species",
    "premises": "premises",
    "courses": "course",
    "leases": "lease",
    "purchases": "purchase",
    "houses": "house",
    "warehouses": "warehouse",
    "licences": "licence",
    "movies": "movie",
    "buses": "bus",
    "goods": "goods",
    "calves": "calf",
    "businesses": "business",
}


def singular(name: str) -> str:
    """Return a name in snake case with its last word in singular.

    Example:
        >>> singular("order_entries"), singular("branches"), singular("glass")
        ('order_entry', 'branch', 'glass')
    """
    head, mark, last = name.rpartition("_")
    return head + mark + _noun(last)


def _noun(word: str) -> str:
    if word in IRREGULAR:
        return IRREGULAR[word]
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
