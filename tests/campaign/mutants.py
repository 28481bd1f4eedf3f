"""Planted faults: every small change of a module's code, put into the running program and taken out again."""

import ast
import copy
import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

OPERATORS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or,
    ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
NAMES = [
    ("min", "max"), ("any", "all"), ("first", "last"), ("left", "right"), ("child", "parent"),
    ("child_columns", "parent_columns"), ("downstream", "upstream"), ("ge", "gt"), ("le", "lt"), ("eq", "ne"),
    ("add", "sub"), ("mul", "truediv"), ("GTE", "GT"), ("LTE", "LT"), ("EQ", "NEQ"), ("And", "Or"),
    ("and_", "or_"), ("Add", "Sub"), ("Sum", "Avg"), ("Min", "Max"), ("Mul", "Div"), ("IntDiv", "Mod"),
    ("predecessor_indices", "successor_indices"), ("true", "false"), ("there", "data"), ("both", "either"),
    ("idxmax", "idxmin"), ("fsum", "prod"), ("sorted", "list"), ("set", "list"), ("floor_divide", "divide"),
    ("isclose", "copysign"), ("days", "weeks"), ("year", "month"), ("month", "day"),
]  # fmt: skip
SWAPPED = {one: other for pair in NAMES for one, other in (pair, pair[::-1])}
WORDS = [
    ("<=", "<"), (">=", ">"), ("<>", "="), (" = ", " <> "), (" AND ", " OR "), ("min(", "max("),
    ("max(", "min("), ("least(", "greatest("), ("DISTINCT ", ""), ("+ 1", "+ 2"), ("LEFT JOIN", "JOIN"),
    ("left", "inner"), ("sum(", "avg("), ("child, parent", "parent, child"), ("up = a", "down = a"),
    ("parent, child", "child, parent"), ("down ", "up "), ("IS NOT NULL", "IS NULL"), ("ASC", "DESC"),
    ("UNION SELECT", "EXCEPT SELECT"), (", 0", ", 1"), ("%Y-%m", "%m-%Y"),
]  # fmt: skip
"""What SQL and words in texts become."""


class Unplantable(Exception):
    """A module with the fault could not even be imported."""


@dataclass(frozen=True)
class Mutant:
    """One changed place of a module."""

    module: str
    site: int
    """Counted in the order in which `_sites` finds places."""
    function: str
    """Dotted name in the module, or of what is assigned."""
    line: int
    span: tuple[int, int]
    """First and last line whose execution reaches the place."""
    what: str

    def __str__(self):
        return f"{self.module.removeprefix('warebench.')}:{self.line} {self.function}: {self.what}"


def find_mutants(module: ModuleType) -> list[Mutant]:
    """Return every mutant of a module's functions and tables."""
    tree = ast.parse(inspect.getsource(module))
    return [
        Mutant(module.__name__, site, name, node.lineno, span, what)
        for site, (name, node, span, what, _) in enumerate(_sites(tree))
    ]


@contextmanager
def planted(mutant: Mutant) -> Iterator[None]:
    """Run a block with one mutant in the program."""
    module = sys.modules[mutant.module]
    tree = ast.parse(inspect.getsource(module))
    *_, change = next(place for site, place in enumerate(_sites(tree)) if site == mutant.site)
    change()
    ast.fix_missing_locations(tree)
    undo = _swap(module, mutant.function, tree)
    forget()
    try:
        yield
    finally:
        for step in reversed(undo):
            step()
        forget()


def forget() -> None:
    """Empty what functions remember."""
    for item in _remembering():
        item.cache_clear()


@cache
def _remembering() -> list[Any]:
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("warebench.")]
    return [item for module in modules for item in vars(module).values() if hasattr(item, "cache_clear")]


def _swap(module, name, tree):
    target = module
    for part in name.split("."):
        target = inspect.getattr_static(target, part)
    function = _function(target)
    if function is not None:
        code = _code(compile(tree, module.__file__, "exec"), function.__qualname__)
        old, function.__code__ = function.__code__, code
        return [lambda: setattr(function, "__code__", old)]
    value = next(
        s.value for s in tree.body if isinstance(s, ast.Assign | ast.AnnAssign) and name in _targets(s)
    )
    try:
        new = eval(compile(ast.Expression(value), module.__file__, "eval"), module.__dict__)  # noqa: S307
    except Exception as error:
        raise Unplantable(str(error)) from error
    if isinstance(target, dict):
        old = dict(target)
        target.clear()
        target.update(new)
        return [lambda: (target.clear(), target.update(old))]
    undo = []
    for other in [m for n, m in list(sys.modules.items()) if n.startswith("warebench.")]:
        if vars(other).get(name) is target:
            setattr(other, name, new)
            undo.append(lambda other=other: setattr(other, name, target))
    return undo


