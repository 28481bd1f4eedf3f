"""Check a knowledge base against a catalog: every name, kind, join, rule and document."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial

from warebench.catalog.model import Catalog
from warebench.errors import KnowledgeError, UserError
from warebench.tracks.intelligence.knowledge.check_metrics import check_dimension, check_metric
from warebench.tracks.intelligence.knowledge.check_rules import check_operation, check_rule
from warebench.tracks.intelligence.knowledge.conflicts import find_conflicts
from warebench.tracks.intelligence.knowledge.documents import check_document, check_fact
from warebench.tracks.intelligence.knowledge.expressions import parse_expression
from warebench.tracks.intelligence.knowledge.grammar import read_formula
from warebench.tracks.intelligence.knowledge.model import Knowledge
from warebench.tracks.intelligence.knowledge.names import find_name_faults
from warebench.tracks.intelligence.knowledge.weights import find_weight_faults


def check_knowledge(knowledge: Knowledge, catalog: Catalog) -> None:
    """Refuse a knowledge base that cannot be computed on a catalog, or whose parts contradict each other.

    Args:
        knowledge: What `read_knowledge` returned.
        catalog: Tables, columns and keys of the database.

    Raises:
        KnowledgeError: The fault, or all of them in one message.
    """
    raise_faults(find_faults(knowledge, catalog))


def raise_faults(faults: Iterable[KnowledgeError]) -> None:
    """Raise the one fault there is, or all of them in one error; nothing where there is none."""
    found = list(faults)
    if len(found) == 1:
        raise found[0]
    if found:
        said = "\n".join(f"- {fault}".replace("\n", "\n  ") for fault in found)
        raise KnowledgeError(f"{len(found)} faults in the knowledge base:\n{said}", fix="mend each")


def find_faults(knowledge: Knowledge, catalog: Catalog) -> Iterator[KnowledgeError]:
    """Yield every fault of a knowledge base, in the order of its entries; see `check_knowledge`."""
    yield from find_name_faults(knowledge)
    for dimension in knowledge.dimensions:
        yield from _fault(f"dimension {dimension.id}", partial(check_dimension, dimension, catalog))
    for metric in knowledge.metrics:
        yield from _fault(f"metric {metric.id}", partial(check_metric, knowledge, catalog, metric))
    yield from _rule_faults(knowledge, catalog)
    yield from _unread(knowledge)
    for find in (find_conflicts, find_weight_faults):
        yield from _of_expressions(find, knowledge)


def _rule_faults(knowledge: Knowledge, catalog: Catalog) -> Iterator[KnowledgeError]:
    for rule in knowledge.rules:
        where = f"rule {rule.id}"
        yield from _fault(where, partial(check_rule, knowledge, rule))
        for number, operation in enumerate(rule.operations, 1):
            place = f"{where}, operation {number}"
            yield from _fault(place, partial(check_operation, knowledge, catalog, rule, operation))
        yield from _fault(f"{where}, {rule.document}", partial(check_document, knowledge, rule))
        for number, fact in enumerate(rule.facts, 1):
            yield from _fault(f"{where}, fact {number}", partial(check_fact, knowledge, rule, fact))


def _unread(knowledge: Knowledge) -> Iterator[KnowledgeError]:
    """Yield expressions that one method reads and the other does not."""
    for where, texts in (*_of_metrics(knowledge), *_of_rules(knowledge)):
        for text in filter(None, texts):
            with suppress(KnowledgeError):  # reported with its metric or operation
                parse_expression(text)
                yield from _fault(where, partial(_read, text))


def _read(text: str) -> None:
    read_formula(text)


def _of_metrics(knowledge: Knowledge) -> Iterator[tuple[str, list[str]]]:
    for metric in knowledge.metrics:
        inner = metric.entity.measures.values() if metric.entity else ()
        yield (
            f"metric {metric.id}",
            [
                metric.formula,
                metric.entity.keep if metric.entity else "",
                *(metric.relation.where if metric.relation else ()),
                *(text for item in (*metric.measures.values(), *inner) for text in (item.value, item.where)),
            ],
        )


def _of_rules(knowledge: Knowledge) -> Iterator[tuple[str, list[str]]]:
    for rule in knowledge.rules:
        for number, operation in enumerate(rule.operations, 1):
            texts = [getattr(operation, name, "") for name in ("where", "expression", "scope")]
            yield f"rule {rule.id}, operation {number}", texts


def _of_expressions(
    find: Callable[[Knowledge], Iterator[KnowledgeError]], knowledge: Knowledge
) -> Iterator[KnowledgeError]:
    try:
        yield from find(knowledge)
    except KnowledgeError:
        # An expression that cannot be parsed: reported with its metric or operation.
        return


def _fault(where: str, check: Callable[[], None]) -> Iterator[KnowledgeError]:
    try:
        check()
    except UserError as error:
        yield KnowledgeError(
            error.what,
            where=f"{where}, {error.where}" if error.where else where,
            # Of many known names none may be like the unknown one.
            fix=error.fix or "correct the name",
        )
