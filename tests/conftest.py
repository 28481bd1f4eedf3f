"""Rules for all tests: in CI a test that did not run is a test that failed."""

import os
import re

import pytest

MAY_SKIP = re.compile(r"shared/data")
"""Reasons to skip that hold in CI too: data that is not part of this repository."""


def _refused(config: pytest.Config) -> list[str]:
    """Return the skips of this session that CI does not allow."""
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") != "true" or terminal is None:
        return []
    reports = terminal.stats.get("skipped", [])
    reasons = [(report.nodeid, str(report.longrepr[-1])) for report in reports]
    return [f"{node}: {reason}" for node, reason in reasons if not MAY_SKIP.search(reason)]


def pytest_sessionfinish(session: pytest.Session) -> None:
    if _refused(session.config) and not hasattr(session.config, "workerinput"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for line in _refused(config):
        terminalreporter.write_line(f"CI must run this test: {line}", red=True)
