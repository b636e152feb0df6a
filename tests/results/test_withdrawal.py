"""Which new run folders are taken back after an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from headscope.errors import InputError, OptionError, RunError
from headscope.results.record import NAME
from headscope.results.withdrawal import withdrawn_without_work


@pytest.mark.parametrize(
    ("error", "stays"),
    [(InputError, False), (OptionError, False), (RunError, True), (KeyboardInterrupt, True)],
)
def test_work_stays_unless_the_same_command_would_be_refused_again(
    error: type[BaseException], stays: bool, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    with pytest.raises(error), withdrawn_without_work(run):
        (run / "shards").mkdir(parents=True)
        (run / NAME).write_text("{}")
        (run / "shards" / "000000.safetensors").write_text("a shard")
        raise error
    assert run.exists() == stays


def test_a_folder_that_was_there_stays(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("{}")
    with pytest.raises(InputError), withdrawn_without_work(tmp_path):
        raise InputError("too few documents")
    assert (tmp_path / NAME).exists()
