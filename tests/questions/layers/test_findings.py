"""Sentences and the screen of layers, from results made by hand."""

from __future__ import annotations

import pandas as pd

from headscope.questions import VERBS
from headscope.questions.layers.findings import findings
from headscope.questions.layers.screen import screen
from tests.questions.layers.results import build_layers


def test_the_lowest_and_the_highest_task_are_told() -> None:
    made = findings(build_layers())
    texts = [one.text for one in made]
    of = "of the 2 tasks that have one;"
    ends = [f"The task pos is solved at layer 1.09 on average, the lowest {of}"]
    ends += [f"The task deps is solved at layer 1.83 on average, the highest {of}"]
    assert all(text.startswith(end) for text, end in zip(texts, ends, strict=False))
    assert all(one.decided for one in made[:2])
    assert texts[2].startswith("That training helped the layers with srl is not shown: 70 % with")
    assert not made[2].decided and made[3].decided
    assert texts[3].startswith("Probes do more than learn by heart, least in srl: 70 % in the task, 35 %")


def test_layers_whose_intervals_meet_have_no_order() -> None:
    result = build_layers()
    table = result.tables["layer_tasks"]
    table.loc[table["task"] == "pos", "high"] = 1.9  # above the low end of deps
    texts = [one.text for one in findings(result)][:2]
    assert not any("tasks that have one" in text for text in texts)
    assert [text.split()[2] for text in texts] == ["pos", "deps"]


def test_a_task_without_a_layer_is_open() -> None:
    first = findings(build_layers(("srl",)))[0]
    assert (
        first.text.startswith("Where srl is solved is open: all layers together add 0.0 points")
        and not first.decided
    )
    (only, *_) = findings(build_layers(("pos",)))
    assert "tasks that have one" not in only.text.partition(";")[0]


def test_probes_that_learned_nothing_are_named() -> None:
    result = build_layers()
    table = result.tables["layer_baselines"]
    assert not any("learned anything" in one.text for one in findings(result))
    table.loc[(table["beside"] == "most frequent label") & (table["task"] == "pos"), "sure"] = False
    first = findings(result)[0]
    assert first.text.startswith("That the probe of pos learned anything is not shown: 92 % with all layers")
    assert not first.decided


def test_the_screen_says_why_and_shows_published_numbers() -> None:
    result = build_layers()
    columns = ["task", "split", "use", "read", "cut", "pieceless", "used"]
    result.tables["layer_targets"] = pd.DataFrame([["pos", "test", "score", 9, 1, 0, 8]], columns=columns)
    result.declared["layer_targets"] = VERBS["layers"].tables["layer_targets"]
    shown = {one.title: one.table for one in screen(result)}
    assert any(title.startswith("No expected layer of srl: all layers together gain") for title in shown)
    published = next(table for title, table in shown.items() if title.startswith("Beside what was published"))
    assert published is not None and 1.76 in published["value"].tolist()
    by_layer = next(table for title, table in shown.items() if title.startswith("Score in percent"))
    assert by_layer is not None and by_layer["task"].tolist() == ["pos", "deps", "srl"]
    case = next(title for title in shown if title.startswith("deps, by layer"))
    assert "true is B: a [word] of" in case


def test_every_task_is_said_only_where_every_task_shows_it() -> None:
    result = build_layers()
    table = result.tables["layer_baselines"]
    own = table["beside"] == "control task"
    table.loc[own & (table["task"] == "pos"), "sure"] = False  # though it lies further above than srl
    text, decided = next((one.text, one.decided) for one in findings(result) if "by heart" in one.text)
    assert text.startswith("That the probe of pos does more than learn by heart is not shown") and not decided
