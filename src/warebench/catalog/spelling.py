"""The canonical spelling of a table name: the form in which two names are compared."""

import unicodedata

QUOTES = "\"'`[]\u2018\u2019\u201c\u201d"
"""Characters that quote an identifier in some SQL dialect or in prose."""


def canonical(name: str) -> str:
    """Return the canonical form of a table name; equal tables have equal forms.

    Case is folded, Unicode composed, whitespace collapsed, and quotes, brackets and backticks are
    stripped from the name and from each of its dotted parts.

    Args:
        name: A name as a catalog or a model spells it.

    Returns:
        The canonical form; canonicalising it again changes nothing.

    Example:
        >>> canonical('[OLTP]."Sales".`Customer`')
        'oltp.sales.customer'

    Reference:
        DW-Bench, Appendix E ("lists are lowercased"); Unicode 3.13, canonical caseless matching.
    """
    # Normalised before quotes are looked for: some characters compose to a quote.
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())
    collapsed = " ".join(folded.split())
    stripped = ".".join(part.strip(QUOTES + " ") for part in collapsed.split("."))
    # A name that is nothing but quotes keeps them, else two such tables would be one.
    return stripped or collapsed
