"""`python -m warebench` is the command `warebench`."""

from warebench.cli import main

main()
