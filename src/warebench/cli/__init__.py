"""The command line: one file per command, each a thin skin over one public function."""

from warebench.cli.program import main

__all__ = ["main"]
