"""Passwords and keys never leave: what is printed, raised, logged or stored goes through here.

Three ways tell a secret: where it stands (the password of an address, the value of `api_key=`), what it looks
like (`sk-...`, `Bearer ...`), and what it is: values of the environment whose names say so, and what `learn`
was told.
"""

import os
import re
from typing import Final
from urllib.parse import unquote, unquote_plus

HIDDEN: Final = "***"
"""What stands in place of a secret."""

SHORTEST: Final = 6
"""Characters of a known secret that is looked for in talk; a shorter word stands anywhere by chance."""

SHORTEST_IN_RESULTS: Final = 8
"""The same in results and in what a model said, which must not be changed by chance."""

_SPOKEN = "password|passwd|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key|credential"
_WORDS = rf"[\w.-]*(?:{_SPOKEN})[\w.-]*"
_ENDS = "token|pwd|auth|authorization"
_SPEAKING = rf"(?:{_WORDS}|(?:[\w.-]*[_.-])?(?:{_ENDS}))"
_NAME = re.compile(rf"{_SPEAKING}|(?:[\w.-]*[_.-])?key", re.IGNORECASE)
_VALUE = r"""(?:"[^"]*"|'[^']*'|[^\s,;&)\]}"'<>]+)"""

ADDRESS: Final = re.compile(
    r"(?P<head>\b[a-z][\w+.-]*://[^\s:/@?#\"']*:)(?!\d{1,5}(?:[/?#\s]|$))(?!PASSWORD@)(?:[^\s/]*|\S*)@",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"[a-z][\w+.-]*://[^:/@]*:(?!\d{1,5}/)(?P<password>.+)@[^@]*", re.IGNORECASE | re.DOTALL)
_WEB_USER = re.compile(r"(?P<head>\bhttps?://)[^\s/@:?#]+@", re.IGNORECASE)
_QUERY = re.compile(rf"(?P<head>[?&]{_SPEAKING}=)[^\s&#\"']+", re.IGNORECASE)
_ASSIGNED = re.compile(rf"(?P<head>\b{_SPEAKING}\s*=\s*){_VALUE}", re.IGNORECASE)
_QUOTED = re.compile(rf"""(?P<head>(?P<mark>["']){_SPEAKING}(?P=mark)\s*[:,=]\s*){_VALUE}""", re.IGNORECASE)
_HEADER = re.compile(r"(?P<head>\b(?:authorization|x-api-key|api-key)\s*:\s*)[^\r\n,;\"']+", re.IGNORECASE)
_LOOKS = re.compile(
    r"(?P<head>\bBearer\s+)[\w.~+/=-]{6,}"
    r"|\b(?:sk|pk|rk)-[\w-]{8,}|\b(?:hf|gsk|ghp|gho|ghs|glpat|xai)[_-][A-Za-z0-9]{16,}"
    r"|\bAKIA[0-9A-Z]{16}\b|\bAIza[\w-]{30,}|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+"
)
_STANDING = (ADDRESS, _WEB_USER, _QUERY)
_SAID = (*_STANDING, _ASSIGNED, _QUOTED, _HEADER, _LOOKS)

_LEARNT: set[str] = set()


def learn(text: str, *, name: str = "") -> None:
    """Keep what of a text is secret, to find it again wherever a driver or a server repeats it.

    Args:
        text: An address, or the value of a parameter.
        name: Of the parameter; where it says so, all of the text is secret.
    """
    _LEARNT.update(_secrets_of(text, name))


def is_secret(name: str) -> bool:
    """Return whether the name of a parameter or variable says that its value is secret."""
    return bool(_NAME.fullmatch(name))


def has_secret(address: str) -> bool:
    """Return whether an address holds a password or a key."""
    return any(pattern.search(address) for pattern in _STANDING)


def mask(text: str) -> str:
    """Return talk, an error or a line of a log without its secrets."""
    for pattern in _SAID:
        text = pattern.sub(_hide, text)
    return _without(text, SHORTEST)


def mask_values(text: str) -> str:
    """Return a result, or what a model said, without secrets; nothing that only looks like one is touched."""
    for pattern in _STANDING:
        text = pattern.sub(_hide, text)
    return _without(text, SHORTEST_IN_RESULTS)


def _hide(found: re.Match[str]) -> str:
    head = found["head"] if "head" in found.re.groupindex else ""
    return f"{head or ''}{HIDDEN}{'@' if found[0].endswith('@') else ''}"


def _without(text: str, shortest: int) -> str:
    known = {value for value in _LEARNT | _of_environment() if len(value) >= shortest}
    for value in sorted(known, key=len, reverse=True):  # a part of another must not break it up
        text = text.replace(value, HIDDEN)
    return text


def _of_environment() -> set[str]:
    return {
        secret
        for name, value in os.environ.items()
        for secret in _secrets_of(value, name if name not in ("PWD", "OLDPWD") else "")
        if not os.path.exists(secret)  # a path to a file of keys is none
    }


def _secrets_of(text: str, name: str = "") -> set[str]:
    found = {text} if name and is_secret(name) else set()
    if whole := _WHOLE.fullmatch(text):
        found.add(whole["password"])
    found |= {word.partition("=")[2] for word in (match[0] for match in _QUERY.finditer(text))}
    spelled = {word for secret in found for word in (secret, unquote(secret), unquote_plus(secret))}
    return {word for word in spelled if word.strip()}
