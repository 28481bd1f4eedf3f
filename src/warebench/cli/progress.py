"""A progress bar on stderr, on a terminal only."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from warebench.cli.output import is_quiet, printable, wants_color


@contextmanager
def progress_bar(title: str, total: int | None) -> Iterator[Callable[[str], None]]:
    """Show a bar while the block runs; it yields what to call with each finished item's name.

    Args:
        title: What is being done.
        total: Number of items; None when it is not known.
    """
    if is_quiet() or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console  # noqa: PLC0415  not needed without a terminal
    from rich.markup import escape  # noqa: PLC0415
    from rich.progress import Progress  # noqa: PLC0415

    with Progress(console=Console(stderr=True, no_color=not wants_color()), transient=True) as bar:
        task = bar.add_task(title, total=total)

        def done(name: str) -> None:
            bar.update(task, advance=1, description=escape(f"{title}: {printable(name)}"))

        yield done
