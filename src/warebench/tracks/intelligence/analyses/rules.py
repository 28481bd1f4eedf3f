"""Which rules a question needs: those without which its answer would be judged wrong.

Source: DI-Bench, Appendix L: rule-bearing tasks are kept only when removal of a rule changes the executed
answer.
"""

import msgspec

from warebench.answers.compare import compare
from warebench.answers.model import Answer
from warebench.answers.parse import Unparsed, kind_of, parse
from warebench.answers.render import render
from warebench.tracks.intelligence.analyses.lab import Lab, screen
from warebench.tracks.intelligence.analyses.model import Ask, Unfit


def required_rules(lab: Lab, ask: Ask, gold: Answer) -> tuple[str, ...]:
    """Return the rules of a question, in order, whose removal alone makes its answer a wrong one.

    Raises:
        StraddleError: Without a rule, one that it supersedes holds for a part of what is asked.
    """
    return tuple(
        rule
        for rule in ask.rules
        if is_changed(lab, msgspec.structs.replace(ask, rules=tuple(r for r in ask.rules if r != rule)), gold)
    )


def is_changed(lab: Lab, other: Ask, gold: Answer) -> bool:
    """Return whether the answer to another question would be judged wrong for this gold, or is none."""
    try:
        said, _ = screen(lab, other)
    except Unfit:
        return True
    stated = parse(render(said), kind_of(gold))
    return isinstance(stated, Unparsed) or not compare(gold, stated).correct
