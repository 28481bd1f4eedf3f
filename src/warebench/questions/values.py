"""What values an option takes, in the words of an error."""

from typing import Any, Literal, get_args, get_origin


def in_words(kind: Any) -> str:
    """Return what a user may write where a value of a type is wanted.

    Example:
        >>> in_words(int | None), in_words(Literal["keep", "drop"])
        ('a whole number', 'keep or drop')
    """
    if get_origin(kind) is Literal:
        return " or ".join(get_args(kind))
    words = {int: "a whole number", float: "a number", bool: "true or false"}
    return " or ".join(words[part] for part in get_args(kind) or (kind,) if part in words) or "a word"
