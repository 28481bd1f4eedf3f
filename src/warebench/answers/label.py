"""The canonical form of the name of a field or column, in which two such names are compared."""

import re
import unicodedata

from warebench.answers.cell import unwrapped

_GAPS = re.compile(r"[\s_-]+")


def label(name: str) -> str:
    """Return the canonical form of a name: case folded, words joined by `_`, without marks around it.

    Example:
        >>> label("**Total change-pct**")
        'total_change_pct'
    """
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())
    return _GAPS.sub("_", unwrapped(folded)).strip("_") or folded.strip()
