"""Draw the pictures of docs/images: all of them, or those that are named.

`python -m docs.pictures [NAME ...]` makes the runs that they need in build/gallery (docs/shots.py says how),
draws them, and keeps what was found for docs/gallery.md. What rests on data that are not here, or on a long
run that is not in build/ or has not finished, is named and left as it is; the exit code is then 1.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from shutil import move

from PIL import Image

import headscope
from docs.desk import lay
from docs.drawn import keep
from docs.grids import all_maps, behind_first_token
from docs.screens import draw_screens
from docs.shots import BEHIND, KEEPERS, KEPT, MAPS, RUNS, SAVED, SCREENS, SHOTS, Shot, names, needed
from headscope.drawing.files import save
from headscope.drawing.style import settled
from headscope.errors import HeadscopeError, RunError, choose_from
from headscope.questions.pictures import draw

ROOT = Path(__file__).parents[1]
IMAGES, BUILT = ROOT / "docs" / "images", ROOT / "build"
DESK = BUILT / "gallery"
STARTED = "from headscope.cli.main import run; run()"


class NotHereError(Exception):
    """What a picture is drawn from is not here."""


def command(words: str) -> None:
    """Run a command of headscope at the desk."""
    print(f"$ headscope {words}", flush=True)
    done = subprocess.run([sys.executable, "-c", STARTED, *shlex.split(words)], cwd=DESK, check=False)
    if done.returncode:
        raise NotHereError(f"headscope {words} ended with {done.returncode}")


def made(run: str) -> Path:
    """The folder of a run, made if it is not there, and all that it reads."""
    for name in needed(run):
        if not (DESK / name / "run.json").exists():
            for words in RUNS[name]:
                command(words)
    return DESK / run


def kept(shot: Shot) -> Path:
    """The folder of a long run, which must be there."""
    folder = BUILT / shot.run
    if not folder.exists():
        raise NotHereError(f"{shot.run} is not in build/; {KEEPERS[shot.run.partition('/')[0]]} makes it")
    return folder


def draw_picture(name: str) -> None:
    """Draw one picture into docs/images."""
    if name in SAVED:
        command(f"{SAVED[name]} --save {name}.png")
        move(DESK / f"{name}.png", IMAGES / f"{name}.png")
    elif name == MAPS[0]:
        maps = headscope.maps("default", MAPS[1], words=True)
        save(settled(lambda: all_maps(maps)), IMAGES, name, ("png",))
    elif name in SCREENS:
        draw_screens(made("demo"), IMAGES, name)
    else:
        shot = SHOTS.get(name) or KEPT[name]
        run = headscope.open(made(shot.run) if name in SHOTS else kept(shot))
        result = run.result(shot.verb)
        figure = (
            settled(lambda: behind_first_token(result))
            if shot.picture == BEHIND
            else draw(shot.picture, result)
        )
        save(figure, IMAGES, name, ("png",))
        if name in SHOTS:
            keep(shot.run, {verb: run.result(verb) for verb in run.verbs})
    shrink(IMAGES / f"{name}.png")


def shrink(path: Path) -> None:
    """Keep a picture with 256 colours, which takes a third of the bytes and looks the same."""
    with Image.open(path) as image:
        few = image.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    few.save(path, optimize=True)


def main(wanted: Iterable[str]) -> int:
    """Draw all that there is to draw from."""
    lay(DESK)
    missing = 0
    for name in wanted:
        if name not in names():
            raise HeadscopeError(choose_from("picture", name, sorted(names())))
        try:
            draw_picture(name)
        except (NotHereError, RunError) as error:
            missing += 1
            print(f"{name}: {error}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", nargs="*")
    sys.exit(main(parser.parse_args().name or sorted(names())))
