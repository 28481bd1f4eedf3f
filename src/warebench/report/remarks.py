"""What a careful reader would hold against the numbers, said before they ask."""

from collections.abc import Iterator
from typing import Final

import pandas as pd

from warebench.report.accuracy import RESAMPLES, SEED
from warebench.report.conditions import CONDITION, NAMES
from warebench.report.table import PROBE

FEW_QUESTIONS: Final = 20
"""Below this many questions an interval says little (DW-Bench asks for n >= 20 per subtype)."""
MANY_FAILURES: Final = 0.05
"""Share of errors, unscored answers and questions not run from which a condition measures the machinery."""

METHOD: Final = (
    "Exact match (EM): the answer equals the gold after canonicalisation, or is an equally short valid "
    "path. The scorer decides; this report only counts.",
    "An error of the machinery counts 0 and is shown apart; where a condition has nothing but errors, no "
    "number is shown. An answer the instrument could not read (unscored) and a question that was not run "
    "are left out of the mean and counted beside it.",
    f"Intervals are 95 % bootstrap intervals with {RESAMPLES} resamples and the seed {SEED}, so equal "
    f"scores give equal bytes. Questions that share one fact are resampled together; epochs of a question "
    f"are averaged first. Where every answer is right, or every one wrong, resampling has no width, and "
    f"Wilson's score interval stands in its place; where it has no width at another value, no interval is "
    f"shown.",
    "Micro EM is the mean over questions, macro EM the mean over subtypes. Subtypes without questions do "
    "not enter.",
    "Breakdowns use the least obfuscated names present. Obfuscation and model comparisons use paired "
    "questions only, with McNemar's exact test and Holm's correction over the family shown.",
    "Differences between methods and between settings hold everything else equal. Their intervals resample "
    "databases where there are several; few clusters means fewer than 10 resampled units.",
    "An en dash stands where nothing was measured. It never means 0.",
)
"""How the numbers were made, one paragraph each."""


def remarks(scores: pd.DataFrame) -> tuple[str, ...]:
    """Return what limits these scores: uneven questions, few questions, many failures, several sets.

    Args:
        scores: Rows of one track from `check_scores`.
    """
    return (*_probes(scores), *_uneven(scores), *_few(scores), *_failing(scores))


def _probes(scores: pd.DataFrame) -> Iterator[str]:
    known = scores[scores[PROBE] != ""].groupby("method", sort=True)[PROBE].first()
    if len(known):
        named = "; ".join(f"{method} ({reason})" for method, reason in known.items())
        yield f"Probes are shown but do not rank, as they ask something else than the benchmark: {named}."


def _uneven(scores: pd.DataFrame) -> Iterator[str]:
    asked = scores.groupby(list(CONDITION))["question_id"].agg(frozenset)
    for level, sets in asked.groupby(level="obfuscation"):
        if sets.nunique() > 1:
            sizes = sets.map(len)
            least, most = sizes.min(), sizes.max()
            counts = f"{least} each, not the same ones" if least == most else f"{least} to {most} questions"
            yield (
                f"Not every condition answered the same questions ({NAMES[str(level)]}; {counts}): cells of "
                f"one table are not fully comparable. Paired differences, here and by the command warebench "
                f"compare, use the questions that both sides answered."
            )


def _few(scores: pd.DataFrame) -> Iterator[str]:
    sizes = scores.drop_duplicates(["obfuscation", "question_id"]).groupby(["obfuscation", "subtype"]).size()
    few = sorted({str(subtype) for _, subtype in sizes[sizes < FEW_QUESTIONS].index})
    if few:
        yield (
            f"{len(few)} of {sizes.index.get_level_values('subtype').nunique()} subtypes have fewer than "
            f"{FEW_QUESTIONS} questions: their EM is a hint, no measurement."
        )


def _failing(scores: pd.DataFrame) -> Iterator[str]:
    shares = (scores["outcome"] != "verdict").groupby([scores[column] for column in CONDITION]).mean()
    failing = shares[shares > MANY_FAILURES]
    if len(failing):
        yield (
            f"In {len(failing)} of {len(shares)} conditions more than {MANY_FAILURES:.0%} of the answers "
            f"are errors, unscored or not run: there the score measures the machinery as much as the model."
        )
