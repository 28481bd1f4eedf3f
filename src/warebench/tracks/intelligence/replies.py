"""One JSON object out of a model's reply."""

import json
from typing import Any


def read_object(text: str) -> dict[str, Any] | None:
    """Return the first JSON object in a text, whatever stands around it; None where there is none."""
    decoder = json.JSONDecoder()
    for start, letter in enumerate(text):
        if letter == "{":
            try:
                found, _ = decoder.raw_decode(text, start)
            except (json.JSONDecodeError, RecursionError):
                continue
            return found if isinstance(found, dict) else None
    return None
