"""Pictures of all questions: the table of each, what they import, what is refused."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from headscope.drawing.files import save
from headscope.errors import OptionError
from headscope.questions import VERBS
from headscope.questions.pictures import available, draw
from headscope.results.result import Result
from tests.questions.compare.results import build_compare
from tests.questions.survey.results import build_survey
from tests.questions.syntax.results import build_syntax

PICTURES = {name: verb.module("pictures").PICTURES for name, verb in VERBS.items() if verb.has("pictures")}


@pytest.mark.parametrize("verb", PICTURES)
def test_a_verb_lists_every_picture_of_its_folder(verb: str) -> None:
    folder = import_module(f"headscope.questions.{verb}.pictures")
    modules = [
        path.stem for path in Path(str(folder.__file__)).parent.glob("*.py") if path.stem != "__init__"
    ]
    inside = {name: import_module(f"{folder.__name__}.{name}") for name in modules}
    assert {name for name, module in inside.items() if hasattr(module, "draw")} == set(PICTURES[verb])
    for name, picture in PICTURES[verb].items():
        assert (picture.needs, picture.draw) == (inside[name].needs, inside[name].draw)
        caption = picture.caption
        assert len(caption.split()) > 2 and not caption.endswith(".") and "\n" not in caption


def test_no_two_verbs_have_a_picture_of_one_name() -> None:
    names = [name for pictures in PICTURES.values() for name in pictures]
    assert len(names) == len(set(names)) > 20


def test_import_brings_neither_matplotlib_nor_torch() -> None:
    heavy = ["matplotlib", "torch", "transformers"]
    code = f"import sys, headscope.questions.pictures; print(set({heavy}) & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"


def test_pictures_never_touch_pyplot() -> None:
    code = (
        "import sys\n"
        "from headscope.questions import VERBS\n"
        "drawn = [verb.module('pictures').PICTURES for verb in VERBS.values() if verb.has('pictures')]\n"
        "from headscope.drawing.files import save\n"
        "from headscope.drawing.style import styled, new_figure\n"
        "with styled(): save(new_figure(1, 1), sys.argv[1], 'empty')\n"
        "print(len(drawn) > 1, 'matplotlib.pyplot' in sys.modules, 'torch' in sys.modules)"
    )
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-c", code, folder]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "True False False"


def test_available_names_what_the_result_holds() -> None:
    assert available(build_survey()) == [
        "examples", "shares", "gradients", "entropy", "headmap", "roles", "offsets", "divergences",
    ]  # fmt: skip
    assert available(build_syntax()) == ["relations", "relation_grid", "relation_examples"]
    assert available(build_compare()) == ["comparison", "curves"]
    assert available(Result("info")) == []


def test_available_leaves_out_missing_and_empty_measures() -> None:
    result = build_survey()
    heads = result.arrays["heads"].drop_vars("gradient")
    heads["entropy"] = heads["entropy"] * float("nan")
    names = available(Result("survey", arrays={"heads": heads}))
    assert names == ["shares", "headmap", "roles", "offsets", "divergences"]


def test_unknown_picture_is_refused_with_a_hint() -> None:
    with pytest.raises(OptionError, match="did you mean 'entropy'"):
        draw("entrpy", build_survey())


def test_picture_without_its_numbers_is_refused() -> None:
    with pytest.raises(OptionError, match=r"'entropy'.*'compare' result.*comparison, curves"):
        draw("entropy", build_compare())


def test_odd_names_are_shown_as_text_everywhere(tmp_path: Path) -> None:
    result = build_survey({"encoder": [2, 2]}, special=["$a_1$", "_b_", "中"])
    heads = result.arrays["heads"]
    heads["role"] = ("head", ["$r$", "_hidden", "中文", "broad"])
    for name in ("shares", "gradients", "headmap", "roles"):
        figure = draw(name, result)
        save(figure, tmp_path, name)
        legends = [*figure.legends, *(axes.get_legend() for axes in figure.axes if axes.get_legend())]
        labels = [text for legend in legends for text in legend.get_texts()]
        assert len([text for text in labels if text.get_text().startswith("_")]) >= 1
        assert not any(text.get_parse_math() for text in labels)
    runs = build_compare(heads=3, measures=1, pairs=1, runs=2)
    curves = runs.arrays["curves"].assign_coords(run=["$s_1$", "🙂"], measure=["$m_2$"])
    runs.arrays["curves"] = curves
    figure = draw("curves", runs)
    save(figure, tmp_path, "curves")
    ticks = figure.axes[0].get_xticklabels()
    assert ticks[0].get_text() == "$s_1$" and not ticks[0].get_parse_math()
