"""Run planted faults: is every one that changes a gold refused?"""

import importlib
import multiprocessing
import random
import signal
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from tests.campaign.mutants import Mutant, Unplantable, find_mutants, planted
from tests.campaign.proofs import PROOFS, Proof

from warebench.errors import GoldDisagreement, UserError

PROCESSES = 2
MOST = 16
"""Cases that a fault is tried on, spread over those that reach it."""

SECONDS = 20
"""That one case may take under a fault: some make loops endless."""

CAUGHT, STOPPED, ENDLESS, SURVIVED, ESCAPED = "caught", "stopped", "endless", "survived", "ESCAPED"
"""The methods disagree; another error; no end; no gold changed; another gold, in silence."""


class Endless(BaseException):
    """A case takes too long."""


@dataclass
class Clean:
    """A proof as it is without faults."""

    proof: Proof
    gold: dict[int, Any] = field(default_factory=dict)
    """By case; those of which nothing is asked are missing."""
    reached: dict[str, dict[int, set[int]]] = field(default_factory=dict)
    """By file and line: the cases that execute it."""


def examine(proof: Proof) -> Clean:
    """Prove every case, and note which lines it executes."""
    files = {importlib.import_module(name).__file__ for _, name in proof.modules}
    clean = Clean(proof)
    for number, case in enumerate(proof.cases):
        try:
            with _noted(files, clean, number):
                clean.gold[number] = proof.prove(case)
        except UserError as error:
            if isinstance(error, GoldDisagreement):
                raise
    return clean


@contextmanager
def _noted(files: set[str | None], clean: Clean, number: int) -> Iterator[None]:
    def line(frame: FrameType, event: str, _: object) -> Any:
        lines = clean.reached.setdefault(frame.f_code.co_filename, {})
        lines.setdefault(frame.f_lineno, set()).add(number)
        return line

    before = sys.gettrace()
    sys.settrace(lambda frame, *_: line(frame, "", None) if frame.f_code.co_filename in files else None)
    try:
        yield
    finally:
        sys.settrace(before)


def mutants_of(proof: Proof) -> list[tuple[str, Mutant]]:
    """Return every mutant with its side."""
    return [
        (side, mutant)
        for side, name in proof.modules
        for mutant in find_mutants(importlib.import_module(name))
    ]


def try_mutant(clean: Clean, mutant: Mutant) -> str:
    """Return what becomes of a mutant on all cases that reach it."""
    lines = clean.reached.get(sys.modules[mutant.module].__file__ or "", {})
    first, last = mutant.span
    numbers = sorted({case for line, cases in lines.items() if first <= line <= last for case in cases})
    numbers = numbers[:: -(-len(numbers) // MOST) or 1]
    if not numbers:
        return SURVIVED
    kinds: list[str] = []
    golds: dict[int, Any] = {}
    with suppress(Unplantable), planted(mutant):
        for number in numbers:
            kinds.append(_try(clean, number, golds))
            if kinds[-1] in (CAUGHT, ENDLESS):
                return kinds[-1]
    if not kinds:
        return STOPPED
    if not all(clean.proof.right(clean.gold[number], found) for number, found in golds.items()):
        return ESCAPED
    return STOPPED if STOPPED in kinds else SURVIVED


def _try(clean: Clean, number: int, golds: dict[int, Any]) -> str:
    """Prove one case under a fault, and keep its gold."""
    try:
        with _limited():
            found = clean.proof.prove(clean.proof.cases[number])
    except GoldDisagreement:
        return CAUGHT
    except Endless:
        return ENDLESS
    except Exception:
        return STOPPED
    if number in clean.gold:
        golds[number] = found
    return SURVIVED


@contextmanager
def _limited() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise Endless

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def work(name: str, part: int, out: "multiprocessing.Queue[object]") -> None:
    """Try every n-th mutant of a pair."""
    clean = examine(PROOFS[name]())
    mutants = mutants_of(clean.proof)
    random.Random(1).shuffle(mutants)  # noqa: S311 - so that what is done tells of the rest
    if part == 0:
        print(f"{name}: {len(clean.gold)} golds, {len(mutants)} faults", file=sys.stderr, flush=True)
    for number, (side, mutant) in enumerate(mutants[part::PROCESSES]):
        if part == 0 and number % 50 == 0:
            print(f"{name}: {number * PROCESSES}", file=sys.stderr, flush=True)
        out.put((side, mutant, try_mutant(clean, mutant)))
    out.put(None)


def report(name: str, outcomes: Iterable[tuple[str, Mutant, str]]) -> list[str]:
    """Return the lines of a pair: counts by side, the share caught of what changes gold, what is left."""
    outcomes = list(outcomes)
    lines = []
    for side in ("first", "second", "shared"):
        counts = Counter(kind for own, _, kind in outcomes if own == side)
        said = ", ".join(f"{counts[kind]} {kind}" for kind in (CAUGHT, STOPPED, ENDLESS, SURVIVED, ESCAPED))
        lines.append(f"{name}, {side}: {counts.total()} faults: {said}")
    total = Counter(kind for *_, kind in outcomes)
    refused = total[CAUGHT] + total[STOPPED] + total[ENDLESS]
    share = refused / (refused + total[ESCAPED]) if refused else 0.0
    lines.append(f"{name}: {share:.1%} of the faults that change or end a gold are refused")
    return lines
