# Set up and run Vitral with nothing but Python 3.11+ and make. Where uv is installed it is used.

PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3.14 python3 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done)
VENV := .venv
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
UV := $(shell command -v uv 2>/dev/null)

.PHONY: run test check bench locales lock clean

run: $(VENV)/.run
	@$(BIN)/vitral

test: $(VENV)/.dev check
	$(BIN)/python -m pytest -n auto

check: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.dev
	@for bench in tests/bench/bench_*.py; do \
		$(BIN)/python -m "tests.bench.$$(basename $$bench .py)" || exit 1; done

# Compile the catalogues after editing a locales/*/LC_MESSAGES/vitral.po
locales: $(VENV)/.dev
	$(BIN)/pybabel -q compile -d locales -D "vitral click"

# Renew the lock files from pyproject.toml (needs uv)
lock:
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header \
		--no-annotate --upgrade pyproject.toml -o requirements.lock
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header \
		--no-annotate --upgrade pyproject.toml --group dev -o requirements-dev.lock

clean:
	rm -rf $(VENV) dist build

$(VENV)/.python:
	@test -n "$(PYTHON)" || { echo "Vitral needs Python 3.11 or newer."; exit 1; }
ifdef UV
	$(UV) venv -q --allow-existing --python $(PYTHON) $(VENV)
else
	$(PYTHON) -m venv $(VENV)
endif
	@touch $@

$(VENV)/.run: $(VENV)/.python pyproject.toml requirements.lock
ifdef UV
	$(UV) pip install -q --python $(BIN)/python --require-hashes -r requirements.lock
	$(UV) pip install -q --python $(BIN)/python --no-deps -e .
else
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps -e .
endif
	@touch $@

$(VENV)/.dev: $(VENV)/.run requirements-dev.lock
ifdef UV
	$(UV) pip install -q --python $(BIN)/python --require-hashes -r requirements-dev.lock
else
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.lock
endif
	@touch $@
