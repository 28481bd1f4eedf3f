"""Stage 1: deterministic checks of a task; it passes only where none finds anything.

Source: DI-Bench, Appendix E.1.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from warebench.answers.cell import canonical_cell
from warebench.answers.compare import compare
from warebench.answers.model import Quantity, Table, Text
from warebench.answers.mutate import self_check
from warebench.answers.parse import Unparsed, kind_of, parse
from warebench.answers.render import render
from warebench.catalog.model import Catalog
from warebench.tracks.intelligence.knowledge.kinds import MOMENTS, kind_of_type
from warebench.tracks.intelligence.knowledge.links import find_dimension
from warebench.tracks.intelligence.knowledge.model import Knowledge
from warebench.tracks.intelligence.knowledge.relation import find_table, find_type
from warebench.tracks.intelligence.validate.model import Rejection, Task

FEWEST_CHARACTERS = 20
KEYS = re.compile(r'"[a-z_]+"')
"""Keys of the answer format, which are ours and no columns."""
HEX = re.compile(r"\b[0-9a-f]{24,}\b")


def review(
    knowledge: Knowledge, catalog: Catalog, tasks: Sequence[Task]
) -> tuple[list[Task], list[Rejection]]:
    """Return the tasks that pass, and the others with what is wrong; see `Review`."""
    passed: list[Task] = []
    rejected: list[Rejection] = []
    for task in tasks:
        faults = [fault for one in _with_standard(task) for fault in find_faults(knowledge, catalog, one)]
        if not faults:
            passed.append(task)
            continue
        rejected.append(
            Rejection(
                stage="programmatic",
                analysis=task.analysis,
                tier=task.tier,
                skeleton=task.skeleton.key if task.skeleton else task.document,
                reason="; ".join(dict.fromkeys(faults)),
                text=task.text,
            )
        )
    return passed, rejected


def _with_standard(task: Task) -> list[Task]:
    return [task, *([task.standard] if task.standard else [])]


def find_faults(knowledge: Knowledge, catalog: Catalog, task: Task) -> list[str]:
    """Return what is wrong with a task, one phrase for each fault."""
    return [fault for check in CHECKS for fault in check(knowledge, catalog, task)]


def _short(_: Knowledge, __: Catalog, task: Task) -> Iterator[str]:
    if len(task.text) < FEWEST_CHARACTERS:
        yield f"the text has fewer than {FEWEST_CHARACTERS} characters"


def _moments(knowledge: Knowledge, catalog: Catalog, task: Task) -> Iterator[str]:
    """A datetime is no category: nobody asks for the sales of 14:03:22."""
    if task.ask is None:
        return
    for name in filter(None, (task.ask.dimension, *(name for name, _ in task.ask.filters))):
        dimension = find_dimension(knowledge, name)
        kind = kind_of_type(find_type(find_table(catalog, dimension.table), dimension.column))
        if dimension.kind == "temporal" or kind in MOMENTS:
            yield f"the moment `{name}` is treated as a category"


def _columns(_: Knowledge, catalog: Catalog, task: Task) -> Iterator[str]:
    """Names that are words of the language, such as `date`, are not told from such words."""
    words = set(re.findall(r"\w+", KEYS.sub("", task.text)))
    names = {column.name for table in catalog.tables for column in table.columns} | set(catalog.table_names)
    for name in sorted(words & {name for name in names if "_" in name or any(c.isdigit() for c in name)}):
        yield f"the text shows the raw name `{name}`"


def _identifiers(knowledge: Knowledge, _: Catalog, task: Task) -> Iterator[str]:
    if found := HEX.search(task.text):
        yield f"the text shows the internal identifier {found[0]}"
    if task.ask is None:
        return
    titles = {metric.name.casefold() for metric in knowledge.metrics}
    for rule in knowledge.rules:
        if re.search(rf"\b{re.escape(rule.id)}\b", task.text):
            yield f"the text names rule {rule.id}"
        title = rule.title.casefold()
        if title in task.text.casefold() and not any(title in name for name in titles):
            yield f"the text shows the title of rule {rule.id}"


def _complete(_: Knowledge, __: Catalog, task: Task) -> Iterator[str]:
    if isinstance(task.gold, Table) and not task.gold.rows:
        yield "the answer has no rows"
    if isinstance(task.gold, Text) and not task.gold.value.strip():
        yield "the answer is empty"
    if task.ask and not task.sql:
        yield "the answer was not executed"


def _scorable(_: Knowledge, catalog: Catalog, task: Task) -> Iterator[str]:
    said = parse(render(task.gold), kind_of(task.gold))
    if isinstance(said, Unparsed) or not compare(task.gold, said).correct:
        yield "the answer as asked for is not read as the answer"
        return
    for fault in self_check(task.gold, names=catalog.table_names, seed=0):
        yield f"the comparator fails on the answer: {fault}"


def _leak(_: Knowledge, __: Catalog, task: Task) -> Iterator[str]:
    """Of questions over rows the number; group names of a comparison are in the text by design."""
    if task.fact is not None:
        said = canonical_cell(task.fact.ask)
        if isinstance(task.gold, Text) and re.search(
            rf"(?<!\w){re.escape(canonical_cell(task.gold.value))}(?!\w)", said
        ):
            yield "the text contains the answer"
        return
    if isinstance(task.gold, Quantity):
        texts = {f"{task.gold.value:g}", f"{task.gold.value:,}", str(task.gold.value)}
        if any(re.search(rf"(?<![\w.,]){re.escape(text)}(?![\w]|[.,]\d)", task.text) for text in texts):
            yield "the text contains the answer"


CHECKS: tuple[Callable[[Knowledge, Catalog, Task], Iterator[str]], ...] = (
    _short,
    _moments,
    _columns,
    _identifiers,
    _complete,
    _scorable,
    _leak,
)
