# Everything works on a machine with python3 (3.11 or newer), make and a package index.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: help demo test campaign check docs format clean

help:  ## show this
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

demo: $(READY)  ## build, evaluate policy models and a real local model, write report/index.html
	$(BIN)/python scripts/demo.py

test: $(READY)  ## run all tests, on every core
	$(BIN)/python -m pytest -n auto --dist loadfile

campaign: $(READY)  ## plant every small fault in both methods of each track: none may change a gold in silence
	$(BIN)/python -m tests.campaign

check: $(READY)  ## format, lint, types, layers, file sizes, reference, tracked text, Inspect's linter
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo --no-cache
	$(BIN)/python scripts/check_files.py
	$(BIN)/python scripts/reference.py --check
	$(BIN)/inspect-evals-lint --preset single-eval --task src/warebench/tracks/topology/tasks.py

docs: $(READY)  ## write docs/reference/cli.md from --help
	$(BIN)/python scripts/reference.py

format: $(READY)  ## format and mend what ruff can
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

clean:  ## remove .venv and everything made
	rm -rf .venv demo report sets logs dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# Installed again only when the pins or the project change.
$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "warebench needs Python 3.11 or newer: make PYTHON=python3.12")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@
