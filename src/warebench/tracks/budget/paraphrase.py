"""Questions reworded so that they do not name the schema: the same question, harder to match by words."""

import re
from collections.abc import Collection, Iterable, Iterator

import msgspec
from sqlglot import exp

from warebench.catalog.model import Catalog
from warebench.questions.model import Question
from warebench.tracks.budget.ask import Asked, word
from warebench.tracks.budget.overlap import overlap, schema_words
from warebench.tracks.budget.rank.words import words
from warebench.tracks.budget.synonyms import read_synonyms

SYNONYMS = read_synonyms()
FORMS = re.compile(rf"(?<![\w'\"`-])(?:{'|'.join(map(re.escape, SYNONYMS))})(?![\w\"`-])", re.IGNORECASE)
QUOTED = re.compile(r"\"[^\"]*\"|`[^`]*`|(?<!\w)'[^']*'(?!\w)")
ARTICLE = re.compile(r"\b(an?) $", re.IGNORECASE)
VOWELS = frozenset("aeiou")


def reword(asked: Asked, catalog: Catalog) -> Question | None:
    """Return the question in other words, without its id, or None where no word of the schema can go.

    Words of the tables and columns that gold reads give way to synonyms. Values stay: what is quoted, what
    stands in gold as text, and names with a capital inside a sentence. So does a word whose synonym is a word
    of the database's schema, which would mean something else there.

    Args:
        asked: The question and its gold.
        catalog: Its database.
    """
    text = replace_words(
        asked.example.question,
        named=schema_words(asked.labels),
        taken=_all_words(catalog),
        values=[node.name for node in asked.query.find_all(exp.Literal) if node.is_string],
    )
    if text == asked.example.question:
        return None
    question = asked.question
    return msgspec.structs.replace(
        question,
        variant="paraphrase",
        text=word(msgspec.structs.replace(asked.example, question=text)),
        facets={**question.facets, "overlap": overlap(text, asked.labels)},
    )


def replace_words(text: str, *, named: Collection[str], taken: Collection[str], values: Iterable[str]) -> str:
    """Return a text with schema words replaced by synonyms.

    Args:
        text: The question.
        named: Words of the schema to avoid.
        taken: Words that no synonym may have.
        values: Texts to leave as they are.
    """
    kept = [*_spans(text, values)]
    parts: list[str] = []
    done = 0
    for match in FORMS.finditer(text):
        form = match.group().lower()
        other, base = SYNONYMS[form]
        if (
            not any(set(words(said)) <= set(named) for said in (form, base))
            or (set(words(other)) - set(words(form))) & set(taken)
            or any(start < match.end() and match.start() < end for start, end in kept)
            or _is_name(text, match.start())
        ):
            continue
        before = _agree(text[done : match.start()], other)
        parts += [before, other[0].upper() + other[1:] if match.group()[0].isupper() else other]
        done = match.end()
    return "".join([*parts, text[done:]])


def _all_words(catalog: Catalog) -> frozenset[str]:
    names = [name for table in catalog.tables for name in (table.name, *(c.name for c in table.columns))]
    return frozenset(part for name in names for part in words(name))


def _spans(text: str, values: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield where values stand."""
    yield from (match.span() for match in QUOTED.finditer(text))
    for value in values:
        bare = value.strip("%_ ")
        if len(bare) > 1:
            yield from (match.span() for match in re.finditer(re.escape(bare), text, re.IGNORECASE))


def _is_name(text: str, start: int) -> bool:
    """Return whether a word with a capital stands inside a sentence."""
    before = text[:start].rstrip()
    return text[start].isupper() and bool(before) and before[-1] not in ".?!:"


def _agree(before: str, other: str) -> str:
    """Return the text before a synonym with the article it needs."""
    match = ARTICLE.search(before)
    if not match:
        return before
    article = match.group(1)[0] + ("n" if other[0] in VOWELS else "")
    return f"{before[: match.start()]}{article} "
