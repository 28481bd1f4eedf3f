"""What prose says, without a model: sentences, names, days and numbers."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
)  # fmt: skip
MARKS = re.compile(r"[*_`>#|]+")
LIST = re.compile(r"^\s*(?:[-+]|\d+\.)\s+", re.MULTILINE)
DAY = re.compile(
    rf"(?P<iso>\d{{4}}-\d\d-\d\d)|(?P<day>\d{{1,2}}) (?P<month>{'|'.join(MONTHS)}) (?P<year>\d{{4}})",
    re.IGNORECASE,
)
NUMBER = re.compile(r"(?<![\w.,-])\d+(?:,\d{3})*(?:\.\d+)?(?: ?%)?(?![\w-])")


def split_sentences(prose: str) -> list[str]:
    """Return the sentences of Markdown prose, without its marks; list items and headings are sentences."""
    blocks = re.split(r"\n\s*\n|\n(?=\s*(?:[-+*]|\d+\.)\s)|(?<=#)\n", prose)
    plain = [" ".join(LIST.sub("", MARKS.sub("", block)).split()) for block in blocks]
    return [
        sentence for block in plain for sentence in re.split(r"(?<=[.!?]) (?=[A-Z\"*])", block) if sentence
    ]


def find_names(text: str, names: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the ids one of whose names stands in a text as a whole.

    A longer name hides shorter ones inside it: "Revenue per Active Customer" speaks of no "Revenue".

    Args:
        text: A sentence.
        names: Id to its names.
    """
    known = sorted(
        ((name, key) for key, spellings in names.items() for name in spellings if name),
        key=lambda pair: (-len(pair[0]), pair),
    )
    found: set[str] = set()
    rest = text.casefold()
    for name, key in known:
        pattern = rf"(?<!\w){re.escape(name.casefold())}(?!\w)"
        if re.search(pattern, rest):
            found.add(key)
            # Another id of the same name is found too.
            twins = {other for spelled, other in known if spelled.casefold() == name.casefold()}
            found |= twins
            rest = re.sub(pattern, " | ", rest)
    return [key for key in names if key in found]


def find_days(text: str) -> Iterator[str]:
    """Yield the days that a text names, in ISO form."""
    for found in DAY.finditer(text):
        try:
            if found["iso"]:
                yield date.fromisoformat(found["iso"]).isoformat()
            else:
                month = MONTHS.index(found["month"].lower()) + 1
                yield date(int(found["year"]), month, int(found["day"])).isoformat()
        except ValueError:
            continue


def find_numbers(text: str) -> list[str]:
    """Return the numbers of a text as they are written, those of days apart."""
    return NUMBER.findall(DAY.sub(" ", text))
