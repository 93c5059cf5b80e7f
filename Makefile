# make run    start TaskPilot at http://127.0.0.1:8000  (make run PORT=9000)
# make test   everything: format, lint, types, import direction, tests on SQLite and PostgreSQL, the board in Chromium
# make setup  install what both need
# make soak   the same tests with many more rounds and cases
# make bench  measure, and print the ratios
# make test-agents  the real coding agents, from npm, with a scripted model

PYTHON ?= python3
PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin
# Tests that only need a place to write to need no disk under it; those about disks run in stage 5.
SHM := $(shell test -d /dev/shm && test -w /dev/shm && echo /dev/shm)
STAGE = @printf '\n\033[1m== %s\033[0m\n'
# Real processes on a busy machine: what fails is printed, then looked at once more by itself. Failing twice is failing.
PYTEST = $(BIN)/python -m pytest
define try
$(2) $(PYTEST) -n 2 --dist loadgroup $(1) || { \
	printf '\n\033[1m== a second look at what failed, one at a time\033[0m\n'; \
	$(2) $(PYTEST) -n 0 $(1) --last-failed --last-failed-no-failures none; }
endef

.PHONY: run test setup soak bench test-agents

run: $(VENV)/.run
	@$(BIN)/taskpilot serve --port $(PORT)

setup: $(VENV)/.dev

test: $(VENV)/.dev
	$(STAGE) '1/6 format and lint (ruff)'
	@$(BIN)/ruff format --check --quiet . && $(BIN)/ruff check --quiet .
	$(STAGE) '2/6 types (pyright, strict)'
	@$(BIN)/pyright --warnings
	$(STAGE) '3/6 import direction (import-linter)'
	@$(BIN)/lint-imports --no-cache
	$(STAGE) '4/6 tests on SQLite and PostgreSQL'
	@$(call try,-m 'not slow and not board',PYTEST_DEBUG_TEMPROOT=$(SHM))
	$(STAGE) '5/6 crashes, full disks and real processes'
	@$(call try,-m slow)
	$(STAGE) '6/6 the board, in a real browser'
	@$(BIN)/python -m tests.board.browser
	@$(BIN)/python -m tests.board.node
	@$(call try,-m board,PYTEST_DEBUG_TEMPROOT=$(SHM))

soak: $(VENV)/.dev
	$(STAGE) 'soak: the same tests, many more rounds'
	@TASKPILOT_SOAK=1 $(BIN)/python -m pytest -n 2 --dist loadgroup -m 'not board'

bench: $(VENV)/.dev
	@$(BIN)/python -m bench

test-agents: $(VENV)/.dev
	$(STAGE) 'real agents, a scripted model (1.5 GB from npm and a minute, the first time)'
	@$(BIN)/python -m pytest -vv tests/end_to_end

$(VENV)/bin/python:
	$(STAGE) 'creating $(VENV)'
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo 'TaskPilot needs Python 3.11 or newer: make $(MAKECMDGOALS) PYTHON=/path/to/python3.11'; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.run: pyproject.toml | $(VENV)/bin/python
	$(STAGE) 'installing TaskPilot (a minute, the first time)'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	$(STAGE) 'installing TaskPilot and its tools (two minutes, the first time)'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/.run
