"""Rules that contradict each other: two that hold at once and give one thing different values."""

from collections.abc import Iterator
from itertools import combinations

from sqlglot import exp

from warebench.errors import KnowledgeError
from warebench.tracks.intelligence.knowledge.expressions import conjuncts, parse_expression
from warebench.tracks.intelligence.knowledge.links import touched_metrics
from warebench.tracks.intelligence.knowledge.model import (
    Knowledge,
    Operation,
    Override,
    Rule,
    Threshold,
    Weight,
)

Setting = tuple[Rule, Operation, str]
"""A rule, its operation, and the value it gives."""


def find_conflicts(knowledge: Knowledge) -> Iterator[KnowledgeError]:
    """Yield an error for every two settings of one target that may meet on a row, neither rule superseding.

    Scopes count as disjoint only where both compare one column with different values; others may overlap.
    """
    settings: dict[tuple[str, str], list[Setting]] = {}
    for rule in knowledge.rules:
        for metric, operations in touched_metrics(rule).items():
            for operation in operations:
                if target := _target(operation):
                    settings.setdefault((metric, target), []).append((rule, operation, _value(operation)))
    for (metric, target), found in settings.items():
        for first, second in combinations(found, 2):
            if _conflict(first, second):
                yield _error(metric, target, first, second)


def _error(metric: str, target: str, first: Setting, second: Setting) -> KnowledgeError:
    names = list(dict.fromkeys((first[0].id, second[0].id)))
    return KnowledgeError(
        f"{' and '.join(names)} contradict{'s itself' if len(names) == 1 else ''}: "
        f"{target} of {metric} is {first[2]} and {second[2]}",
        fix="let one supersede the other, or keep their scopes or dates apart",
    )


def _target(operation: Operation) -> str:
    match operation:
        case Threshold() | Weight():
            return f"parameter {operation.parameter}"
        case Override():
            return (
                f"{operation.target} of measure {operation.measure}"
                if operation.measure
                else operation.target
            )
        case _:
            return ""


def _value(operation: Operation) -> str:
    match operation:
        case Threshold() | Weight():
            return f"{operation.value:g}"
        case Override():
            return parse_expression(operation.expression).sql()
        case _:
            return ""


def _conflict(first: Setting, second: Setting) -> bool:
    (rule, operation, value), (other, opposite, other_value) = first, second
    if value == other_value or other.id in rule.supersedes or rule.id in other.supersedes:
        return False
    apart = not _dates_meet(rule, other) or scopes_disjoint(scope_of(operation), scope_of(opposite))
    return not apart


def _dates_meet(rule: Rule, other: Rule) -> bool:
    last, other_last = (item.effective_to or "9999-12-31" for item in (rule, other))
    return rule.effective_from <= other_last and other.effective_from <= last


def scope_of(operation: Operation) -> str:
    """Return the scope of an operation; empty where it has none."""
    return "" if isinstance(operation, Weight) else operation.scope


def scopes_disjoint(first: str, second: str) -> bool:
    """Return whether no row can be in both scopes, as far as equalities with literals show."""
    if not first or not second:
        return False
    one, other = _allowed(first), _allowed(second)
    return any(not one[column] & other[column] for column in one if column in other)


def _allowed(scope: str) -> dict[str, frozenset[str]]:
    """Return the literals that a scope allows a column, for the columns it ties down."""
    found: dict[str, frozenset[str]] = {}
    for term in conjuncts(parse_expression(scope)):
        column, values = _tied(term)
        if column:
            found[column] = found.get(column, values) & values
    return found


def _tied(term: exp.Expr) -> tuple[str, frozenset[str]]:
    if isinstance(term, exp.In) and isinstance(term.this, exp.Column):
        return term.this.sql(), frozenset(_literal(item) for item in term.expressions)
    if isinstance(term, exp.EQ):
        for side, value in ((term.left, term.right), (term.right, term.left)):
            if isinstance(side, exp.Column) and isinstance(value, exp.Literal):
                return side.sql(), frozenset([_literal(value)])
    return "", frozenset()


def _literal(node: exp.Expr) -> str:
    """Return a literal so that 1 and 1.0 are one."""
    text = node.sql()
    return text if "'" in text else repr(float(text))
