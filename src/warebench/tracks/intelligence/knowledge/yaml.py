"""YAML as knowledge bases write it: dates stay text, `on` and `NO` are words, no key stands twice."""

import re
from collections.abc import Hashable
from typing import Any

import yaml

from warebench.errors import KnowledgeError


class _Loader(yaml.SafeLoader):
    """YAML 1.1 reads `on` and `NO` as truth values and 2018-01-01 as a date; this one does not."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """Return a mapping whose keys are text, each there once."""
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.constructor.ConstructorError(None, None, "a key is no word", key.start_mark)
            if str(key.value) in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key `{key.value}` stands twice", key.start_mark
                )
            seen.add(str(key.value))
        return {str(key.value): self.construct_object(value, deep=True) for key, value in node.value}


_Loader.yaml_implicit_resolvers = {
    first: [
        pair for pair in pairs if pair[0] not in ("tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:bool")
    ]
    for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))


MOST_NODES = 1_000_000
"""Of one file, an alias counted as all that it stands for: a few lines of aliases can mean billions."""


def _construct(text: str) -> Any:
    loader = _Loader(text)
    try:
        root = loader.get_single_node()
        if root is None:
            return None
        if _count(root, {}) > MOST_NODES:
            raise yaml.constructor.ConstructorError(
                None, None, f"its aliases stand for more than {MOST_NODES:,} values", root.start_mark
            )
        return loader.construct_document(root)
    finally:
        loader.dispose()


def _count(node: yaml.Node, known: dict[int, int]) -> int:
    """Return how many values a node stands for; a node within itself ends in a RecursionError."""
    if id(node) not in known:
        match node:
            case yaml.MappingNode():
                inner = [part for pair in node.value for part in pair]
            case yaml.SequenceNode():
                inner = node.value
            case _:
                inner = []
        known[id(node)] = 1 + sum(_count(part, known) for part in inner)
    return known[id(node)]


def parse_yaml(text: str, file: str) -> Any:
    """Return what a YAML text holds.

    Args:
        text: The text.
        file: Its file, for errors.

    Raises:
        KnowledgeError: It is not YAML, a key stands twice in a mapping, or aliases blow it up.
    """
    try:
        return _construct(text)
    except RecursionError as error:
        raise KnowledgeError(
            "this YAML is nested too deeply, or stands within itself", where=file, fix="write it flat"
        ) from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = f", line {mark.line + 1}" if mark else ""
        raise KnowledgeError(
            error.problem or "this is not YAML", where=f"{file}{line}", fix=_mend(error.problem or "")
        ) from error
    except (ValueError, ArithmeticError, LookupError, TypeError, AttributeError) as error:
        # what PyYAML raises where a tag does not fit its value, as in `!!int abc`, or a number has no end
        raise KnowledgeError(
            "a value does not fit its tag, or is too long", where=file, fix="write it without `!!`"
        ) from error
    except yaml.YAMLError as error:
        raise KnowledgeError("this is not YAML text", where=file, fix="save it as UTF-8 text") from error


def _mend(problem: str) -> str:
    if r"\t" in problem:
        return "indent with blanks, not with tabs"
    return "write out what the aliases stand for" if "aliases" in problem else "correct the YAML"
