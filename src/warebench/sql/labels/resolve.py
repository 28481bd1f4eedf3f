"""From a parsed query to every column use: which stored column, for which role."""

from collections.abc import Iterable, Sequence

from sqlglot import exp

from warebench.sql.labels import relations, terms
from warebench.sql.labels.lookup import Unresolved
from warebench.sql.labels.model import Role
from warebench.sql.labels.scope import Base, Match, Output, Scope
from warebench.sql.labels.walk import Walk

NOTHING: frozenset[Base] = frozenset()


def resolve_query(node: exp.Expr, outer: Scope | None, walk: Walk) -> tuple[Output, ...]:
    """Return the outputs of a query and note in `walk` all it reads.

    Args:
        node: A SELECT, a set operation, VALUES, or one of these in brackets.
        outer: The names of the query around it, for correlated references.
        walk: What is found.

    Raises:
        Unresolved: A table or a column has no one meaning, or the construct is not known here.
    """
    match node:
        case exp.Subquery():
            outputs = resolve_query(node.this, outer, walk)
            _order_outputs(node, [node.this], outputs, walk)
        case exp.Select():
            outputs = _resolve_select(node, outer, walk)
        case exp.SetOperation():
            left, right = (resolve_query(side, outer, walk) for side in (node.left, node.right))
            outputs = _merge(left, right, by_name=bool(node.args.get("by_name")))
            _order_outputs(node, [node.left, node.right], outputs, walk)
        case exp.Values():
            visit(node.expressions, Scope(outer=outer), "projection", walk)
            outputs = relations.value_outputs(node)
        case _:
            raise Unresolved("unsupported", node.key)
    return outputs


def _merge(left: Sequence[Output], right: Sequence[Output], *, by_name: bool) -> tuple[Output, ...]:
    if by_name:
        others = {output.name.lower(): output.bases for output in right}
        shared = [Output(o.name, o.bases | others.pop(o.name.lower(), NOTHING)) for o in left]
        return (*shared, *(Output(name, bases) for name, bases in others.items()))
    if len(left) != len(right):
        raise Unresolved("unsupported", f"a set operation of {len(left)} and {len(right)} columns")
    return tuple(Output(a.name, a.bases | b.bases) for a, b in zip(left, right, strict=True))


def _resolve_select(select: exp.Select, outer: Scope | None, walk: Walk) -> tuple[Output, ...]:
    scope = Scope(outer=outer)
    walk.scopes[id(select)] = scope

    def derive(node: exp.Expr, around: Scope | None) -> tuple[Output, ...]:
        return resolve_query(node, around, walk)

    for condition in relations.read_from(select, scope, walk, derive):
        _filter(condition, scope, walk)
    visit(relations.function_arguments(select), scope, "filter", walk)
    outputs = _project(select, scope, walk)
    for clause in ("where", "having", "qualify"):
        if part := select.args.get(clause):
            _filter(part.this, scope, walk)
    for expression in terms.group_terms(select):
        _term(expression, outputs, scope, "group", walk, alias_first=False)
    for expression in terms.order_terms(select):
        _term(expression, outputs, scope, "order", walk, alias_first=True)
    rest = [select.args.get(name) for name in ("distinct", "windows", "limit", "offset")]
    visit([item for part in rest for item in terms.as_list(part)], scope, "group", walk)
    return outputs


def _project(select: exp.Select, scope: Scope, walk: Walk) -> tuple[Output, ...]:
    outputs: list[Output] = []
    aliases: dict[str, frozenset[Base]] = {}
    for item in select.expressions:
        if terms.is_star(item):
            outputs += _star(item, scope, walk)
            continue
        bases = visit([item], scope, "projection", walk)
        outputs.append(Output(item.alias_or_name, bases))
        if isinstance(item, exp.Alias):
            aliases.setdefault(item.alias.lower(), bases)
            # DuckDB lets later select items use an alias; SQLite only the clauses after them.
            scope.aliases = dict(aliases) if walk.dialect == "duckdb" else {}
    scope.aliases = aliases
    return tuple(outputs)


def _star(item: exp.Expr, scope: Scope, walk: Walk) -> list[Output]:
    star = item if isinstance(item, exp.Star) else item.this
    left_out = {name.lower() for name in terms.excluded(star)}
    found = relations.expand(item, scope, left_out)
    visit(terms.replacements(star), scope, "projection", walk)
    walk.use((base for output in found for base in output.bases), "projection")
    return found


def _filter(condition: exp.Expr, scope: Scope, walk: Walk) -> None:
    """Note the columns of a condition: of a join where a comparison ties two relations, else of a filter."""
    for part in terms.conjuncts(condition):
        columns = terms.own_columns(part)
        met = [walk.look_up(column, scope).relation for column in columns]
        tied = {id(relation) for relation in met if relation is not None}
        is_join = terms.may_join(part) and len(tied) > 1
        visit([part], scope, "join" if is_join else "filter", walk)


def _term(
    node: exp.Expr,
    outputs: Sequence[Output],
    scope: Scope,
    role: Role,
    walk: Walk,
    *,
    alias_first: bool,
) -> None:
    """Note a term of GROUP BY or ORDER BY: a position, an alias, or an expression."""
    if (place := terms.position(node)) is not None and place <= len(outputs):
        walk.use(outputs[place - 1].bases, role)
    elif alias_first and terms.is_plain(node) and node.name.lower() in scope.aliases:
        walk.use(scope.aliases[node.name.lower()], role)
        walk.meanings[id(node)] = Match(None, scope.aliases[node.name.lower()])
    else:
        visit([node], scope, role, walk)


def _order_outputs(node: exp.Expr, sides: Sequence[exp.Expr], outputs: Sequence[Output], walk: Walk) -> None:
    """Note ORDER BY of a set operation: terms are outputs of it, or expressions of one of its sides."""
    scope = Scope(aliases={output.name.lower(): output.bases for output in reversed(outputs)})
    first = next((walk.scopes[id(s)] for side in sides for s in side.find_all(exp.Select)), None)
    scope.outer = first
    for expression in terms.order_terms(node):
        _term(expression, outputs, scope, "order", walk, alias_first=True)


def visit(nodes: Iterable[exp.Expr], scope: Scope, role: Role, walk: Walk) -> frozenset[Base]:
    """Note all columns of expressions for a role and return the stored columns their values are made of.

    Queries inside an expression note their own roles; PARTITION BY groups, ORDER BY inside a window or
    an aggregate orders.
    """
    found: set[Base] = set()
    for node in nodes:
        if isinstance(node, exp.Column):
            if terms.is_star(node):
                continue
            bases = walk.look_up(node, scope).bases
            walk.use(bases, role)
            found |= bases
        elif isinstance(node, exp.Query):
            found |= {base for output in resolve_query(node, scope, walk) for base in output.bases}
        else:
            for name, children in terms.children(node):
                found |= visit(children, scope, terms.role_of(node, name, role), walk)
    return frozenset(found)
