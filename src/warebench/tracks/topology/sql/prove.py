"""Answering questions by the second method, all questions of one kind in one query."""

from collections.abc import Callable, Mapping, Sequence

from warebench.answers.model import Answer, Boolean, NameSet, Number, Path
from warebench.catalog.model import Catalog
from warebench.tracks.topology.semantics import Semantics
from warebench.tracks.topology.sql import lineage, routing, silo
from warebench.tracks.topology.sql.asked import Asked, Board, open_board

Numbered = Sequence[tuple[int, Asked]]
Proof = Callable[[Board, Numbered], Mapping[int, Answer]]


def prove(catalog: Catalog, semantics: Semantics, asked: Sequence[Asked]) -> list[Answer | None]:
    """Return the answers of the second method, parallel to the questions; None where there is none."""
    groups: dict[str, list[tuple[int, Asked]]] = {}
    for number, item in enumerate(asked):
        groups.setdefault(kind(item.subtype, item.variant), []).append((number, item))
    answers: dict[int, Answer] = {}
    board = open_board(catalog, semantics)
    for name, questions in groups.items():
        if name not in PROOFS:
            continue  # a set edited by hand: no answer is found, and the check says so
        board.ask(questions)
        answers |= PROOFS[name](board, questions)
    board.connection.close()
    return [answers.get(number) for number in range(len(asked))]


def kind(subtype: str, variant: str) -> str:
    """Return the key into PROOFS."""
    name = f"{subtype}.{variant}"
    return name if name in PROOFS else subtype


def _names(found: Mapping[int, tuple[str, ...]], questions: Numbered) -> dict[int, Answer]:
    return {number: NameSet(found.get(number, ())) for number, _ in questions}


def _names_but_asked(found: Mapping[int, tuple[str, ...]], questions: Numbered) -> dict[int, Answer]:
    return {
        number: NameSet(tuple(name for name in found[number] if name not in item.subjects), item.subjects)
        for number, item in questions
        if number in found
    }


def _names_with_asked(found: Mapping[int, tuple[str, ...]], questions: Numbered) -> dict[int, Answer]:
    return {number: NameSet(found[number]) for number, _ in questions if number in found}


def _numbers(found: Mapping[int, int]) -> dict[int, Answer]:
    return {number: Number(value) for number, value in found.items()}


def _booleans(found: Mapping[int, int]) -> dict[int, Answer]:
    return {number: Boolean(value == 1) for number, value in found.items()}


def _paths(board: Board, questions: Numbered) -> dict[int, Answer]:
    routing.lengths(board, board.semantics.fk_direction)
    found = routing.steps(board)
    return {number: _first_path(item, found[number]) for number, item in questions if number in found}


def _first_path(item: Asked, steps: tuple[tuple[str, str], ...]) -> Path:
    # The steps are sorted, so the first that leaves a table leads to the least next name.
    following: dict[str, str] = {}
    for here, there in steps:
        following.setdefault(here, there)
    nodes = [item.subjects[0]]
    while nodes[-1] != item.subjects[1]:
        nodes.append(following[nodes[-1]])
    return Path(tuple(nodes), steps)


PROOFS: dict[str, Proof] = {
    "forward": lambda board, asked: _names(lineage.targets(board), asked),
    "reverse": lambda board, asked: _names(lineage.sources(board), asked),
    "multi_source": lambda board, asked: _names(lineage.sources(board), asked),
    "transitive": lambda board, asked: _names(lineage.closure(board), asked),
    "combined_impact": lambda board, asked: _names_but_asked(lineage.impact(board), asked),
    "direct_fk": lambda board, _: _booleans(routing.direct(board)),
    "join_path": _paths,
    "hop_count": lambda board, _: _numbers(routing.lengths(board, board.semantics.fk_direction)),
    "hop_count.lineage": lambda board, _: _numbers(routing.lengths(board, "downstream")),
    "count": lambda board, _: _numbers(silo.count(board)),
    "count.silo_size": lambda board, _: _numbers(silo.size(board)),
    "isolation": lambda board, _: _booleans(silo.size(board)),
    "connected": lambda board, _: _booleans(silo.together(board)),
    "membership": lambda board, asked: _names_but_asked(silo.members(board), asked),
    "full_enumeration": lambda board, asked: _names_with_asked(silo.members(board), asked),
}
"""How each kind is proved. A silo of size 1 is what isolation asks for."""
