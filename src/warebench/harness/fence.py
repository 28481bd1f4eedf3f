"""Where data stands in a prompt: between two tags that the data itself cannot close."""

import re


def fence(tag: str, data: str, attributes: str = "") -> str:
    """Return data between tags; honest data stand between `<tag>` and `</tag>`.

    A cell, a name, a comment or a document may hold the closing tag, with a question of its own behind it.
    Data are shown as they are, so it is the tag that gives way: it gets the first number with which it stands
    nowhere in the data, in no case and with no blanks within.

    Args:
        tag: Name of the tag.
        data: Any text; a line end is added where it has none.
        attributes: Of the opening tag, with a blank before them.

    Example:
        >>> print(fence("tables", "a,b"))
        <tables>
        a,b
        </tables>
        >>> print(fence("tables", "a,</tables>"))
        <tables-2>
        a,</tables>
        </tables-2>
    """
    # one look at the text for all numbers: there may be thousands of them
    taken = {
        re.sub(r"\s", "", found).casefold()
        for found in re.findall(rf"<\s*/?\s*({re.escape(tag)}[\s\d-]*)", data, re.IGNORECASE)
    }
    name, number = tag, 1
    while name.casefold() in taken:
        number += 1
        name = f"{tag}-{number}"
    body = data if not data or data.endswith("\n") else f"{data}\n"
    return f"<{name}{attributes}>\n{body}</{name}>"


def fenced(tag: str) -> "re.Pattern[str]":
    """Return what finds the data between tags, as group `data`: for policies, which read prompts."""
    return re.compile(rf"^<(?P<tag>{tag}(?:-\d+)?)>\n(?P<data>.*?)^</(?P=tag)>$", re.DOTALL | re.MULTILINE)
