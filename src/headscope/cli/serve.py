"""`headscope serve [RUN]`"""

from __future__ import annotations

import errno
import socket
from dataclasses import dataclass
from importlib.util import find_spec
from logging import CRITICAL, getLogger
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from headscope.errors import HeadscopeError, OptionError
from headscope.questions import options as groups
from headscope.questions.groups import Dtype
from headscope.questions.marks import COMPUTING, OUTPUT, Argument, At, Group

if TYPE_CHECKING:
    from types import FrameType

    from fastapi import FastAPI

ADDRESS = "127.0.0.1"
TRIED = 100
LAST_PORT = 65535
SECONDS_TO_END = 3


@dataclass(frozen=True, kw_only=True)
class Options(groups.Options):
    """The page, live: type a sentence, look at any head, switch heads off, see what mattered, compare models.

    It answers this machine alone, at http://127.0.0.1:8765. Without --model it runs the model of RUN, or the
    embedded default. Ctrl-C ends it.

    Example: headscope serve runs/demo --open
    """

    run: Annotated[Path | None, Argument(0, "RUN")] = None
    """Run folder, whose report is shown as well."""

    model: tuple[str, ...] = ()
    """Folder, hub name, .gguf file, or `default`; repeat it to offer several."""

    revision: str | None = None
    """Branch, tag or commit of a hub model."""

    adapter: Path | None = None
    """Folder of a LoRA adapter to put on the model."""

    port: Annotated[int, At(0, LAST_PORT + 1), Group(OUTPUT)] = 8765
    """Port to listen at; 0 takes any."""

    open: Annotated[bool, Group(OUTPUT)] = False
    """Open the page in a browser."""

    device: Annotated[str, Group(COMPUTING)] = "cpu"
    """Where to compute: `cpu`, `cuda`, `cuda:1`, `mps`, or `auto`, a GPU if there is one."""

    dtype: Annotated[Dtype, Group(COMPUTING)] = "float32"
    """Precision of the weights."""


def run(options: Options) -> None:
    """Answer until Ctrl-C."""
    from headscope.cli.screen import print_line

    _check_installed()
    with listen(options.port) as listening:
        port = listening.getsockname()[1]
        app = _application(options, port)
        address = f"http://{ADDRESS}:{port}"
        print_line(f"\n{address}\n\nCtrl-C ends it.")
        if options.open:
            import webbrowser

            # The socket listens already, so the browser waits until the server answers.
            webbrowser.open(address)
        _run(app, listening)


def _application(options: Options, port: int) -> FastAPI:
    """The server of the chosen models and the run's report."""
    from headscope.cli.screen import print_line
    from headscope.cli.served_models import choose_models
    from headscope.results.run import open as open_run

    opened = None if options.run is None else open_run(options.run)
    offer = choose_models(options.model, opened, options.revision)
    print_line(offer.why)
    from headscope.models.places import locate
    from headscope.questions.explain.offers import Explaining
    from headscope.questions.maps.offers import Models
    from headscope.web.live.server import application
    from headscope.web.report.content import report_of

    for place in offer.places.values():
        locate(place, offer.revision)  # a folder that is not there is told now, not on the page
    models = Models(
        offer.places, adapter=options.adapter, device=options.device, dtype=options.dtype,
        revision=offer.revision,
    )  # fmt: skip
    report = None if opened is None else report_of(opened)
    return application(models, explains=Explaining(models), report=report, run_folder=options.run, port=port)


def _check_installed() -> None:
    for package in ("fastapi", "uvicorn"):
        if find_spec(package) is None:
            raise HeadscopeError(
                f"the live page needs the package {package}; run pip install fastapi uvicorn"
            )


def listen(port: int) -> socket.socket:
    """A socket that this machine alone can reach; a taken port is told with the next free one."""
    try:
        return _bound(port)
    except OSError as error:
        if error.errno == errno.EACCES:
            raise OptionError(f"--port {port} needs a privileged user; take one from 1024 on") from None
        if error.errno != errno.EADDRINUSE:
            raise
    raise OptionError(f"port {port} is taken by another program; try --port {_next_free(port)}")


def _bound(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((ADDRESS, port))
        listening.listen()
    except OSError:
        listening.close()
        raise
    return listening


def _next_free(port: int) -> int:
    """The next port that can be taken, 0 (any) if none is near."""
    for other in range(port + 1, min(port + TRIED, LAST_PORT) + 1):
        try:
            _bound(other).close()
        except OSError:
            continue
        return other
    return 0


def _run(app: FastAPI, listening: socket.socket) -> None:
    """Answer until Ctrl-C."""
    import uvicorn

    config = uvicorn.Config(
        app, log_level="warning", access_log=False, lifespan="off", ws="none", server_header=False,
        timeout_graceful_shutdown=SECONDS_TO_END,
    )  # fmt: skip

    class Server(uvicorn.Server):
        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            """End what a model computes too; of what is cut off then, nothing need be told."""
            app.state.turns.end()
            getLogger("uvicorn.error").setLevel(CRITICAL)
            super().handle_exit(sig, frame)

    try:
        Server(config).run(sockets=[listening])
    except KeyboardInterrupt:
        # The server has ended in order and only then passes the interruption on.
        return
