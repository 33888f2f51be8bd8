# SPDX-License-Identifier: Apache-2.0
# One way to run things. Each target does its own set-up; what is done already is skipped.

PYTHON := .venv/bin/python

# Images of containers often switch Python's own cache off; without it each start of a command compiles all that it imports.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help setup setup-demo build armhf deb wheel clean-room demo demo-bus test capture soak bench synth prove model docs lint format clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*##/ {printf "make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## Debian packages, virtual environment, Python packages
	@scripts/setup

setup-demo:
	@scripts/setup demo

build: setup ## the C++ programs and libraries with the Verilated fabric, without their tests
	@scripts/build release programs

armhf: setup ## what runs on a board's own CPU, cross-compiled, with its tests under emulation and its package in build/deb
	@scripts/armhf

deb: build ## the Debian packages of daemon and virtual board, and of the exchange, into build/deb
	@$(PYTHON) scripts/deb.py

wheel: setup ## the command with the library of the image engine as a wheel for any newer Linux, into build/wheel
	@scripts/page
	@scripts/build release fixaccel_table_shared
	@$(PYTHON) scripts/wheel.py

clean-room: ## demo, wheel and Debian packages, made and tried in systems that have nothing else; as root; ARGS=deb
	@scripts/clean-room $(ARGS)

demo: $(if $(UI),setup,setup-demo) ## the whole product once: compile, exchange, board, daemon, fires, fills; UI=1 shows it on a page and goes on; BOARD=gem
	$(if $(filter-out gem,$(BOARD)),$(error BOARD=$(BOARD): there is `gem`; without it the board is on the wire))
	@scripts/build release demo$(addprefix -,$(BOARD))
	@$(PYTHON) -m fixaccel demo$(if $(filter gem,$(BOARD)), --board gem)$(if $(UI), --page$(if $(filter-out 1,$(UI)),=$(UI)))

demo-bus: setup ## the message bus once: daemon, relay, server, readers, and the server killed on the way
	@scripts/build release demo
	@scripts/build release fixaccel-relay
	@scripts/in-lab $(PYTHON) tests/e2e/demo_bus.py

test: setup ## everything that is checked, on all cores
	@$(PYTHON) scripts/phases.py

capture: setup ## 1,000 orders and market data at line rate in one capture, each frame checked
	@scripts/build release fixaccel-rtlsim
	@$(PYTHON) tests/e2e/burst.py

soak: setup ## long random campaigns; SOAK="--minutes 10 --seed 7" or a campaign's name
	@scripts/build release
	@scripts/in-lab $(PYTHON) scripts/soak.py $(SOAK)

bench: build ## measurements, into build/bench
	@scripts/in-lab $(PYTHON) bench/run.py

synth: setup ## resources and clock of the fabric by open tools, into build/synth; options: ARGS="--module rx_gate"
	@PYTHONPATH=scripts $(PYTHON) -m synth $(ARGS)

prove: setup ## rules of the fabric proved by an SMT solver, each shown to find faults; options: ARGS="--proof links"
	@PYTHONPATH=scripts $(PYTHON) -m prove $(ARGS)

model: setup ## fabric, daemon, kernel and venue, and a channel of the link, in every order of steps, with faults to find; options: ARGS=--short
	@PYTHONPATH=scripts $(PYTHON) -m model $(ARGS)

docs: setup ## the pages, into build/docs
	@scripts/say "Documentation"
	@$(PYTHON) -m sphinx -W --keep-going -q -b html docs build/docs
	@echo "build/docs/index.html"

lint: build ## formatters and linters
	@scripts/say "Lint"
	@$(PYTHON) scripts/lint.py

format: setup ## formats the Python and C++ sources
	@.venv/bin/ruff format --quiet .
	@git ls-files 'runtime/*.[ch]pp' 'exchange-sim/*.[ch]pp' 'tests/hostile/*.[ch]pp' 'tests/fuzz/*.[ch]pp' | grep -v /gen/ | xargs -r clang-format-14 -i

clean: ## removes what was built; .venv stays
	rm -rf build .mypy_cache .ruff_cache .pytest_cache .hypothesis
