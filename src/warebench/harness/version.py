"""The version of a task, out of the `eval.yaml` beside it."""

import re
from importlib.resources import files

from warebench.errors import InternalError


def read_version(package: str) -> str:
    """Return a task's version: comparability number and interface letter, such as `1-A`.

    Args:
        package: The package that holds the task's `eval.yaml`.
    """
    text = files(package).joinpath("eval.yaml").read_text(encoding="utf-8")
    found = re.search(r'^version: "(\d+-[A-Z])"$', text, re.MULTILINE)
    if found is None:
        raise InternalError(f"{package}/eval.yaml holds no version like 1-A")
    return found[1]
