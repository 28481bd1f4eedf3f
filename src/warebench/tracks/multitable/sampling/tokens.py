"""What Markdown tables cost in the tokenizers of `catalog.tokens`.

The length of a database is the sum of the lengths of its parts, exactly. Both tokenizers first cut a text
into pieces by a pattern that looks ahead but never back, and then split each piece by itself. Every part (a
row, or a table's heading with its header rows) ends in ` |` and a line feed. No cell holds a line end (they
are escaped) and a blank stands before the last pipe, so the cut always makes ` |` and the line ends after it
one piece: a symbol after an optional blank, with all line ends that follow (in o200k_base, slashes too). The
next part starts with `|` or `#`, which that piece cannot take. So a cut falls on every boundary between
parts, the parts are cut the same way alone as together, and only the blank line between two tables changes a
piece: from ` |` with one line feed to ` |` with two, for which `gap_tokens` gives the difference.
"""

from warebench.catalog.tokens import Count


def gap_tokens(count: Count) -> int:
    """Return what the blank line between two tables adds to the tokens of both."""
    return count(" |\n\n") - count(" |\n")