def _function(item) -> FunctionType | None:
    """Return the plain function behind a decorated one."""
    for attribute in ("fget", "func", "__func__"):
        item = getattr(item, attribute, item) if not isinstance(item, FunctionType) else item
    while hasattr(item, "__wrapped__"):
        item = item.__wrapped__
    return item if isinstance(item, FunctionType) else None


def _code(code: CodeType, name: str) -> CodeType:
    found = [code]
    for item in found:
        if item.co_qualname == name and item is not code:
            return item
        found += [const for const in item.co_consts if isinstance(const, CodeType)]
    raise LookupError(name)


def _targets(statement):
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return [item.id for item in targets if isinstance(item, ast.Name)]


def _sites(tree: ast.Module):
    """Yield (name, node, span, what, change) for every place; `change` alters the tree."""
    for statement in tree.body:
        match statement:
            case ast.FunctionDef():
                yield from _in_function(statement.name, statement)
            case ast.ClassDef():
                for part in statement.body:
                    if isinstance(part, ast.FunctionDef):
                        yield from _in_function(f"{statement.name}.{part.name}", part)
            case ast.Assign() | ast.AnnAssign() if statement.value and _targets(statement):
                yield from _in(_targets(statement)[0], statement, "value", (statement.lineno, 10**6))


def _in_function(name, function):
    for place, part in enumerate(function.body):
        is_doc = place == 0 and isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)
        if not is_doc:
            yield from _in(name, part, None, None)


def _in(name, node, only, span):  # noqa: C901
    """Yield the places below a node; annotations, raised errors and f-string layouts are none."""
    if isinstance(node, ast.Raise) or (isinstance(node, ast.Call) and _is_error(node.func)):
        return
    if (isinstance(node, ast.stmt) and span is None) or (isinstance(node, ast.stmt) and span[1] != 10**6):
        last = node.end_lineno if not hasattr(node, "body") else node.lineno
        span = (node.lineno, last)
    if isinstance(node, ast.expr) and span is not None:
        for what, change in _changes(node):
            yield name, node, (span[0], max(span[1], node.end_lineno)), what, change
    if isinstance(node, ast.comprehension):
        for place, test in enumerate(node.ifs):
            yield name, test, span, f"without `if {ast.unparse(test)}`", _dropping(node.ifs, place)
    if isinstance(node, ast.AugAssign) and type(node.op) in OPERATORS:
        new = OPERATORS[type(node.op)]
        yield name, node, span, f"{ast.unparse(node)} by {new.__name__}", _setting(node, "op", new())
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "ctx") or (only and field != only):
            continue
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.AST):
                yield from _in(name, part, None, span)


def _is_error(function):
    name = ast.unparse(function).rpartition(".")[2]
    return name.endswith(("Error", "Unfit", "Undefined", "Disagreement", "_straddle", "_unclear", "refuse"))


def _changes(node):  # noqa: C901 - one case for each kind of expression
    """Yield what can go wrong at an expression, and how the tree is changed to it."""
    match node:
        case ast.Compare(ops=ops):
            for place, op in enumerate(ops):
                if type(op) in OPERATORS:
                    yield f"{ast.unparse(node)} by {OPERATORS[type(op)].__name__}", _placing(ops, place, op)
        case ast.BoolOp(op=op) | ast.BinOp(op=op) if type(op) in OPERATORS:
            new = OPERATORS[type(op)]
            yield f"{ast.unparse(node)} by {new.__name__}", _setting(node, "op", new())
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert()):
            yield (
                f"{ast.unparse(node)} without its sign",
                _setting(node, "op", ast.UAdd()) if isinstance(node.op, ast.USub) else _twice(node),
            )
        case ast.IfExp():
            yield f"branches of {ast.unparse(node)}", _crossing(node, "body", "orelse")
        case ast.Constant(value=bool() as value):
            yield f"{value} turned", _setting(node, "value", not value)
        case ast.Constant(value=int() | float() as value):
            yield f"{value} + 1", _setting(node, "value", value + 1)
        case ast.Constant(value=str() as value):
            for old, new in WORDS:
                if old in value:
                    yield f"`{old}` to `{new}` in a text", _setting(node, "value", value.replace(old, new))
        case ast.Attribute(attr=name) if name in SWAPPED:
            yield f"{ast.unparse(node)} to {SWAPPED[name]}", _setting(node, "attr", SWAPPED[name])
        case ast.Name(id=name) if name in SWAPPED:
            yield f"{name} to {SWAPPED[name]}", _setting(node, "id", SWAPPED[name])


def _setting(node, field, value):
    return lambda: setattr(node, field, value)


def _placing(ops, place, op):
    return lambda: ops.__setitem__(place, OPERATORS[type(op)]())


def _dropping(ifs, place):
    return lambda: ifs.pop(place)


def _crossing(node, one, other):
    def change():
        first, second = getattr(node, one), getattr(node, other)
        setattr(node, one, second)
        setattr(node, other, first)

    return change


def _twice(node):
    return lambda: setattr(node, "operand", ast.UnaryOp(op=copy.copy(node.op), operand=node.operand))
