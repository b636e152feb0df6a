"""The style of all pictures: its own whatever the process has set, and the same look for the same role."""

from __future__ import annotations

import matplotlib
import pytest

from headscope.drawing.style import role_symbols
from headscope.questions.pictures import draw
from headscope.results.vocabulary import ROLES, whole
from tests.questions.survey.results import build_survey

pytestmark = pytest.mark.filterwarnings("error")


def test_roles_of_what_heads_know_come_first_with_looks_of_their_own() -> None:
    looks = role_symbols(["mixed", "previous token", "coreference", "syntax", "something else"])
    assert list(looks) == ["syntax", "coreference", "previous token", "mixed", "something else"]
    assert len({look.colour for look in looks.values()}) == len({look.marker for look in looks.values()}) == 5


def test_every_role_has_a_colour_of_its_own_and_what_holds_partly_the_marker_of_the_whole() -> None:
    looks = role_symbols(ROLES)
    clear = [role for role in ROLES if whole(role) == role]
    assert len({looks[role].colour for role in clear}) == len(clear)
    assert all(looks[role].marker == looks[whole(role)].marker for role in ROLES)


def test_role_colours_do_not_depend_on_what_else_is_there() -> None:
    assert role_symbols(["separator"])["separator"] == role_symbols(["separator", "broad", "x"])["separator"]


def _settings() -> dict[str, object]:
    # Reading the backend would choose one.
    return {name: matplotlib.rcParams[name] for name in matplotlib.rcParams if name != "backend"}


def test_drawing_leaves_the_settings_of_the_process_alone() -> None:
    before = _settings()
    draw("roles", build_survey())
    assert _settings() == before


def test_settings_of_the_process_do_not_leak_into_the_picture() -> None:
    plain = draw("entropy", build_survey())
    with matplotlib.rc_context({"axes.facecolor": "black", "font.size": 30}):
        other = draw("entropy", build_survey())
    for one, two in zip(plain.axes, other.axes, strict=True):
        assert one.get_facecolor() == two.get_facecolor()
        assert one.xaxis.label.get_fontsize() == two.xaxis.label.get_fontsize() == 8.0
