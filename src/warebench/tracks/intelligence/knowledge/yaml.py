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


def parse_yaml(text: str, file: str) -> Any:
    """Return what a YAML text holds.

    Args:
        text: The text.
        file: Its file, for errors.

    Raises:
        KnowledgeError: It is not YAML, or a key stands twice in a mapping.
    """
    try:
        return yaml.load(text, _Loader)  # noqa: S506 - a SafeLoader with fewer types
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = f", line {mark.line + 1}" if mark else ""
        raise KnowledgeError(
            error.problem or "this is not YAML", where=f"{file}{line}", fix="correct the YAML"
        ) from error
    except yaml.YAMLError as error:
        raise KnowledgeError("this is not YAML text", where=file, fix="save it as UTF-8 text") from error
