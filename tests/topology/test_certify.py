"""A wrong gold is refused, whatever its subtype."""

import msgspec
import pytest
from tests.topology.sample import CATALOG

from warebench.answers.model import Abstain
from warebench.answers.mutate import mutations
from warebench.errors import GoldDisagreement
from warebench.tracks.topology.build import Options, build
from warebench.tracks.topology.certify import Claim, certify, claim
from warebench.tracks.topology.semantics import DEFAULT
from warebench.tracks.topology.subtypes import SUBTYPES

MADE = build([CATALOG], Options(size=2))


@pytest.mark.parametrize("subtype", [subtype.name for subtype in SUBTYPES])
def test_every_mutation_of_gold_is_refused(subtype):
    question = next(q for q in MADE.questions if q.subtype == subtype)
    right = claim(question)
    assert certify(CATALOG, DEFAULT, [right])[0].digest == question.certificate.digest
    wrong = mutations(question.gold, CATALOG.table_names, seed=1)
    assert wrong
    for gold in wrong:
        if not isinstance(gold, Abstain):
            with pytest.raises(GoldDisagreement, match=subtype):
                certify(CATALOG, DEFAULT, [Claim(right.asked, gold, right.method)])


def test_a_catalog_edge_less_is_refused():
    less = msgspec.structs.replace(CATALOG, lineage=CATALOG.lineage[1:])
    with pytest.raises(GoldDisagreement):
        certify(less, DEFAULT, [claim(question) for question in MADE.questions])
