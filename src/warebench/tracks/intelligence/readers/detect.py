"""Which of three formats a folder's metrics are in: ours, dbt's semantic manifest, or Apache Ossie."""

import re
from collections.abc import Iterable
from typing import Literal

from warebench.catalog.model import Catalog
from warebench.errors import KnowledgeError
from warebench.tracks.intelligence.readers.metricflow import parse_metricflow
from warebench.tracks.intelligence.readers.model import Reading
from warebench.tracks.intelligence.readers.ossie import parse_ossie

FILES = re.compile(r"metrics\.yaml|semantic_manifest\.json|[^/]+\.ossie\.(?:ya?ml|json)")
"""Names of files that hold metrics."""

KEYS = ("datasets", "semantic_model", "semantic_models", "version")
"""At the root of one format or another."""

Format = Literal["warebench", "metricflow", "ossie"]


def metric_file(names: Iterable[str], place: str) -> str:
    """Return the one file among some that holds metrics.

    Raises:
        KnowledgeError: There are several; `metrics.yaml` stands for none.
    """
    found = [name for name in names if FILES.fullmatch(name)]
    if len(found) > 1:
        raise KnowledgeError(
            f"metrics stand in {' and in '.join(found)}", where=place, fix="keep one of these files"
        )
    return found[0] if found else "metrics.yaml"


def detect_format(text: str) -> Format:
    """Return the format of a text by what stands in it, whatever its file is called."""
    start = r'"{}"\s*:' if text.lstrip().startswith("{") else r"^[\"']?{}[\"']?\s*:"
    there = {key for key in KEYS if re.search(start.format(key), text, re.MULTILINE)}
    if "semantic_models" in there:
        return "metricflow"
    return "ossie" if "version" in there and there & {"semantic_model", "datasets"} else "warebench"


def parse_metrics(text: str, catalog: Catalog | None, place: str) -> Reading | None:
    """Return the metrics of a dbt or Ossie file; None for a file in our own format.

    Args:
        text: The file.
        catalog: The database: these formats do not say how it stores days.
        place: Its path, for errors.

    Raises:
        KnowledgeError: It is torn, or there is no catalog.
    """
    found = detect_format(text)
    if found == "warebench":
        return None
    if catalog is None:
        raise KnowledgeError(
            "metrics of dbt and Ossie are read for a database", where=place, fix="give its catalog"
        )
    return (parse_metricflow if found == "metricflow" else parse_ossie)(text, catalog, place)
