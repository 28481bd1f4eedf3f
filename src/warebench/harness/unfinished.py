"""What a run that was killed left behind: the answers in its log, and those that Inspect still held back."""

from collections.abc import Set
from pathlib import Path
from tempfile import TemporaryDirectory

from inspect_ai.log import EvalLog, read_eval_log, recover_eval_log

# inspect_ai exports no name for this: nothing is held back, or the run is still going on
from inspect_ai.log._recover import RecoveryNotAvailable  # isort: skip


def recover(path: Path, *, without: Set[str]) -> EvalLog | None:
    """Return a log with every answer that its run stored, or None where nothing lies beside the file.

    Neither the file nor what Inspect holds back is touched, so the run can be resumed.

    Args:
        path: A log whose run did not end.
        without: Fields of its samples that are not needed.
    """
    with TemporaryDirectory() as folder:
        copy = str(Path(folder) / path.name)
        try:
            recover_eval_log(str(path), output=copy, cleanup=False, no_events=True)
        except RecoveryNotAvailable:
            return None
        log = read_eval_log(copy, exclude_fields=set(without))
        # samples are read when they are asked for, and the copy is gone by then
        return log.model_copy(update={"samples": list(log.samples or [])})
