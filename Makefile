# SPDX-License-Identifier: Apache-2.0
# One way to run things. Each target does its own set-up; what is done already is skipped.

PYTHON := .venv/bin/python
CTEST := ctest --test-dir build/release --output-on-failure

.DEFAULT_GOAL := help
.PHONY: help setup build demo test bench synth docs lint format clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*##/ {printf "make %-7s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## Debian packages, virtual environment, Python packages
	@scripts/setup

build: setup ## the C++ programs and the Verilated fabric
	@scripts/build release

demo: build ## the whole product once: compile, exchange, board, daemon, fires, fills
	@scripts/in-lab $(PYTHON) tests/e2e/demo.py

test: lint docs ## everything that is checked
	@scripts/say "C++ tests"
	@$(CTEST) --no-tests=error
	@scripts/say "Python, fabric and end-to-end tests"
	@scripts/in-lab $(PYTHON) -m pytest

bench: build ## measurements, into build/bench
	@$(PYTHON) bench/run.py

synth: setup ## resources and clock of the fabric by open tools, into build/synth; options: ARGS="--module rx_gate"
	@PYTHONPATH=scripts $(PYTHON) -m synth $(ARGS)

docs: setup ## the pages, into build/docs
	@scripts/say "Documentation"
	@$(PYTHON) -m sphinx -W --keep-going -q -b html docs build/docs
	@echo "build/docs/index.html"

lint: build ## formatters and linters
	@scripts/say "Lint"
	@$(PYTHON) scripts/lint.py

format: setup ## formats the Python and C++ sources
	@.venv/bin/ruff format --quiet .
	@git ls-files 'runtime/*.[ch]pp' 'exchange-sim/*.[ch]pp' | grep -v /gen/ | xargs -r clang-format-14 -i

clean: ## removes what was built; .venv stays
	rm -rf build .mypy_cache .ruff_cache .pytest_cache .hypothesis
