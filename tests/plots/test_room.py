"""The room as a whole: its table of pictures, what it imports, what it refuses."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib
import pytest

from headscope import plots
from headscope.errors import OptionError
from headscope.drawing.style import DOUBLE, SINGLE, TALLEST
from headscope.results.result import Result

SURVEY = ["examples", "shares", "gradients", "entropy", "headmap", "roles", "offsets", "divergences"]
SHAPES = {
    "usual": {"encoder": [12] * 6},
    "one head": {"encoder": [1]},
    "deep": {"encoder": [9] * 30},
    "three stacks": {"encoder": [4] * 3, "decoder": [4] * 2, "cross": [4] * 2},
    "uneven": {"decoder": [12, 3, 1]},
}


def test_table_lists_every_picture_of_the_folder() -> None:
    modules = [path.stem for path in Path(plots.__file__).parent.glob("*.py") if path.stem != "__init__"]
    drawing = {name for name in modules if hasattr(import_module(f"headscope.plots.{name}"), "draw")}
    assert drawing == set(plots.PICTURES)
    assert all(module == f"headscope.plots.{name}" for name, module in plots.PICTURES.items())


def test_import_brings_neither_matplotlib_nor_torch() -> None:
    heavy = ["matplotlib", "torch", "transformers"]
    code = f"import sys, headscope.plots; print([name for name in {heavy} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_pictures_never_touch_pyplot() -> None:
    code = (
        "import sys, importlib, headscope.plots as plots\n"
        "for module in plots.PICTURES.values(): importlib.import_module(module)\n"
        "from headscope.drawing.style import styled, new_figure\n"
        "with styled(): plots.save(new_figure(1, 1), sys.argv[1], 'empty')\n"
        "print('matplotlib.pyplot' in sys.modules, 'torch' in sys.modules)"
    )
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-c", code, folder]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False False"


def test_available_names_what_the_result_holds(survey, compare, syntax) -> None:
    assert plots.available(survey()) == SURVEY
    assert plots.available(syntax()) == ["relations", "relation_grid", "relation_examples"]
    assert plots.available(compare()) == ["comparison", "curves"]
    assert plots.available(Result("info")) == []


def test_available_leaves_out_missing_and_empty_measures(survey) -> None:
    result = survey()
    heads = result.arrays["heads"].drop_vars("gradient")
    heads["entropy"] = heads["entropy"] * float("nan")
    names = plots.available(Result("survey", arrays={"heads": heads}))
    assert names == ["shares", "headmap", "roles", "offsets", "divergences"]


def test_unknown_picture_is_refused_with_a_hint(survey) -> None:
    with pytest.raises(OptionError, match="did you mean 'entropy'"):
        plots.draw("entrpy", survey())


def test_picture_without_its_numbers_is_refused(compare) -> None:
    with pytest.raises(OptionError, match=r"'entropy'.*'compare' result.*comparison, curves"):
        plots.draw("entropy", compare())


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", SURVEY)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_picture_fits_its_column(survey, name: str, shape: str) -> None:
    figure = plots.draw(name, survey(SHAPES[shape]))
    width, height = figure.get_size_inches()
    assert width in (SINGLE, DOUBLE)
    assert 0 < height <= TALLEST
    for axes in figure.axes:
        assert axes.get_window_extent().width > 5, "the layout left no room for a panel"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", SURVEY)
def test_causal_model_without_special_tokens(survey, name: str) -> None:
    assert plots.draw(name, survey({"decoder": [4, 4]}, special=[], causal=True)).axes


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", SURVEY)
def test_undefined_numbers_are_left_out(survey, name: str) -> None:
    result = survey({"encoder": [3, 3], "cross": [3, 3]})
    heads = result.arrays["heads"]
    floats = [key for key, values in heads.data_vars.items() if values.dtype.kind == "f"]
    for key in floats:
        heads[key] = heads[key].where(heads["stack"] == "encoder").where(heads["head"] != "encoder:L0H1")
    assert plots.draw(name, result).axes


def _settings() -> dict[str, object]:
    # Reading the backend would choose one.
    return {name: matplotlib.rcParams[name] for name in matplotlib.rcParams if name != "backend"}


@pytest.mark.filterwarnings("error")
def test_drawing_leaves_the_settings_of_the_process_alone(survey) -> None:
    before = _settings()
    plots.draw("roles", survey())
    assert _settings() == before


def test_settings_of_the_process_do_not_leak_into_the_picture(survey) -> None:
    plain = plots.draw("entropy", survey())
    with matplotlib.rc_context({"axes.facecolor": "black", "font.size": 30}):
        other = plots.draw("entropy", survey())
    for one, two in zip(plain.axes, other.axes, strict=True):
        assert one.get_facecolor() == two.get_facecolor()
        assert one.xaxis.label.get_fontsize() == two.xaxis.label.get_fontsize() == 8.0
